/** Everything that the manifest contributes by name. A test compares it with package.json. */
export const COMMANDS = {
  runCard: 'gpuAcceptance.runCard',
  runStage: 'gpuAcceptance.runStage',
  runProbe: 'gpuAcceptance.runProbe',
  cancelRun: 'gpuAcceptance.cancelRun',
  openWorkbench: 'gpuAcceptance.openWorkbench',
  exportEvidence: 'gpuAcceptance.exportEvidence',
  openReport: 'gpuAcceptance.openReport',
  importOutput: 'gpuAcceptance.importOutput',
  newBrief: 'gpuAcceptance.newBrief',
  newCard: 'gpuAcceptance.newCard',
  refreshRuns: 'gpuAcceptance.refreshRuns',
  deleteRun: 'gpuAcceptance.deleteRun',
  openRaw: 'gpuAcceptance.openRaw',
  restartServer: 'gpuAcceptance.restartServer',
  showLog: 'gpuAcceptance.showLog',
} as const;

export const VIEWS = { runs: 'gpuAcceptance.runs', workbench: 'gpuAcceptance.workbench' } as const;
export const PANEL_TYPE = 'gpuAcceptance.workbenchPanel';
export const LANGUAGES = { brief: 'workload-brief', card: 'acceptance-card' } as const;
export const CONFIGURATION = 'gpuAcceptance';
export const CONTEXT_RUNNING = 'gpuAcceptance.running';
