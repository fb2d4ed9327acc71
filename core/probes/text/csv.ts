/** Cells of a comma-separated line; quoted cells may hold commas and doubled quotes (RFC 4180, without line breaks in cells). */
export function splitCsv(text: string): string[] {
  return [...text.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, cell]) => cell!.replace(/^"|"$/g, '').replaceAll('""', '"').trim())
    .slice(0, text.endsWith(',') ? undefined : -1);
}
