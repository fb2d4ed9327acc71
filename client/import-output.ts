import { env, l10n, Uri, window, workspace } from 'vscode';
import type { ParseResult } from '../core/probes/contract';

/** Saved output of a tool, from a file or the clipboard, read by a probe's parser. Shown as what it is: imported, run by nobody here. */
export async function importOutput(): Promise<void> {
  const [{ allProbes }, { parseText }] = await Promise.all([import('../core/probes/registry'), import('../core/probes/parse')]);
  const picked = await window.showQuickPick(allProbes().map((probe) => ({ label: probe.id, description: probe.title, detail: probe.proves, probe })), { title: l10n.t('The output is of which probe?'), matchOnDescription: true });
  if (!picked) return;
  const source = await chooseSource();
  if (!source) return;
  const result = parseText(picked.probe, source.text);
  const document = await workspace.openTextDocument({ language: 'markdown', content: describe(result, source.name) });
  await window.showTextDocument(document, { preview: false });
}

async function chooseSource(): Promise<{ name: string; text: string } | undefined> {
  const file = l10n.t('From a file');
  const clipboard = l10n.t('From the clipboard');
  const from = await window.showQuickPick([file, clipboard], { title: l10n.t('Where is the saved output?') });
  if (from === clipboard) return { name: l10n.t('clipboard'), text: await env.clipboard.readText() };
  if (from !== file) return undefined;
  const [uri] = (await window.showOpenDialog({ canSelectMany: false, title: l10n.t('Saved Output') })) ?? [];
  return uri && { name: workspace.asRelativePath(uri), text: Buffer.from(await workspace.fs.readFile(Uri.from(uri))).toString('utf8') };
}

const MOST_ROWS = 500;

function describe({ probe, parser, outcome, reasons, measurements }: ParseResult, source: string): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = measurements.slice(0, MOST_ROWS).map(({ metric, value, unit, labels, line }) => `| ${cell(metric)} | ${cell(String(value))} | ${unit ?? ''} | ${cell(Object.entries(labels ?? {}).map(([key, label]) => `${key}=${label}`).join(', '))} | ${line ?? ''} |`);
  return [
    `# Imported output: ${outcome}`,
    '',
    `Probe \`${probe}\` (parser ${parser}), from ${source}. Imported: it was not run by this program, so it is evidence of what somebody saved.`,
    '',
    ...reasons.map(({ severity, message, line }) => `- ${severity}: ${message}${line === undefined ? '' : ` (line ${line})`}`),
    '',
    '| metric | value | unit | labels | line |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(measurements.length > MOST_ROWS ? ['', `${measurements.length - MOST_ROWS} more values.`] : []),
    '',
  ].join('\n');
}
