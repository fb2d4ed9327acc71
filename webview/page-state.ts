import type { HostMessage, RunListItem } from '../core/messages/workbench';
import { applyEvent, createRunModel, type RunModel } from './run-model';

export interface PageState {
  runs: RunListItem[];
  run?: RunModel;
  batch: number;
  raw?: Extract<HostMessage, { type: 'raw' }>;
  error?: string;
}

export const createPageState = (): PageState => ({ runs: [], batch: 0 });

/** Takes one message in. Returns the run to ask for again when a batch is missing. */
export function receive(state: PageState, message: HostMessage): { resync?: string } {
  switch (message.type) {
    case 'runs':
      state.runs = message.runs;
      if (message.selectedRunId === undefined) delete state.run;
      return {};
    case 'run': {
      const model = createRunModel(message.runId, message.thresholds);
      for (const event of message.events) applyEvent(model, event);
      model.running = message.running;
      model.interrupted = message.interrupted;
      if (message.interrupted) model.status = 'interrupted';
      state.run = model;
      state.batch = message.batch;
      if (state.raw && state.raw.runId !== message.runId) delete state.raw;
      delete state.error;
      return {};
    }
    case 'events': {
      if (state.run?.runId !== message.runId) return {};
      if (message.batch !== state.batch + 1) return { resync: message.runId };
      state.batch = message.batch;
      for (const event of message.events) applyEvent(state.run, event);
      return {};
    }
    case 'raw':
      state.raw = message;
      return {};
    case 'error':
      state.error = message.message;
      return {};
    case 'theme':
      return {};
  }
}
