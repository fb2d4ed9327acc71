import { env, l10n, window, workspace } from 'vscode';
import type { HostMessage } from '../core/messages/workbench';

export type ImportedOutput = Extract<HostMessage, { type: 'imported' }>;

/** Above this, saved output is no text that anybody reads. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Saved output of a tool, from a file or the clipboard, read by a probe's parser. Undefined when the user chose nothing. */
export async function importOutput(): Promise<ImportedOutput | undefined> {
  const [{ allProbes }, { parseText }] = await Promise.all([import('../core/probes/registry'), import('../core/probes/parse')]);
  const picked = await window.showQuickPick(allProbes().map((probe) => ({ label: probe.id, description: probe.title, detail: probe.proves, probe })), { title: l10n.t('The output is of which probe?'), matchOnDescription: true });
  if (!picked) return undefined;
  const saved = await chooseSource();
  if (!saved) return undefined;
  return { type: 'imported', source: saved.name, importedAt: new Date().toISOString(), result: parseText(picked.probe, saved.text) };
}

async function chooseSource(): Promise<{ name: string; text: string } | undefined> {
  const file = l10n.t('From a file');
  const clipboard = l10n.t('From the clipboard');
  const from = await window.showQuickPick([file, clipboard], { title: l10n.t('Where is the saved output?') });
  if (from === clipboard) return { name: l10n.t('the clipboard'), text: await env.clipboard.readText() };
  if (from !== file) return undefined;
  const [uri] = (await window.showOpenDialog({ canSelectMany: false, title: l10n.t('Saved Output') })) ?? [];
  if (!uri) return undefined;
  const { size } = await workspace.fs.stat(uri);
  if (size > MOST_BYTES) throw new Error(l10n.t('{0} is larger than {1} MiB. Read it with the command line: gpu-acceptance parse.', workspace.asRelativePath(uri), MOST_BYTES / 1024 ** 2));
  return { name: workspace.asRelativePath(uri), text: Buffer.from(await workspace.fs.readFile(uri)).toString('utf8') };
}
