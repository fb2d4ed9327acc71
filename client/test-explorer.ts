import { type CancellationToken, type Disposable, l10n, type TestController, type TestItem, TestRunProfileKind, type TestRunRequest, tests, type TextDocument, type Uri, workspace } from 'vscode';
import type { StageId } from '../core/run/events';
import { CARD_FILES, findCards } from './cards';
import { LANGUAGES } from './ids';
import type { ActiveRun, RunSelection, RunService } from './run-service';
import { TestResults } from './test-results';

/** A card is read again when its writer has paused for so long. */
const TYPING_PAUSE_MS = 300;

/** Cards as tests: card → stages → probes and criteria. A run started anywhere shows its results here. */
export class TestExplorer implements Disposable {
  private readonly controller: TestController;
  private readonly disposables: Disposable[] = [];
  private readonly results = new Map<ActiveRun, TestResults>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  /** What the Test Explorer asked for, until its run has begun. */
  private requested: TestRunRequest | undefined;

  constructor(private readonly service: RunService) {
    this.controller = tests.createTestController('gpuAcceptance', 'GPU Acceptance');
    this.controller.resolveHandler = async (item) => {
      if (!item) await this.discover();
    };
    this.controller.refreshHandler = () => this.discover();
    this.controller.createRunProfile(l10n.t('Run'), TestRunProfileKind.Run, (request, token) => this.runRequested(request, token), true);
    const watcher = workspace.createFileSystemWatcher(CARD_FILES);
    this.disposables.push(
      this.controller,
      watcher,
      watcher.onDidCreate((uri) => this.refresh(uri)),
      watcher.onDidChange((uri) => this.refresh(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      workspace.onDidOpenTextDocument((document) => this.update(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.updateAfterPause(document)),
      service.onEvent(({ run, event }) => (this.results.get(run) ?? this.begin(run)).take(event)),
      service.onEnd(({ run }) => this.end(run)),
    );
    for (const document of workspace.textDocuments) void this.update(document);
  }

  dispose(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async discover(): Promise<void> {
    await Promise.all((await findCards()).map((uri) => this.refresh(uri)));
  }

  private async refresh(uri: Uri): Promise<void> {
    const document = await Promise.resolve(workspace.openTextDocument(uri)).catch(() => undefined);
    if (document) await this.update(document);
    else this.controller.items.delete(uri.toString());
  }

  private updateAfterPause(document: TextDocument): void {
    if (document.languageId !== LANGUAGES.card) return;
    const key = document.uri.toString();
    clearTimeout(this.waiting.get(key));
    const update = (): void => {
      this.waiting.delete(key);
      void this.update(document);
    };
    this.waiting.set(key, setTimeout(update, TYPING_PAUSE_MS));
  }

  private async update(document: TextDocument): Promise<void> {
    if (document.languageId !== LANGUAGES.card) return;
    const { outlineOf } = await import('./card-outline');
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
  private async runRequested(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const items = request.include ?? [...this.controller.items].map(([, item]) => item);
    const first = items[0];
    if (!first?.uri) return;
    const selection = selectionOf(first.uri, items.filter((item) => item.uri?.toString() === first.uri!.toString()));
    const cancel = token.onCancellationRequested(() => this.service.cancel());
    this.requested = request;
    try {
      await this.service.run(selection);
    } finally {
      this.requested = undefined;
      cancel.dispose();
    }
  }

  private begin(run: ActiveRun): TestResults {
    const results = new TestResults(this.controller, run, this.requested, () => this.service.cancel(run.runId));
    this.requested = undefined;
    this.results.set(run, results);
    return results;
  }

  private end(run: ActiveRun): void {
    this.results.get(run)?.end();
    this.results.delete(run);
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
