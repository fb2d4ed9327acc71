import type { ChartThreshold } from '../core/messages/workbench';
import type { Capabilities, ImportedOutput, Reason, RunEvent, Verdict } from './message-types';
import { addMeasurement, createMeasured, type Measured } from './measured';

export interface ProbeState {
  probeRun: string;
  stage: string;
  entry: string;
  probe: string;
  command?: string;
  /** The probe run whose output this one reads. */
  from?: string;
  state: 'running' | 'measured' | 'failed' | 'inconclusive' | 'not-run';
  reasons: readonly Reason[];
  invasive: boolean;
  /** Absent for a probe that was not run. */
  startedMs?: number;
  durationMs?: number;
  end?: ProbeEnd;
}

export interface ProbeEnd {
  exitCode: number | null;
  signal?: string;
  cut?: string;
  remoteProcesses: string;
  redactions: number;
  stdoutBytes: number;
  stderrBytes: number;
}

/** Everything that the page shows of a run, made from its events alone. */
export interface RunModel {
  runId: string;
  cardName: string;
  target: string;
  startedAt: string;
  elapsedMs: number;
  running: boolean;
  interrupted: boolean;
  cancelRequested: boolean;
  /** How the run ended; absent without an end in its log. */
  status?: string;
  message?: string;
  stages: readonly string[];
  stage?: string;
  probes: ProbeState[];
  measured: Measured;
  capabilities?: Capabilities;
  transport?: string;
  hostKeyFingerprint?: string;
  planSha256?: string;
  cardSha256?: string;
  toolVersion: string;
  verdict?: Verdict;
  thresholds: readonly ChartThreshold[];
  /** Set for output that was imported: there was no run. */
  imported?: ImportedOutput;
}

export function createRunModel(runId: string, thresholds: readonly ChartThreshold[]): RunModel {
  return { runId, cardName: '', target: '', startedAt: '', elapsedMs: 0, running: false, interrupted: false, cancelRequested: false, stages: [], probes: [], measured: createMeasured(), toolVersion: '', thresholds };
}

/** Imported output is drawn like a run's; its samples are counted instead of timed. */
export function modelOfImport(imported: ImportedOutput): RunModel {
  const model = createRunModel('', []);
  model.imported = imported;
  for (const measurement of imported.result.measurements) {
    addMeasurement(model.measured, measurement, Number(measurement.labels?.['sample'] ?? measurement.labels?.['scrape'] ?? 0));
  }
  return model;
}

export function applyEvent(model: RunModel, event: RunEvent): void {
  model.elapsedMs = event.elapsedMs;
  switch (event.type) {
    case 'run-started': {
      const { cardName, target, stages, toolVersion, card } = event;
      Object.assign(model, { cardName, target, stages, toolVersion, startedAt: event.time, cardSha256: card.sha256 });
      break;
    }
    case 'host-connected':
      model.transport = event.transport;
      if (event.hostKeyFingerprint !== undefined) model.hostKeyFingerprint = event.hostKeyFingerprint;
      break;
    case 'capabilities':
      model.capabilities = event.capabilities;
      break;
    case 'plan-locked':
      model.planSha256 = event.planSha256;
      break;
    case 'stage-started':
      model.stage = event.stage;
      break;
    case 'stage-ended':
      delete model.stage;
      break;
    case 'measurements':
      for (const measurement of event.measurements) addMeasurement(model.measured, measurement, event.elapsedMs / 1000, event.probeRun);
      break;
    case 'cancel-requested':
      model.cancelRequested = true;
      break;
    case 'connection-lost':
      model.message = event.message;
      break;
    case 'verdict':
      model.verdict = event.verdict;
      break;
    case 'run-ended':
      model.status = event.status;
      model.running = false;
      if (event.message !== undefined) model.message = event.message;
      break;
    default:
      applyToProbes(model, event);
  }
}

function applyToProbes(model: RunModel, event: RunEvent): void {
  if (event.type === 'probe-started') {
    const { probeRun, stage, entry, probe, command, from, invasive } = event;
    model.probes.push({ probeRun, stage, entry, probe, invasive, state: 'running', reasons: [], startedMs: event.elapsedMs, ...(command ? { command: command.join(' ') } : {}), ...(from === undefined ? {} : { from }) });
  } else if (event.type === 'probe-not-run') {
    const { stage, entry, probe, reason } = event;
    model.probes.push({ probeRun: `${stage}/${entry}`, stage, entry, probe, invasive: false, state: 'not-run', reasons: [reason] });
  } else if (event.type === 'probe-ended') {
    const probe = model.probes.find(({ probeRun }) => probeRun === event.probeRun);
    if (!probe) return;
    const { exitCode, signal, cut, remoteProcesses, redactions, stdout, stderr } = event;
    probe.end = { exitCode, remoteProcesses, redactions, stdoutBytes: stdout.bytes, stderrBytes: stderr.bytes, ...(signal === undefined ? {} : { signal }), ...(cut === undefined ? {} : { cut }) };
    Object.assign(probe, { state: event.outcome, reasons: event.reasons, durationMs: event.durationMs });
  }
}
