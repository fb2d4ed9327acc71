import { join } from 'node:path';
import { type Disposable, EventEmitter, l10n, MarkdownString, ThemeColor, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { type ProbeSummary, summariseRun } from '../core/evidence/run-summary';
import { readEvents } from '../core/run/read-run';
import { COMMANDS } from './ids';
import { rawUri } from './raw-files';
import { type RunStore, stateOf, type StoredRun } from './run-store';

export type RunNode =
  | { kind: 'run'; run: StoredRun }
  | { kind: 'stage'; run: StoredRun; stage: string; probes: readonly ProbeSummary[] }
  | { kind: 'probe'; run: StoredRun; probe: ProbeSummary }
  | { kind: 'evidence'; run: StoredRun }
  | { kind: 'file'; label: string; path: string; about?: string };

/** Runs, their stages and probes, and the files that prove them. */
export class RunsTree implements TreeDataProvider<RunNode>, Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscription: Disposable;

  constructor(private readonly store: RunStore) {
    this.subscription = store.onDidChange(() => this.refresh());
  }

  refresh(): void {
    this.changed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    if (!node) return (await this.store.list()).map((run) => ({ kind: 'run', run }));
    switch (node.kind) {
      case 'run':
        return stagesOf(node.run);
      case 'stage':
        return node.probes.map((probe) => ({ kind: 'probe', run: node.run, probe }));
      case 'probe':
        return rawFiles(node);
      case 'evidence':
        return EVIDENCE_FILES().map(([label, about]) => ({ kind: 'file', label, about, path: join(node.run.runDir, label) }));
      case 'file':
        return [];
    }
  }

  getTreeItem(node: RunNode): TreeItem {
    switch (node.kind) {
      case 'run':
        return runItem(node.run);
      case 'stage':
        return stageItem(node);
      case 'probe':
        return probeItem(node);
      case 'evidence':
        return evidenceItem(node.run);
      case 'file':
        return fileItem(node);
    }
  }
}

const EVIDENCE_FILES = (): [name: string, about: string][] => [
  ['verdict.json', l10n.t('the judgement')],
  ['events.ndjson', l10n.t('everything that happened, in order')],
  ['plan.lock.json', l10n.t('what was going to be run, locked before the first probe')],
  ['card.yaml', l10n.t('the card as it was run')],
];

async function stagesOf(run: StoredRun): Promise<RunNode[]> {
  const { probes, stages } = summariseRun(await readEvents(run.runDir).catch(() => []));
  const started = stages.map((stage) => ({ kind: 'stage' as const, run, stage, probes: probes.filter((probe) => probe.stage === stage) }));
  return [...started.filter((stage) => stage.probes.length > 0), { kind: 'evidence', run }];
}

function rawFiles({ run, probe }: Extract<RunNode, { kind: 'probe' }>): RunNode[] {
  if (probe.state === 'not-run') return [];
  const folder = join(run.runDir, 'raw', ...(probe.from ?? probe.probeRun).split('/'));
  return ['stdout', 'stderr', 'cmd.json', 'exit.json'].map((label) => ({ kind: 'file', label, path: join(folder, label) }));
}

const ICONS: Record<string, [icon: string, color?: string]> = {
  accepted: ['pass-filled', 'testing.iconPassed'],
  rejected: ['error', 'testing.iconFailed'],
  inconclusive: ['question', 'testing.iconQueued'],
  running: ['sync~spin'],
  interrupted: ['debug-disconnect', 'testing.iconErrored'],
  measured: ['pass', 'testing.iconPassed'],
  failed: ['error', 'testing.iconFailed'],
  'not-run': ['circle-slash', 'testing.iconSkipped'],
};

function icon(state: string): ThemeIcon {
  const [name, color] = ICONS[state] ?? ['circle-outline'];
  return new ThemeIcon(name, color === undefined ? undefined : new ThemeColor(color));
}

function runItem(run: StoredRun): TreeItem {
  const state = stateOf(run);
  const item = new TreeItem(run.cardName, TreeItemCollapsibleState.Collapsed);
  item.id = run.runDir;
  item.description = `${state} · ${run.target} · ${new Date(run.startedAt).toLocaleString()}`;
  item.iconPath = icon(state);
  item.contextValue = run.status === 'running' ? 'run.running' : 'run';
  item.tooltip = new MarkdownString().appendText(`${run.cardName}, ${run.target}\n${run.status}, ${run.verdict ?? l10n.t('no verdict')}\n${run.runDir}`);
  item.accessibilityInformation = { label: `${run.cardName}, ${run.target}, ${state}` };
  return item;
}

function stageItem({ run, stage, probes }: Extract<RunNode, { kind: 'stage' }>): TreeItem {
  const worst = ['failed', 'inconclusive', 'running', 'not-run'].find((state) => probes.some((probe) => probe.state === state)) ?? 'measured';
  const item = new TreeItem(stage, TreeItemCollapsibleState.Collapsed);
  item.id = `${run.runDir}/${stage}`;
  item.iconPath = icon(worst);
  item.description = l10n.t('{0} of {1} measured', probes.filter(({ state }) => state === 'measured').length, probes.length);
  return item;
}

function probeItem({ run, probe }: Extract<RunNode, { kind: 'probe' }>): TreeItem {
  const item = new TreeItem(probe.entry, probe.state === 'not-run' ? TreeItemCollapsibleState.None : TreeItemCollapsibleState.Collapsed);
  const cause = probe.reasons.find(({ severity }) => severity === 'error');
  item.id = `${run.runDir}/${probe.probeRun}`;
  item.description = cause ? `${probe.state}: ${cause.message}` : probe.state;
  item.iconPath = icon(probe.state);
  item.tooltip = new MarkdownString().appendText([probe.state, ...probe.reasons.map(({ message }) => message)].join('\n'));
  return item;
}

function evidenceItem(run: StoredRun): TreeItem {
  const item = new TreeItem(l10n.t('Evidence'), TreeItemCollapsibleState.Collapsed);
  item.id = `${run.runDir}/evidence`;
  item.iconPath = new ThemeIcon('archive');
  return item;
}

function fileItem({ label, path, about }: Extract<RunNode, { kind: 'file' }>): TreeItem {
  const item = new TreeItem(label, TreeItemCollapsibleState.None);
  item.id = path;
  item.resourceUri = rawUri(path);
  item.iconPath = ThemeIcon.File;
  if (about !== undefined) item.description = about;
  item.command = { command: COMMANDS.openRaw, title: l10n.t('Open'), arguments: [rawUri(path)] };
  item.contextValue = 'file';
  return item;
}
