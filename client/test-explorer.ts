import type { Uri} from 'vscode';
import { type Disposable, l10n, Location, type TestController, type TestItem, TestMessage, type TestRun, TestRunProfileKind, TestRunRequest, tests, type TextDocument, workspace } from 'vscode';
import type { RunEvent, StageId } from '../core/run/events';
import type { CriterionVerdict } from '../core/verdict/contract';
import { findCards, outlineOf } from './card-outline';
import { LANGUAGES } from './ids';
import type { ActiveRun, RunSelection, RunService } from './run-service';

/** Cards as tests: card → stages → probes and criteria. A run started anywhere shows its results here. */
export class TestExplorer implements Disposable {
  private readonly controller: TestController;
  private readonly disposables: Disposable[] = [];
  private readonly runs = new Map<ActiveRun, TestRun>();

  constructor(private readonly service: RunService) {
    this.controller = tests.createTestController('gpuAcceptance', 'GPU Acceptance');
    this.controller.resolveHandler = async (item) => {
      if (!item) await this.discover();
    };
    this.controller.createRunProfile(l10n.t('Run'), TestRunProfileKind.Run, (request, token) => this.runRequested(request, token), true);
    const watcher = workspace.createFileSystemWatcher('**/*.acceptance.{yaml,yml}');
    this.disposables.push(
      this.controller,
      watcher,
      watcher.onDidCreate((uri) => this.refresh(uri)),
      watcher.onDidChange((uri) => this.refresh(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      workspace.onDidOpenTextDocument((document) => this.update(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.update(document)),
      service.onEvent(({ run, event }) => this.onEvent(run, event)),
      service.onEnd(({ run }) => this.end(run)),
    );
    for (const document of workspace.textDocuments) this.update(document);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async discover(): Promise<void> {
    await Promise.all((await findCards()).map((uri) => this.refresh(uri)));
  }

  private async refresh(uri: Uri): Promise<void> {
    try {
      this.update(await workspace.openTextDocument(uri));
    } catch {
      this.controller.items.delete(uri.toString());
    }
  }

  private update(document: TextDocument): void {
    if (document.languageId !== LANGUAGES.card) return;
    const outline = outlineOf(document);
    if (!outline) return;
    const { uri } = document;
    const card = this.item(uri.toString(), outline.name, uri);
    card.children.replace(
      outline.stages.map(({ stage, range, probes, criteria }) => {
        const item = this.item(`${uri.toString()}#${stage}`, stage, uri, range);
        item.children.replace([
          ...probes.map(({ name, range: at }) => this.item(`${uri.toString()}#${stage}/probe/${name}`, name, uri, at, l10n.t('probe'))),
          ...criteria.map(({ name, range: at }) => this.item(`${uri.toString()}#${stage}/criterion/${name}`, name, uri, at, l10n.t('criterion'))),
        ]);
        return item;
      }),
    );
    this.controller.items.add(card);
  }

  private item(id: string, label: string, uri: Uri, range?: TestItem['range'], description?: string): TestItem {
    const item = this.controller.createTestItem(id, label, uri);
    item.range = range;
    if (description !== undefined) item.description = description;
    return item;
  }

  /** Several chosen items of one card become one run; criteria are judged with their whole stage. */
  private async runRequested(request: TestRunRequest, token: { onCancellationRequested: (listener: () => void) => Disposable }): Promise<void> {
    const items = request.include ?? [...this.controller.items].map(([, item]) => item);
    const first = items[0];
    if (!first?.uri) return;
    const selection = selectionOf(first.uri, items.filter((item) => item.uri?.toString() === first.uri!.toString()));
    const cancel = token.onCancellationRequested(() => this.service.cancel());
    try {
      await this.service.run(selection);
    } finally {
      cancel.dispose();
    }
  }

  private onEvent(run: ActiveRun, event: RunEvent): void {
    const testRun = this.runs.get(run) ?? this.begin(run);
    const card = run.selection.card.toString();
    switch (event.type) {
      case 'stage-started':
        this.with(`${card}#${event.stage}`, (item) => testRun.started(item));
        break;
      case 'probe-started':
        this.with(`${card}#${event.stage}/probe/${event.entry}`, (item) => testRun.started(item));
        testRun.appendOutput(`${event.stage} ${event.entry}: ${event.command?.join(' ') ?? `reads ${event.from}`}\r\n`);
        break;
      case 'probe-ended': {
        const [stage, entry] = event.probeRun.split('/');
        const reasons = event.reasons.map(({ message }) => message).join('\n');
        testRun.appendOutput(`${stage} ${entry}: ${event.outcome} ${reasons.replaceAll('\n', '\r\n')}\r\n`);
        this.with(`${card}#${stage}/probe/${entry}`, (item) => {
          if (event.outcome === 'measured') testRun.passed(item, event.durationMs);
          else if (event.outcome === 'failed') testRun.failed(item, new TestMessage(reasons), event.durationMs);
          else testRun.errored(item, new TestMessage(reasons), event.durationMs);
        });
        break;
      }
      case 'probe-not-run':
        this.with(`${card}#${event.stage}/probe/${event.entry}`, (item) => testRun.errored(item, new TestMessage(l10n.t('Not run: {0}', event.reason.message))));
        break;
      case 'verdict':
        for (const criterion of event.verdict.criteria) this.judged(testRun, card, criterion);
        testRun.appendOutput(`${event.verdict.summary.replaceAll('\n', '\r\n')}\r\n`);
        break;
    }
  }

  private begin(run: ActiveRun): TestRun {
    const card = this.controller.items.get(run.selection.card.toString());
    const testRun = this.controller.createTestRun(new TestRunRequest(card ? [card] : undefined), l10n.t('Acceptance run'), true);
    testRun.token.onCancellationRequested(() => this.service.cancel());
    this.runs.set(run, testRun);
    return testRun;
  }

  private end(run: ActiveRun): void {
    this.runs.get(run)?.end();
    this.runs.delete(run);
  }

  private judged(testRun: TestRun, card: string, criterion: CriterionVerdict): void {
    this.with(`${card}#${criterion.stage}/criterion/${criterion.id}`, (item) => {
      if (criterion.state === 'pass') return testRun.passed(item);
      const message = TestMessage.diff(criterion.reason, criterion.expected, criterion.measured ?? l10n.t('nothing'));
      if (item.uri && item.range) message.location = new Location(item.uri, item.range);
      if (criterion.state === 'fail') return testRun.failed(item, message);
      return testRun.errored(item, message);
    });
  }

  private with(id: string, action: (item: TestItem) => void): void {
    const [card] = id.split('#');
    const root = this.controller.items.get(card!);
    const stage = root?.children.get(id) ?? root?.children.get(id.slice(0, id.indexOf('/', card!.length)));
    const item = stage?.id === id ? stage : stage?.children.get(id);
    if (item) action(item);
  }
}

/** `…#stage`, `…#stage/probe/name`, `…#stage/criterion/name`. */
export function selectionOf(card: Uri, items: readonly { id: string }[]): RunSelection {
  const parts = items.map(({ id }) => id.split('#')[1]?.split('/') ?? []);
  if (parts.some(([stage]) => stage === undefined)) return { card };
  const stages = [...new Set(parts.map(([stage]) => stage as StageId))];
  const entries = parts.every(([, kind]) => kind === 'probe') ? parts.map(([, , name]) => name!) : undefined;
  return { card, stages, ...(entries ? { entries } : {}) };
}

