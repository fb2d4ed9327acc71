import type { CheckedFinding } from '../run';
import { countOf, type FileReport, regionOf } from './report';

/** One JSON document: every file with its findings, and the waivers in it. */
export function toJson(reports: readonly FileReport[]): string {
  const files = reports.map(({ file, source, report }) => ({
    file,
    depth: source.depth,
    truncated: report.truncated,
    findings: report.findings.map((finding) => toEntry(finding, { file, source, report })),
    suppressed: report.suppressed.map((finding) => ({ ...toEntry(finding, { file, source, report }), reason: finding.reason })),
  }));
  const counts = { errors: countOf(reports, 'error'), warnings: countOf(reports, 'warning'), information: countOf(reports, 'information'), hints: countOf(reports, 'hint') };
  return `${JSON.stringify({ files, summary: { files: reports.length, ...counts } }, null, 2)}\n`;
}

function toEntry({ rule, severity, message, range, related, fixes }: CheckedFinding, { source }: FileReport): object {
  return {
    check: rule,
    severity,
    message,
    ...regionOf(source, range),
    ...(related && related.length > 0 ? { related: related.map((place) => ({ message: place.message, ...(place.file === undefined ? regionOf(source, place.range) : { file: place.file }) })) } : {}),
    ...(fixes && fixes.length > 0 ? { fixes: fixes.map(({ title, isSafe }) => ({ title, safe: isSafe === true })) } : {}),
  };
}
