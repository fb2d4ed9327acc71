import { type CancellationToken, type Disposable, l10n, type TestController, type TestItem, TestRunProfileKind, type TestRunRequest, tests, type TextDocument, type Uri, workspace } from 'vscode';
import { CARD_FILES, findCards } from './cards';
import { LANGUAGES } from './ids';
import type { ActiveRun, RunService } from './run-service';
import { TestResults } from './test-results';
import { selectionsOf } from './test-selection';

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

  /** One card after the other: two runs on one machine would spoil each other's numbers. */
  private async runRequested(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const cancel = token.onCancellationRequested(() => this.service.cancel());
    try {
      for (const selection of selectionsOf(request, this.controller.items)) {
        if (token.isCancellationRequested) break;
        this.requested = request;
        await this.service.run(selection);
      }
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
