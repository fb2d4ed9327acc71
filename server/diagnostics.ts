import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isIgnored } from '../core/checks/suppression';
import type { CheckedFinding, CheckReport } from '../core/checks/run';
import { checkFile } from '../core/checks/run';
import type { CheckSeverity } from '../core/checks/contract';
import { manifestsOf } from '../core/checks/manifests';
import { CHECK_STATUS, type CheckStatusParams } from '../core/messages/language-server';
import { resolveUri } from './files';
import { toRange } from './position';
import type { Session } from './session';

/** A check may take as much of the typing time as this leaves free: small documents are checked at each key, large ones in pauses. */
const PAUSE_PER_CHECK_MS = 1.5;
const SHORTEST_PAUSE_MS = 1;
/** A check that ends before the next key of a fast typist needs no pause. */
const CHEAP_CHECK_MS = 60;
const LONGEST_PAUSE_MS = 200;
/** Documents that name the changed one are checked when typing has ended. */
const DEPENDENTS_MS = 600;

const LEVELS: Record<CheckSeverity, DiagnosticSeverity> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Pushes findings while typing: the first at once, later ones when typing pauses. */
export class DiagnosticsPublisher {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** How long the last check of each document took, the first one left out: it also loads and warms the code. */
  private readonly costMs = new Map<string, number>();
  private dependentsTimer: NodeJS.Timeout | undefined;
  /** Manifests that each card has findings for, so that they can be taken back. */
  private readonly manifests = new Map<string, string[]>();

  constructor(private readonly session: Session) {}

  opened(uri: string): void {
    this.publish(uri);
  }

  changed(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.set(uri, setTimeout(() => this.publish(uri), this.pauseMs(uri)));
    clearTimeout(this.dependentsTimer);
    this.dependentsTimer = setTimeout(() => this.publishAll(), DEPENDENTS_MS);
  }

  private pauseMs(uri: string): number {
    const costMs = this.costMs.get(uri) ?? 0;
    return costMs <= CHEAP_CHECK_MS ? SHORTEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, PAUSE_PER_CHECK_MS * costMs);
  }

  closed(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    this.costMs.delete(uri);
    this.clear(uri);
    this.clearManifests(uri, []);
  }

  /** Settings or other files have changed. */
  publishAll(): void {
    this.session.forgetReports();
    for (const document of this.session.documents.all()) this.publish(document.uri);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    clearTimeout(this.dependentsTimer);
  }

  private publish(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    const document = this.session.documents.get(uri);
    if (!document) return;
    const startedAt = performance.now();
    try {
      const report = this.session.report(document);
      this.costMs.set(uri, this.costMs.has(uri) ? performance.now() - startedAt : 0);
      void this.session.connection.sendDiagnostics({ uri, version: document.version, diagnostics: toDiagnostics(report, document) });
      this.publishStatus(document, report);
      this.publishManifests(document);
    } catch (error) {
      this.session.log('diagnostics', error);
    }
  }

  private publishStatus(document: TextDocument, { truncated }: CheckReport): void {
    const depth = isIgnored(document.getText()) ? 'ignored' : this.session.source(document).depth;
    const status: CheckStatusParams = { uri: document.uri, depth, truncated };
    void this.session.connection.sendNotification(CHECK_STATUS, status);
  }

  /** Kubernetes manifests are other people's files: they are checked while a card that names them is open. */
  private publishManifests(card: TextDocument): void {
    const named = manifestsOf(this.session.source(card)).flatMap((path) => resolveUri(card.uri, path) ?? []);
    for (const uri of named) {
      const text = this.session.files.readText(uri);
      if (text === undefined) continue;
      const report = checkFile(text, { isManifest: true, files: this.session.files.providerFor(uri), severity: this.session.files.configFor(uri) });
      void this.session.connection.sendDiagnostics({ uri, diagnostics: toDiagnostics(report, TextDocument.create(uri, 'yaml', 0, text)) });
    }
    this.clearManifests(card.uri, named);
    this.manifests.set(card.uri, named);
  }

  private clearManifests(card: string, still: readonly string[]): void {
    const others = [...this.manifests].filter(([uri]) => uri !== card).flatMap(([, named]) => named);
    for (const uri of this.manifests.get(card) ?? []) if (!still.includes(uri) && !others.includes(uri)) this.clear(uri);
    this.manifests.delete(card);
  }

  private clear(uri: string): void {
    void this.session.connection.sendDiagnostics({ uri, diagnostics: [] });
  }
}

function toDiagnostics(report: CheckReport, document: TextDocument): Diagnostic[] {
  return report.findings.map((finding) => toDiagnostic(finding, document));
}

export function toDiagnostic(finding: CheckedFinding, document: TextDocument): Diagnostic {
  const related = finding.related?.flatMap(({ message, range, file }) => {
    const uri = file === undefined ? document.uri : resolveUri(document.uri, file);
    // A place in another file would need its text to become a line; its beginning is near enough to open it.
    return uri === undefined ? [] : [{ message, location: { uri, range: file === undefined ? toRange(document, range) : toRange(document, { start: 0, end: 0 }) } }];
  });
  const href = docsAddress(finding.rule);
  return {
    source: 'gpu-acceptance',
    code: finding.rule,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    severity: LEVELS[finding.severity],
    message: finding.message,
    range: toRange(document, finding.range),
    ...(related && related.length > 0 ? { relatedInformation: related } : {}),
  };
}

const DOCS = join(__dirname, '..', 'docs', 'checks.md');
const docsUri = existsSync(DOCS) ? pathToFileURL(DOCS).href : undefined;

/** The rule's section of the documentation that is installed beside the server. */
export const docsAddress = (rule: string): string | undefined => docsUri && `${docsUri}#${rule}`;
