import type { SourceFile } from '../../document/source';
import type { CheckedFinding, CheckReport } from '../run';

/** One checked file, for output. */
export interface FileReport {
  /** As the user named it. */
  file: string;
  source: SourceFile;
  report: CheckReport;
}

/** 1-based, as people and tools count; columns in UTF-16 units. */
export interface Region {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export function regionOf(source: SourceFile, { start, end }: CheckedFinding['range']): Region {
  const from = source.positionAt(start);
  const to = source.positionAt(end);
  return { line: from.line + 1, column: from.character + 1, endLine: to.line + 1, endColumn: to.character + 1 };
}

export function countOf(reports: readonly FileReport[], severity: CheckedFinding['severity']): number {
  return reports.reduce((sum, { report }) => sum + report.findings.filter((finding) => finding.severity === severity).length, 0);
}
