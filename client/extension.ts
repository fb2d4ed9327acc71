import { type ExtensionContext, window } from 'vscode';
import { registerCommands } from './commands';
import { VIEWS } from './ids';
import { LanguageServer } from './language-client';
import { RunService } from './run-service';
import { RunsTree } from './runs-tree';
import { createStatus } from './status';
import { TestExplorer } from './test-explorer';
import { Workbench } from './workbench';

let server: LanguageServer | undefined;

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('GPU Acceptance', { log: true });
  const service = new RunService(context, log);
  const workbench = new Workbench(context);
  const tree = new RunsTree();
  const view = window.createTreeView(VIEWS.runs, { treeDataProvider: tree, showCollapseAll: true });
  server = new LanguageServer(context, log);
  context.subscriptions.push(
    log,
    service,
    tree,
    view,
    server,
    new TestExplorer(service),
    ...workbench.register(),
    ...createStatus(service),
    ...registerCommands({ service, workbench, tree, server, log }),
    service.onEvent(({ run, event }) => {
      if (event.type === 'run-started') void workbench.showRun(event.runId);
      if (event.type === 'run-started' || event.type === 'probe-ended' || event.type === 'run-ended') tree.refresh();
      if (event.type === 'run-ended') log.info(`${run.runId}: ${event.status}`);
    }),
  );
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
