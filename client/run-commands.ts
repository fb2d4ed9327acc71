import { commands, l10n, Uri, ViewColumn, window, workspace } from 'vscode';
import type { RunOutcome } from '../core/run/contract';
import type { StageId } from '../core/run/events';
import type { CommandServices } from './commands';
import { COMMANDS } from './ids';
import { cardInView, findCards } from './cards';
import type { RunSelection } from './run-service';
import { cardOf } from './run-store';

export async function runCard(services: CommandServices, uri?: Uri | string): Promise<void> {
  const card = await chooseCard(uri);
  if (card) await runAndShow(services, { card });
}

export async function runStage(services: CommandServices, uri?: Uri | string, stage?: StageId): Promise<void> {
  const card = await chooseCard(uri);
  const outline = card && (await outlineOfCard(card));
  if (!card || !outline) return;
  const chosen = stage ?? ((await window.showQuickPick(outline.stages.map(({ name }) => name), { title: l10n.t('Run which stage?') })) as StageId | undefined);
  if (chosen !== undefined) await runAndShow(services, { card, stages: [chosen] });
}

export async function runProbe(services: CommandServices, uri?: Uri | string): Promise<void> {
  const card = await chooseCard(uri);
  const outline = card && (await outlineOfCard(card));
  if (!card || !outline) return;
  const items = outline.stages.flatMap(({ stage, probes }) => probes.map(({ name }) => ({ label: name, description: stage, stage })));
  const chosen = await window.showQuickPick(items, { title: l10n.t('Run which probe?') });
  if (chosen) await runAndShow(services, { card, stages: [chosen.stage], entries: [chosen.label] });
}

async function runAndShow({ service, workbench }: CommandServices, selection: RunSelection): Promise<void> {
  if (workspace.isTrusted) await workbench.open();
  const outcome = await service.run(selection);
  // A failure has had its own dialog.
  if (outcome && outcome.status !== 'failed') announce(outcome);
}

/** One notification at the end, with the way to the evidence. */
function announce({ runId, verdict }: RunOutcome): void {
  const report = l10n.t('Open Report');
  const show = verdict.state === 'accepted' ? window.showInformationMessage : window.showWarningMessage;
  void show(verdict.summary, report).then((answer) => answer === report && commands.executeCommand(COMMANDS.openReport, runId));
}

export async function selectTarget({ service }: CommandServices, uri?: Uri | string): Promise<void> {
  const card = await chooseCard(uri);
  if (!card) return;
  const { readCard } = await import('../core/document/read');
  const { value, problems } = readCard((await workspace.openTextDocument(card)).getText());
  if (!value) throw new Error(l10n.t('The card cannot be read: line {0}: {1}', problems[0]?.line ?? 1, problems[0]?.message ?? ''));
  await service.targets.ask(card, value.targets);
}

/** Shows a criterion of a run where its card says it. */
export async function revealCriterion({ store }: CommandServices, runId: string, stage: string, criterion: string): Promise<void> {
  const run = await store.find(runId);
  const card = run && (await cardOf(run));
  if (!card) throw new Error(l10n.t('The card of this run is no longer in the workspace. The run keeps its own copy: card.yaml.'));
  const outline = await outlineOfCard(card);
  const found = outline?.stages.find((one) => one.stage === stage)?.criteria.find(({ name }) => name === criterion);
  await window.showTextDocument(await workspace.openTextDocument(card), { viewColumn: ViewColumn.One, ...(found ? { selection: found.range } : {}) });
}

async function outlineOfCard(card: Uri) {
  const { outlineOf } = await import('./card-outline');
  return outlineOf(await workspace.openTextDocument(card));
}

async function chooseCard(uri?: Uri | string): Promise<Uri | undefined> {
  if (uri instanceof Uri) return uri;
  if (typeof uri === 'string') return Uri.parse(uri);
  const inView = cardInView();
  if (inView) return inView;
  const cards = await findCards();
  if (cards.length === 1) return cards[0];
  if (cards.length === 0) {
    void window.showWarningMessage(l10n.t('There is no acceptance card (*.acceptance.yaml) in this workspace.'));
    return undefined;
  }
  const picked = await window.showQuickPick(cards.map((card) => ({ label: workspace.asRelativePath(card), card })), { title: l10n.t('Which acceptance card?') });
  return picked?.card;
}
