import type { CheckSeverity, Rule } from '../contract';
import type { CheckedFinding, SuppressedFinding } from '../run';
import { type FileReport, regionOf } from './report';

const LEVELS: Record<CheckSeverity, string> = { error: 'error', warning: 'warning', information: 'note', hint: 'note' };

/** SARIF 2.1.0 (OASIS standard), for code scanning. Waivers are suppressed results with their justification. */
export function toSarif(reports: readonly FileReport[], rules: readonly Rule[], version: string): string {
  const used = rules.filter(({ id }) => reports.some(({ report }) => [...report.findings, ...report.suppressed].some(({ rule }) => rule === id)));
  const results = reports.flatMap((file) => [...file.report.findings, ...file.report.suppressed].map((finding) => toResult(finding, file, used)));
  const driver = { name: 'gpu-acceptance', version, rules: used.map(toDescriptor) };
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toDescriptor({ id, title, severity, docs }: Rule): object {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: docs.why },
    ...(docs.advice === undefined ? {} : { help: { text: docs.advice } }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function toResult(finding: CheckedFinding | SuppressedFinding, { file, source }: FileReport, rules: readonly Rule[]): object {
  const place = (range: CheckedFinding['range'], uri = file): object => {
    const { line, column, endLine, endColumn } = regionOf(source, range);
    return { artifactLocation: { uri: encodeURI(uri) }, ...(uri === file ? { region: { startLine: line, startColumn: column, endLine, endColumn } } : {}) };
  };
  return {
    ruleId: finding.rule,
    ruleIndex: rules.findIndex(({ id }) => id === finding.rule),
    level: LEVELS[finding.severity],
    message: { text: finding.message },
    locations: [{ physicalLocation: place(finding.range) }],
    ...(finding.related ? { relatedLocations: finding.related.map(({ message, range, file: other }) => ({ message: { text: message }, physicalLocation: place(range, other) })) } : {}),
    ...('reason' in finding ? { suppressions: [{ kind: 'inSource', justification: finding.reason }] } : {}),
  };
}
