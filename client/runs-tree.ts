import { join } from 'node:path';
import { EventEmitter, l10n, MarkdownString, ThemeColor, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import { type ProbeSummary, summariseRun } from '../core/evidence/run-summary';
import { readEvents } from '../core/run/read-run';
import { COMMANDS } from './ids';
import { storedRuns, type StoredRun } from './run-store';

export type RunNode = { kind: 'run'; run: StoredRun } | { kind: 'stage'; run: StoredRun; stage: string } | { kind: 'probe'; run: StoredRun; probe: ProbeSummary } | { kind: 'file'; run: StoredRun; label: string; path: string };

/** Runs, their stages and probes, and the files that prove them. */
export class RunsTree implements TreeDataProvider<RunNode> {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  refresh(): void {
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    if (!node) return (await storedRuns()).map((run) => ({ kind: 'run', run }));
    if (node.kind === 'file') return [];
    const { run } = node;
    const { probes } = summariseRun(await readEvents(run.runDir));
    if (node.kind === 'run') {
      const stages = [...new Set(probes.map(({ stage }) => stage))].map((stage): RunNode => ({ kind: 'stage', run, stage }));
      return [...stages, ...['verdict.json', 'events.ndjson', 'plan.lock.json'].map((name): RunNode => ({ kind: 'file', run, label: name, path: join(run.runDir, name) }))];
    }
    if (node.kind === 'stage') return probes.filter(({ stage }) => stage === node.stage).map((probe) => ({ kind: 'probe', run, probe }));
    if (node.probe.state === 'not-run') return [];
    const folder = join(run.runDir, 'raw', ...(node.probe.from ?? node.probe.probeRun).split('/'));
    return ['stdout', 'stderr', 'cmd.json', 'exit.json'].map((name) => ({ kind: 'file', run, label: name, path: join(folder, name) }));
  }

  getTreeItem(node: RunNode): TreeItem {
    switch (node.kind) {
      case 'run':
        return runItem(node.run);
      case 'stage':
        return new TreeItem(node.stage, TreeItemCollapsibleState.Collapsed);
      case 'probe':
        return probeItem(node.probe);
      case 'file': {
        const item = new TreeItem(node.label, TreeItemCollapsibleState.None);
        item.resourceUri = Uri.file(node.path);
        item.command = { command: COMMANDS.openRaw, title: l10n.t('Open'), arguments: [Uri.file(node.path)] };
        item.contextValue = 'file';
        return item;
      }
    }
  }
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
  const state = run.status === 'running' || run.status === 'interrupted' ? run.status : (run.verdict ?? 'inconclusive');
  const item = new TreeItem(run.cardName, TreeItemCollapsibleState.Collapsed);
  item.id = run.runDir;
  item.description = `${state} · ${run.target} · ${new Date(run.startedAt).toLocaleString()}`;
  item.iconPath = icon(state);
  item.contextValue = run.status === 'running' ? 'run.running' : 'run';
  item.tooltip = new MarkdownString().appendText(`${run.cardName} on ${run.target}\n${run.status}, ${run.verdict ?? 'no verdict'}\n${run.runDir}`);
  item.accessibilityInformation = { label: `${run.cardName} on ${run.target}, ${state}` };
  return item;
}

function probeItem(probe: ProbeSummary): TreeItem {
  const item = new TreeItem(probe.entry, TreeItemCollapsibleState.Collapsed);
  const cause = probe.reasons.find(({ severity }) => severity === 'error');
  item.description = cause ? `${probe.state}: ${cause.message}` : probe.state;
  item.iconPath = icon(probe.state);
  item.tooltip = new MarkdownString().appendText(probe.reasons.map(({ message }) => message).join('\n') || probe.state);
  return item;
}
