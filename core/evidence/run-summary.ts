import type { HostCapabilities, ProbeOutcome, Reason } from '../probes/contract';
import type { HashedFile, Provability, RunEvent, RunStatus, StageId } from '../run/events';
import type { CardVerdict } from '../verdict/contract';

export interface ProbeSummary {
  probeRun: string;
  stage: StageId;
  entry: string;
  probe: string;
  command?: string[];
  from?: string;
  invasive: boolean;
  /** `running`: the log ends before the probe did. */
  state: ProbeOutcome | 'not-run' | 'running';
  reasons: Reason[];
  exitCode?: number | null;
  cut?: string;
  durationMs?: number;
  remoteProcesses?: string;
  redactions: number;
}

/** What a reader wants to know of a run, from its event log alone. */
export interface RunSummary {
  runId: string;
  cardName: string;
  target: string;
  toolVersion: string;
  card?: HashedFile;
  brief?: HashedFile;
  stages: StageId[];
  startedAt?: string;
  endedAt?: string;
  durationMs: number;
  /** `interrupted`: the log has no end. */
  status: RunStatus | 'interrupted';
  message?: string;
  transport?: string;
  hostKeyFingerprint?: string;
  planSha256?: string;
  capabilities?: HostCapabilities;
  provability: Provability[];
  probes: ProbeSummary[];
  verdict?: CardVerdict;
}

export function summariseRun(events: readonly RunEvent[]): RunSummary {
  const summary: RunSummary = {
    runId: '',
    cardName: '',
    target: '',
    toolVersion: '',
    stages: [],
    durationMs: events.at(-1)?.elapsedMs ?? 0,
    status: 'interrupted',
    provability: [],
    probes: [],
  };
  const probes = new Map<string, ProbeSummary>();
  for (const event of events) apply(summary, probes, event);
  summary.probes = [...probes.values()];
  return summary;
}

function apply(summary: RunSummary, probes: Map<string, ProbeSummary>, event: RunEvent): void {
  switch (event.type) {
    case 'run-started': {
      const { runId, cardName, target, toolVersion, card, brief, stages } = event;
      Object.assign(summary, { runId, cardName, target, toolVersion, card, stages, startedAt: event.time, ...(brief ? { brief } : {}) });
      break;
    }
    case 'host-connected':
      summary.transport = event.transport;
      if (event.hostKeyFingerprint !== undefined) summary.hostKeyFingerprint = event.hostKeyFingerprint;
      break;
    case 'capabilities':
      summary.capabilities = event.capabilities;
      summary.provability = event.provability;
      break;
    case 'plan-locked':
      summary.planSha256 = event.planSha256;
      break;
    case 'verdict':
      summary.verdict = event.verdict;
      break;
    case 'run-ended':
      summary.status = event.status;
      summary.endedAt = event.time;
      if (event.message !== undefined) summary.message = event.message;
      break;
    default:
      applyToProbes(probes, event);
  }
}

function applyToProbes(probes: Map<string, ProbeSummary>, event: RunEvent): void {
  if (event.type === 'probe-started') {
    const { probeRun, stage, entry, probe, command, from, invasive } = event;
    const optional = { ...(command ? { command } : {}), ...(from ? { from } : {}) };
    probes.set(probeRun, { probeRun, stage, entry, probe, invasive, state: 'running', reasons: [], redactions: 0, ...optional });
  } else if (event.type === 'probe-not-run') {
    const { stage, entry, probe, reason } = event;
    const probeRun = `${stage}/${entry}`;
    probes.set(probeRun, { probeRun, stage, entry, probe, invasive: false, state: 'not-run', reasons: [reason], redactions: 0 });
  } else if (event.type === 'probe-ended') {
    const known = probes.get(event.probeRun);
    if (!known) return;
    const { outcome, reasons, exitCode, cut, durationMs, remoteProcesses, redactions } = event;
    Object.assign(known, { state: outcome, reasons, exitCode, durationMs, remoteProcesses, redactions, ...(cut ? { cut } : {}) });
  }
}
