import { type ExtensionContext, window, workspace } from 'vscode';
import { registerCommands } from './commands';
import { VIEWS } from './ids';
import { LanguageServer } from './language-client';
import { EvidenceFiles, RAW_SCHEME } from './raw-files';
import { RunService } from './run-service';
import { RunStore } from './run-store';
import { RunsTree } from './runs-tree';
import { createStatus } from './status';
import { TestExplorer } from './test-explorer';
import { Workbench } from './workbench';

let onDeactivate: (() => Promise<unknown>) | undefined;

/** Puts the parts together. Everything that is heavy (transport, parsers, report) is loaded with its first use. */
export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('GPU Acceptance', { log: true });
  const store = new RunStore(context);
  const service = new RunService(context, store, log);
  const workbench = new Workbench(context, store);
  const tree = new RunsTree(store);
  const server = new LanguageServer(context, store, log);
  const evidence = new EvidenceFiles();
  // A run is ended on the machine, and its log written, before the window goes.
  onDeactivate = () => Promise.all([server.stop(), service.stop()]);
  context.subscriptions.push(
    log,
    store,
    service,
    tree,
    window.createTreeView(VIEWS.runs, { treeDataProvider: tree, showCollapseAll: true, canSelectMany: true }),
    server,
    evidence,
    workspace.registerFileSystemProvider(RAW_SCHEME, evidence, { isReadonly: true, isCaseSensitive: true }),
    new TestExplorer(service),
    ...workbench.register(),
    ...createStatus(service),
    ...registerCommands({ service, store, workbench, server, log, secrets: context.secrets }),
    service.onEvent(({ run, event }) => {
      if (event.type === 'run-started') workbench.showRun(event.runId);
      if (event.type === 'run-started' || event.type === 'run-ended') store.notify();
      if (event.type === 'run-ended') log.info(`${run.runId}: ${event.status}${event.message === undefined ? '' : `: ${event.message}`}`);
    }),
  );
}

export async function deactivate(): Promise<void> {
  await onDeactivate?.();
}
