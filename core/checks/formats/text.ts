import { countOf, type FileReport, regionOf } from './report';

/** `file:line:column: severity: message [check]`, one line a finding, as editors and problem matchers read it. */
export function toText(reports: readonly FileReport[]): string {
  return reports
    .flatMap(({ file, source, report }) =>
      report.findings.map(({ range, severity, message, rule }) => {
        const { line, column } = regionOf(source, range);
        return `${file}:${line}:${column}: ${severity}: ${message} [${rule}]\n`;
      }),
    )
    .join('');
}

/** `3 errors, 1 warning in 2 files` */
export function summary(reports: readonly FileReport[]): string {
  const counts = (['error', 'warning', 'information', 'hint'] as const).flatMap((severity) => {
    const count = countOf(reports, severity);
    return count === 0 ? [] : [severity === 'information' ? `${count} for information` : `${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  const waived = reports.reduce((sum, { report }) => sum + report.suppressed.length, 0);
  const files = `${reports.length} file${reports.length === 1 ? '' : 's'}`;
  return `${counts.length === 0 ? 'No findings' : counts.join(', ')} in ${files}${waived > 0 ? `; ${waived} switched off with a reason` : ''}`;
}
