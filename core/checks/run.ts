import { type DocumentKind, SourceFile } from '../document/source';
import { closest } from '../document/structure';
import type { SeverityMap } from './config';
import { createContext } from './context';
import type { CheckContext, CheckSeverity, Finding, Rule, Subject } from './contract';
import { type FileProvider, NO_FILES } from './files';
import { RULES } from './generated';
import { findSuppressions, isIgnored, type Suppression } from './suppression';

export interface CheckOptions {
  files?: FileProvider;
  /** Path or address of the file: its name tells what a document without `kind` is meant to be. */
  fileName?: string;
  severity?: SeverityMap;
  /** `YYYY-MM-DD`; absent: today in UTC. */
  today?: string;
  /** The file is a Kubernetes manifest that a card names. */
  isManifest?: boolean;
  /** Absent: all. Tests run one. */
  rules?: readonly Rule[];
}

export interface CheckedFinding extends Finding {
  rule: string;
  severity: CheckSeverity;
}

/** A finding that a comment with a reason switched off: a waiver, which stays visible in machine-readable output. */
export interface SuppressedFinding extends CheckedFinding {
  reason: string;
}

export interface CheckReport {
  findings: CheckedFinding[];
  suppressed: SuppressedFinding[];
  /** The file holds more findings than are listed. */
  truncated: boolean;
  /** Rules that broke: a fault of ours, never of the user. */
  failures: { rule: string; error: unknown }[];
}

/** More findings than this in one file help nobody. */
const MAX_FINDINGS = 200;

/** Checks a file: every document by its own kind. Never throws. */
export function checkFile(source: SourceFile | string, options: CheckOptions = {}): CheckReport {
  const file = typeof source === 'string' ? new SourceFile(source) : source;
  const report: CheckReport = { findings: [], suppressed: [], truncated: false, failures: [] };
  if (isIgnored(file.text)) return report;
  const rules = (options.rules ?? RULES).filter(({ id }) => options.severity?.[id] !== 'off');
  const ofDocuments = subjectsOf(file, options).flatMap((context) => runRules(rules, context, options.severity ?? {}, report));
  const found = dedupe([...ofFile(file, rules, options.severity ?? {}), ...ofDocuments]);
  sortOut(found, findSuppressions(file.text), file, report);
  return report;
}

/** Problems that leave no document to check; each is reported under the rule of its code. */
function ofFile(file: SourceFile, rules: readonly Rule[], severity: SeverityMap): CheckedFinding[] {
  return file.problems.flatMap((problem) => {
    const rule = rules.find(({ id }) => id === problem.code);
    return rule ? [{ message: problem.message, range: problem.range, rule: rule.id, severity: levelOf(rule, {}, severity) }] : [];
  });
}

/** The briefs, cards and manifests of a file. A kind that is misspelt is taken for what it resembles. */
function subjectsOf(file: SourceFile, options: CheckOptions): CheckContext[] {
  const assumedKind = kindOfFileName(options.fileName);
  const contextOptions = { files: options.files ?? NO_FILES, today: options.today ?? new Date().toISOString().slice(0, 10) };
  const isAssumed = assumedKind !== undefined && !file.documents.some(({ kind }) => kind === assumedKind);
  return file.documents.flatMap((document, index) => {
    const meant = document.kind ?? resembledKind(document.value) ?? (isAssumed && index === 0 ? assumedKind : undefined);
    const subject = options.isManifest ? 'manifest' : subjectOf(meant);
    return subject ? [createContext(file, document, subject, contextOptions)] : [];
  });
}

const subjectOf = (kind: DocumentKind | undefined): Subject | undefined => kind && (kind === 'AcceptanceCard' ? 'card' : 'brief');

function resembledKind(value: unknown): DocumentKind | undefined {
  const kind = (value as { kind?: unknown } | null | undefined)?.kind;
  return typeof kind === 'string' ? (closest(kind, ['WorkloadBrief', 'AcceptanceCard']) as DocumentKind | undefined) : undefined;
}

export function kindOfFileName(name: string | undefined): DocumentKind | undefined {
  if (name === undefined) return undefined;
  if (/\.acceptance\.ya?ml$/i.test(name)) return 'AcceptanceCard';
  return /\.brief\.ya?ml$/i.test(name) ? 'WorkloadBrief' : undefined;
}

function runRules(rules: readonly Rule[], context: CheckContext, severity: SeverityMap, report: CheckReport): CheckedFinding[] {
  const isWhole = context.document.isWellFormed;
  return rules
    .filter((rule) => rule.appliesTo.includes(context.subject) && (isWhole || rule.runsOnBrokenSyntax))
    .flatMap((rule) => {
      try {
        return rule.check(context).map((finding) => ({ ...finding, rule: rule.id, severity: levelOf(rule, finding, severity) }));
      } catch (error) {
        report.failures.push({ rule: rule.id, error });
        return [];
      }
    });
}

function levelOf(rule: Rule, finding: Pick<Finding, 'severity'>, severity: SeverityMap): CheckSeverity {
  const set = severity[rule.id];
  return set === undefined || set === 'off' ? (finding.severity ?? rule.severity) : set;
}

/** Two documents of a file share what is said of the file as a whole. */
function dedupe(findings: CheckedFinding[]): CheckedFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, range, message }) => {
    const key = `${rule}|${range.start}|${range.end}|${message}`;
    return seen.size !== seen.add(key).size;
  });
}

function sortOut(found: CheckedFinding[], suppressions: readonly Suppression[], file: SourceFile, report: CheckReport): void {
  for (const finding of found.sort((a, b) => a.range.start - b.range.start || a.rule.localeCompare(b.rule))) {
    const line = suppressions.length > 0 ? file.positionAt(finding.range.start).line : -1;
    const suppression = suppressions.find((candidate) => candidate.rule === finding.rule && candidate.line === line && candidate.reason !== '');
    if (suppression) report.suppressed.push({ ...finding, reason: suppression.reason });
    else if (report.findings.length < MAX_FINDINGS) report.findings.push(finding);
    else report.truncated = true;
  }
}

