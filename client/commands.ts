import { commands, type Disposable, type LogOutputChannel, type SecretStorage, type Uri, window, workspace } from 'vscode';
import type { StageId } from '../core/run/events';
import { compareRuns } from './compare-runs';
import { type CommandId, COMMANDS, LANGUAGES, VIEWS } from './ids';
import { importOutput } from './import-output';
import type { LanguageServer } from './language-client';
import { revealCriterion, runCard, runProbe, runStage, selectTarget } from './run-commands';
import { deleteRuns, exportEvidence, openReport, openWorkbench, revealRun } from './evidence-commands';
import { verifyBundleFile } from './verify-bundle';
import type { RunService } from './run-service';
import type { RunStore } from './run-store';
import type { RunNode } from './runs-tree';
import type { Workbench } from './workbench';

export interface CommandServices {
  service: RunService;
  store: RunStore;
  workbench: Workbench;
  server: LanguageServer;
  log: LogOutputChannel;
  secrets: SecretStorage;
}

/** What a menu of the tree, a lens, the page or the palette gives: a node, an address, an id, or nothing. */
export type RunArgument = RunNode | string | undefined;

export function registerCommands(services: CommandServices): Disposable[] {
  const { service, store, workbench, server, log } = services;
  const handlers: Record<CommandId, (...args: never[]) => unknown> = {
    [COMMANDS.runCard]: (uri?: Uri | string) => runCard(services, uri),
    [COMMANDS.runStage]: (uri?: Uri | string, stage?: StageId) => runStage(services, uri, stage),
    [COMMANDS.runProbe]: (uri?: Uri | string) => runProbe(services, uri),
    [COMMANDS.cancelRun]: (runId?: string) => service.cancel(typeof runId === 'string' ? runId : undefined),
    [COMMANDS.selectTarget]: (uri?: Uri | string) => selectTarget(services, uri),
    [COMMANDS.openWorkbench]: (run?: RunArgument) => openWorkbench(services, run),
    [COMMANDS.openWorkbenchView]: () => commands.executeCommand(`${VIEWS.workbench}.focus`),
    [COMMANDS.exportEvidence]: (run?: RunArgument) => exportEvidence(services, run),
    [COMMANDS.openReport]: (run?: RunArgument) => openReport(services, run),
    [COMMANDS.verifyBundle]: (uri?: Uri) => verifyBundleFile(uri),
    [COMMANDS.compareRuns]: (node?: RunNode, selected?: RunNode[]) => compareRuns(services, node, selected),
    [COMMANDS.importOutput]: async () => {
      const imported = await importOutput();
      if (imported) await workbench.showImported(imported);
    },
    [COMMANDS.newBrief]: () => openNew(LANGUAGES.brief),
    [COMMANDS.newCard]: () => openNew(LANGUAGES.card),
    [COMMANDS.refreshRuns]: () => store.notify(),
    [COMMANDS.revealRun]: (node?: RunNode) => revealRun(node),
    [COMMANDS.revealCriterion]: (runId: string, stage: string, criterion: string) => revealCriterion(services, runId, stage, criterion),
    [COMMANDS.deleteRun]: (node?: RunNode, selected?: RunNode[]) => deleteRuns(services, selected ?? (node ? [node] : [])),
    [COMMANDS.openRaw]: (uri: Uri) => commands.executeCommand('vscode.open', uri, { preview: true }),
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

async function openNew(language: (typeof LANGUAGES)[keyof typeof LANGUAGES]): Promise<void> {
  const { BRIEF_TEMPLATE, CARD_TEMPLATE } = await import('./templates');
  await window.showTextDocument(await workspace.openTextDocument({ language, content: language === LANGUAGES.brief ? BRIEF_TEMPLATE : CARD_TEMPLATE }));
}
