import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commands, env, l10n, Uri, window, workspace } from 'vscode';
import type { CommandServices, RunArgument } from './commands';
import { cardOf, stateOf, type StoredRun } from './run-store';
import type { RunNode } from './runs-tree';
import { SecretPrompts } from './secret-prompts';
import { signingKeyFile } from './settings';

/** A run by the id or node that was given, or the one that the user picks. */
async function chooseRun({ store }: CommandServices, argument: RunArgument): Promise<StoredRun | undefined> {
  if (typeof argument === 'object' && argument.kind === 'run') return argument.run;
  const runs = await store.list();
  if (typeof argument === 'string') return runs.find(({ runId }) => runId === argument);
  if (runs.length === 0) void window.showWarningMessage(l10n.t('There is no run yet. Run a card first.'));
  if (runs.length < 2) return runs[0];
  const picked = await window.showQuickPick(runs.map((run) => ({ label: run.cardName, description: `${stateOf(run)} · ${run.target} · ${new Date(run.startedAt).toLocaleString()}`, run })), { title: l10n.t('Which run?') });
  return picked?.run;
}

/** `argument`: a run, or the address of a card whose newest run is meant. */
export async function openWorkbench({ workbench, store }: CommandServices, argument: RunArgument): Promise<void> {
  if (typeof argument === 'object' && argument.kind === 'run') return workbench.open(argument.run.runId);
  if (typeof argument !== 'string') return workbench.open();
  const wanted = Uri.parse(argument).toString();
  for (const run of await store.list()) {
    if (run.runId === argument || (await cardOf(run))?.toString() === wanted) return workbench.open(run.runId);
  }
  return workbench.open();
}

export async function exportEvidence(services: CommandServices, argument: RunArgument): Promise<void> {
  const run = await chooseRun(services, argument);
  if (!run) return;
  const { bundleName, exportBundle } = await import('../core/evidence/bundle');
  const root = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(run.runDir);
  const target = await window.showSaveDialog({ defaultUri: Uri.joinPath(root, bundleName(run.runDir)), filters: { [l10n.t('Evidence bundle')]: ['zip'] }, title: l10n.t('Export Evidence') });
  if (!target) return;
  await exportBundle(run.runDir, target.fsPath, await signingKey(services));
  const reveal = l10n.t('Reveal');
  void window.showInformationMessage(l10n.t('The evidence is in {0}.', basename(target.fsPath)), reveal).then((answer) => answer === reveal && commands.executeCommand('revealFileInOS', target));
}

/** The key that the settings name; undefined: bundles are not signed. */
async function signingKey({ secrets }: CommandServices) {
  const file = signingKeyFile();
  if (file === undefined) return undefined;
  const { readSigningKey } = await import('../core/transport/ssh2/identity');
  const prompts = new SecretPrompts(secrets);
  return readSigningKey(file, { passphrase: (path) => prompts.ask(`passphrase:${path}`, l10n.t('Passphrase for {0}', path)), refused: (kind) => prompts.forget(kind) });
}

export async function openReport(services: CommandServices, argument: RunArgument): Promise<void> {
  const run = await chooseRun(services, argument);
  if (!run) return;
  const { writeReport } = await import('../core/evidence/bundle');
  const target = join(run.runDir, 'report.html');
  // A run that came with somebody else's workspace may have a link in its place: it is replaced, never written through.
  await rm(target, { force: true });
  await writeReport(run.runDir, target);
  await env.openExternal(Uri.file(target));
}

export async function revealRun(node: RunNode | undefined): Promise<void> {
  if (node?.kind === 'run') await commands.executeCommand('revealFileInOS', Uri.file(node.run.runDir));
}

export async function deleteRuns({ store }: CommandServices, nodes: readonly RunNode[]): Promise<void> {
  const runs = nodes.flatMap((node) => (node.kind === 'run' && node.run.status !== 'running' ? [node.run] : []));
  if (runs.length === 0) return;
  const remove = l10n.t('Delete');
  const question = runs.length === 1 ? l10n.t('Delete the run {0} and its evidence?', runs[0]!.runId) : l10n.t('Delete {0} runs and their evidence?', runs.length);
  const detail = [...(runs.length === 1 ? [] : runs.map(({ runId }) => runId)), l10n.t('This cannot be undone. An exported bundle is kept.')].join('\n');
  const answer = await window.showWarningMessage(question, { modal: true, detail }, remove);
  if (answer !== remove) return;
  try {
    for (const { runDir } of runs) await rm(runDir, { recursive: true });
  } finally {
    store.notify();
  }
}
