/** Everything that the manifest contributes by name. A test compares it with package.json. */
export const COMMANDS = {
  runCard: 'gpuAcceptance.runCard',
  runStage: 'gpuAcceptance.runStage',
  runProbe: 'gpuAcceptance.runProbe',
  cancelRun: 'gpuAcceptance.cancelRun',
  selectTarget: 'gpuAcceptance.selectTarget',
  openWorkbench: 'gpuAcceptance.openWorkbench',
  openWorkbenchView: 'gpuAcceptance.openWorkbenchView',
  exportEvidence: 'gpuAcceptance.exportEvidence',
  openReport: 'gpuAcceptance.openReport',
  verifyBundle: 'gpuAcceptance.verifyBundle',
  compareRuns: 'gpuAcceptance.compareRuns',
  importOutput: 'gpuAcceptance.importOutput',
  newBrief: 'gpuAcceptance.newBrief',
  newCard: 'gpuAcceptance.newCard',
  refreshRuns: 'gpuAcceptance.refreshRuns',
  revealRun: 'gpuAcceptance.revealRun',
  revealCriterion: 'gpuAcceptance.revealCriterion',
  deleteRun: 'gpuAcceptance.deleteRun',
  openRaw: 'gpuAcceptance.openRaw',
  restartServer: 'gpuAcceptance.restartServer',
  showLog: 'gpuAcceptance.showLog',
} as const;

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Called with an argument by a view, a lens or the page; not listed in the palette. */
export const INTERNAL_COMMANDS: readonly CommandId[] = [COMMANDS.openRaw, COMMANDS.deleteRun, COMMANDS.revealRun, COMMANDS.revealCriterion];

/** They reach a machine. */
export const RUNNING_COMMANDS: readonly CommandId[] = [COMMANDS.runCard, COMMANDS.runStage, COMMANDS.runProbe];

export const VIEWS = { runs: 'gpuAcceptance.runs', workbench: 'gpuAcceptance.workbench' } as const;
export const PANEL_TYPE = 'gpuAcceptance.workbenchPanel';
export const LANGUAGES = { brief: 'workload-brief', card: 'acceptance-card' } as const;
export const CONFIGURATION = 'gpuAcceptance';
export const CONTEXT_RUNNING = 'gpuAcceptance.running';
