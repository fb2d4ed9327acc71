import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type CheckReport, checkFile } from '../core/checks/run';
import { type SeverityMap, toSeverityMap } from '../core/checks/config';
import { SourceFile } from '../core/document/source';
import { WorkspaceFiles } from './files';

/** The configuration section that belongs to this product. */
export const SECTION = 'gpuAcceptance';

interface Version<T> {
  version: number;
  value: T;
}

/** What the server knows: open documents, each parsed once a version, the files around them, and settings. */
export class Session {
  readonly files: WorkspaceFiles;
  private readonly parsed = new Map<string, Version<SourceFile>>();
  private readonly reports = new Map<string, Version<CheckReport>>();
  private readonly severities = new Map<string, SeverityMap>();
  canAskConfiguration = false;
  hasSnippets = false;

  constructor(
    readonly connection: Connection,
    readonly documents: TextDocuments<TextDocument>,
  ) {
    this.files = new WorkspaceFiles((uri) => documents.get(uri)?.getText());
  }

  source(document: TextDocument): SourceFile {
    const known = this.parsed.get(document.uri);
    if (known?.version === document.version) return known.value;
    const value = new SourceFile(document.getText());
    this.parsed.set(document.uri, { version: document.version, value });
    return value;
  }

  /** The last report of this version, or a fresh one. Quick fixes and diagnostics come from the same report. */
  report(document: TextDocument): CheckReport {
    const known = this.reports.get(document.uri);
    if (known?.version === document.version) return known.value;
    const value = checkFile(this.source(document), {
      files: this.files.providerFor(document.uri),
      fileName: fileNameOf(document),
      severity: this.severityOf(document.uri),
    });
    for (const { rule, error } of value.failures) this.log(`check ${rule}`, error);
    this.reports.set(document.uri, { version: document.version, value });
    return value;
  }

  /** A person's setting wins over the file that the workspace brings. */
  severityOf(uri: string): SeverityMap {
    return { ...this.files.configFor(uri), ...this.severities.get(uri) };
  }

  /** Other files, settings or the clock have changed: what was found before may be wrong. */
  forgetReports(): void {
    this.reports.clear();
  }

  forget(uri: string): void {
    this.parsed.delete(uri);
    this.reports.delete(uri);
    this.severities.delete(uri);
  }

  async loadSeverity(uri: string): Promise<void> {
    if (!this.canAskConfiguration) return;
    const given: unknown = await this.connection.workspace.getConfiguration({ scopeUri: uri, section: `${SECTION}.checks.severity` });
    this.severities.set(uri, toSeverityMap(given ?? {}).severity);
  }

  log(what: string, error: unknown): void {
    this.connection.console.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

/** An untitled document has no name that tells its kind, but its language id does. */
export function fileNameOf(document: TextDocument): string {
  if (document.languageId === 'workload-brief') return 'untitled.brief.yaml';
  return document.languageId === 'acceptance-card' ? 'untitled.acceptance.yaml' : document.uri;
}
