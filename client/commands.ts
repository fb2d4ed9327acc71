import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commands, type Disposable, env, l10n, type LogOutputChannel, Uri, window, workspace } from 'vscode';
import type { StageId } from '../core/run/events';
import { findCards, outlineOf } from './card-outline';
import { COMMANDS, LANGUAGES } from './ids';
import { importOutput } from './import-output';
import type { LanguageServer } from './language-client';
import type { RunService } from './run-service';
import { runDirOf, storedRuns } from './run-store';
import type { RunNode, RunsTree } from './runs-tree';
import { BRIEF_TEMPLATE, CARD_TEMPLATE } from './templates';
import type { Workbench } from './workbench';

export interface CommandServices {
  service: RunService;
  workbench: Workbench;
  tree: RunsTree;
  server: LanguageServer;
  log: LogOutputChannel;
}

export function registerCommands(services: CommandServices): Disposable[] {
  const { service, workbench, tree, server, log } = services;
  const handlers: Record<(typeof COMMANDS)[keyof typeof COMMANDS], (...args: never[]) => unknown> = {
    [COMMANDS.runCard]: (uri?: Uri | string) => runCard(services, uri),
    [COMMANDS.runStage]: (uri?: Uri | string, stage?: StageId) => runStage(services, uri, stage),
    [COMMANDS.runProbe]: (uri?: Uri | string) => runProbe(services, uri),
    [COMMANDS.cancelRun]: () => service.cancel(),
    [COMMANDS.openWorkbench]: (node?: RunNode) => workbench.open(node?.kind === 'run' ? node.run.runId : undefined),
    [COMMANDS.exportEvidence]: (run?: RunNode | string) => exportEvidence(run),
    [COMMANDS.openReport]: (run?: RunNode | string) => openReport(run),
    [COMMANDS.importOutput]: () => importOutput(),
    [COMMANDS.newBrief]: () => openNew(LANGUAGES.brief, BRIEF_TEMPLATE),
    [COMMANDS.newCard]: () => openNew(LANGUAGES.card, CARD_TEMPLATE),
    [COMMANDS.refreshRuns]: () => tree.refresh(),
    [COMMANDS.deleteRun]: (node?: RunNode) => deleteRun(node, tree),
    [COMMANDS.openRaw]: async (uri: Uri) => window.showTextDocument(await workspace.openTextDocument(uri), { preview: true }),
    [COMMANDS.restartServer]: () => server.restart(),
    [COMMANDS.showLog]: () => log.show(),
  };
  return Object.entries(handlers).map(([id, handler]) =>
    commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        return await (handler as (...values: unknown[]) => unknown)(...args);
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        void window.showErrorMessage(error instanceof Error ? error.message : String(error));
        return undefined;
      }
    }),
  );
}

async function runCard({ service, workbench }: CommandServices, uri?: Uri | string): Promise<void> {
  const card = await chooseCard(uri);
  if (!card) return;
  await workbench.open();
  await announce(service.run({ card }), workbench);
}

async function runStage({ service, workbench }: CommandServices, uri?: Uri | string, stage?: StageId): Promise<void> {
  const card = await chooseCard(uri);
  const outline = card && outlineOf(await workspace.openTextDocument(card));
  if (!card || !outline) return;
  const chosen = stage ?? ((await window.showQuickPick(outline.stages.map(({ name }) => name), { title: l10n.t('Run which stage?') })) as StageId | undefined);
  if (chosen === undefined) return;
  await workbench.open();
  await announce(service.run({ card, stages: [chosen] }), workbench);
}

async function runProbe({ service, workbench }: CommandServices, uri?: Uri | string): Promise<void> {
  const card = await chooseCard(uri);
  const outline = card && outlineOf(await workspace.openTextDocument(card));
  if (!card || !outline) return;
  const items = outline.stages.flatMap(({ stage, probes }) => probes.map(({ name }) => ({ label: name, description: stage, stage })));
  const chosen = await window.showQuickPick(items, { title: l10n.t('Run which probe?') });
  if (!chosen) return;
  await workbench.open();
  await announce(service.run({ card, stages: [chosen.stage], entries: [chosen.label] }), workbench);
}

/** One notification at the end, with the way to the evidence. */
async function announce(running: ReturnType<RunService['run']>, workbench: Workbench): Promise<void> {
  const outcome = await running;
  if (!outcome) return;
  await workbench.showRun(outcome.runId);
  const report = l10n.t('Open Report');
  const show = outcome.verdict.state === 'accepted' ? window.showInformationMessage : window.showWarningMessage;
  void show(outcome.verdict.summary, report).then(async (answer) => {
    if (answer === report) await openReport(outcome.runId);
  });
}

async function chooseCard(uri?: Uri | string): Promise<Uri | undefined> {
  if (uri instanceof Uri) return uri;
  if (typeof uri === 'string') return Uri.parse(uri);
  const active = window.activeTextEditor?.document;
  if (active?.languageId === LANGUAGES.card) return active.uri;
  const cards = await findCards();
  if (cards.length === 1) return cards[0];
  if (cards.length === 0) {
    void window.showWarningMessage(l10n.t('There is no acceptance card (*.acceptance.yaml) in this workspace.'));
    return undefined;
  }
  const picked = await window.showQuickPick(cards.map((card) => ({ label: workspace.asRelativePath(card), card })), { title: l10n.t('Which acceptance card?') });
  return picked?.card;
}

async function chooseRun(run?: RunNode | string): Promise<string | undefined> {
  if (typeof run === 'string') return runDirOf(run);
  if (run?.kind === 'run') return run.run.runDir;
  const runs = await storedRuns();
  if (runs.length === 0) void window.showWarningMessage(l10n.t('There is no run yet. Run a card first.'));
  if (runs.length < 2) return runs[0]?.runDir;
  const picked = await window.showQuickPick(runs.map(({ runDir, cardName, verdict, status, startedAt }) => ({ label: cardName, description: `${verdict ?? status} · ${new Date(startedAt).toLocaleString()}`, runDir })), { title: l10n.t('Which run?') });
  return picked?.runDir;
}

async function exportEvidence(run?: RunNode | string): Promise<void> {
  const runDir = await chooseRun(run);
  if (runDir === undefined) return;
  const { bundleName, exportBundle } = await import('../core/evidence/bundle');
  const root = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(runDir);
  const target = await window.showSaveDialog({ defaultUri: Uri.joinPath(root, bundleName(runDir)), filters: { [l10n.t('Evidence bundle')]: ['zip'] }, title: l10n.t('Export Evidence') });
  if (!target) return;
  await exportBundle(runDir, target.fsPath);
  const reveal = l10n.t('Reveal');
  void window.showInformationMessage(l10n.t('The evidence is in {0}.', basename(target.fsPath)), reveal).then((answer) => answer === reveal && commands.executeCommand('revealFileInOS', target));
}

async function openReport(run?: RunNode | string): Promise<void> {
  const runDir = await chooseRun(run);
  if (runDir === undefined) return;
  const { writeReport } = await import('../core/evidence/bundle');
  const target = join(runDir, 'report.html');
  await writeReport(runDir, target);
  await env.openExternal(Uri.file(target));
}

async function deleteRun(node: RunNode | undefined, tree: RunsTree): Promise<void> {
  if (node?.kind !== 'run') return;
  const remove = l10n.t('Delete');
  const answer = await window.showWarningMessage(l10n.t('Delete the run {0} and its evidence?', node.run.runId), { modal: true, detail: l10n.t('This cannot be undone. An exported bundle is kept.') }, remove);
  if (answer !== remove) return;
  await rm(node.run.runDir, { recursive: true });
  tree.refresh();
}

async function openNew(language: string, content: string): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument({ language, content }));
}
