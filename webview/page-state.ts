import type { HostMessage, RawPage, RunListItem } from '../core/messages/workbench';
import { applyEvent, createRunModel, modelOfImport, type RunModel } from './run-model';

export interface PageState {
  runs: RunListItem[];
  run?: RunModel;
  batch: number;
  raw?: RawPage;
  error?: string;
}

export const createPageState = (): PageState => ({ runs: [], batch: 0 });

/** Takes one message in. Returns the run to ask for again when a batch is missing. */
export function receive(state: PageState, message: HostMessage): { resync?: string } {
  switch (message.type) {
    case 'runs':
      state.runs = message.runs;
      if (message.selectedRunId === undefined && !state.run?.imported) delete state.run;
      break;
    case 'run':
      showRun(state, message);
      break;
    case 'events':
      if (state.run?.runId !== message.runId) break;
      if (message.batch !== state.batch + 1) return { resync: message.runId };
      state.batch = message.batch;
      for (const event of message.events) applyEvent(state.run, event);
      break;
    case 'status':
      if (state.run?.runId === message.runId) Object.assign(state.run, { running: message.running, interrupted: message.interrupted });
      break;
    case 'imported':
      state.run = modelOfImport(message);
      delete state.raw;
      delete state.error;
      break;
    case 'raw':
      if (state.run?.runId === message.runId) state.raw = message;
      break;
    case 'error':
      state.error = message.message;
      break;
    case 'theme':
      break;
  }
  return {};
}

function showRun(state: PageState, { runId, thresholds, events, running, interrupted, batch }: Extract<HostMessage, { type: 'run' }>): void {
  const model = createRunModel(runId, thresholds);
  model.running = running;
  model.interrupted = interrupted;
  for (const event of events) applyEvent(model, event);
  state.run = model;
  state.batch = batch;
  if (state.raw && state.raw.runId !== runId) delete state.raw;
  delete state.error;
}
