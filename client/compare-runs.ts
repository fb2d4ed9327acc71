import { l10n, ProgressLocation, type QuickPickItem, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { CommandServices } from './commands';
import { stateOf, type StoredRun } from './run-store';
import type { RunNode } from './runs-tree';

/** The page of a comparison follows the colours of the editor, not those of the browser below it. */
const EDITOR_STYLE = ':root:has(body.vscode-dark), :root:has(body.vscode-high-contrast) { color-scheme: dark; } :root:has(body.vscode-light), :root:has(body.vscode-high-contrast-light) { color-scheme: light; } body { padding: 0; }';
const PANEL_TYPE = 'gpuAcceptance.comparison';

let panel: WebviewPanel | undefined;

/** Shows runs of one card side by side: those that are selected in the tree, or those that the user picks. */
export async function compareRuns({ store }: CommandServices, node?: RunNode, selected: readonly RunNode[] = []): Promise<void> {
  const named = runsOf(selected.length > 0 ? selected : node ? [node] : []);
  const runs = named.length > 1 ? named : await pickRuns(await store.list(), named[0]);
  if (!runs) return;
  const [{ compareRuns: compare }, { renderComparison }] = await Promise.all([import('../core/evidence/compare'), import('../core/evidence/compare-report')]);
  const comparison = await window.withProgress({ location: ProgressLocation.Window, title: l10n.t('Verifying {0} runs', runs.length) }, () => compare(oldestFirst(runs).map(({ runDir }) => runDir)));
  show(l10n.t('Comparison: {0}', comparison.cardName), renderComparison(comparison, EDITOR_STYLE));
}

const oldestFirst = (runs: readonly StoredRun[]): StoredRun[] => [...runs].sort((a, b) => a.startedAt.localeCompare(b.startedAt));

const runsOf = (nodes: readonly RunNode[]): StoredRun[] => nodes.flatMap((node) => (node.kind === 'run' ? [node.run] : []));

/** `first`: only runs of its card are offered, and it is chosen already. */
async function pickRuns(all: readonly StoredRun[], first: StoredRun | undefined): Promise<StoredRun[] | undefined> {
  const offered = first ? all.filter(({ cardName }) => cardName === first.cardName) : all;
  if (offered.length < 2) {
    void window.showWarningMessage(l10n.t('There are no two runs of one card to compare yet.'));
    return undefined;
  }
  const items: (QuickPickItem & { run: StoredRun })[] = offered.map((run) => ({
    label: run.cardName,
    description: `${stateOf(run)} · ${run.target} · ${new Date(run.startedAt).toLocaleString()}`,
    picked: run.runId === first?.runId,
    run,
  }));
  const picked = await window.showQuickPick(items, { canPickMany: true, matchOnDescription: true, title: l10n.t('Compare which runs of one card?') });
  return picked?.map(({ run }) => run);
}

function show(title: string, html: string): void {
  if (!panel) {
    panel = window.createWebviewPanel(PANEL_TYPE, title, ViewColumn.Active, { enableFindWidget: true });
    panel.onDidDispose(() => (panel = undefined));
  }
  panel.title = title;
  panel.webview.html = html;
  panel.reveal();
}
