import type { ChartThreshold } from '../core/messages/workbench';
import type { Measurement, RunEvent } from './message-types';

export interface Point {
  x: number;
  y: number;
}

export interface ProbeState {
  probeRun: string;
  stage: string;
  entry: string;
  probe: string;
  command?: string;
  state: 'running' | 'measured' | 'failed' | 'inconclusive' | 'not-run';
  reasons: { severity: string; message: string; code: string; line?: number }[];
  durationMs?: number;
  hasRaw: boolean;
}

type Verdict = Extract<RunEvent, { type: 'verdict' }>['verdict'];

/** Everything that the page shows of a run, made from its events alone. */
export interface RunModel {
  runId: string;
  cardName: string;
  target: string;
  startedAt: string;
  elapsedMs: number;
  running: boolean;
  interrupted: boolean;
  status: string;
  message?: string;
  stage?: string;
  probes: ProbeState[];
  /** DCGM tag → GPU → seconds since the start and value. */
  fields: Map<string, Map<string, Point[]>>;
  /** Metric and statistic (`vllm.ttft p95`) → points. */
  serving: Map<string, Point[]>;
  /** Collective and place → message size and GB/s. */
  bandwidth: Map<string, Point[]>;
  links: Map<string, string>;
  endpoints: Set<string>;
  verdict?: Verdict;
  thresholds: ChartThreshold[];
}

export function createRunModel(runId: string, thresholds: ChartThreshold[]): RunModel {
  return {
    runId,
    cardName: '',
    target: '',
    startedAt: '',
    elapsedMs: 0,
    running: false,
    interrupted: false,
    status: 'running',
    probes: [],
    fields: new Map(),
    serving: new Map(),
    bandwidth: new Map(),
    links: new Map(),
    endpoints: new Set(),
    thresholds,
  };
}

export function applyEvent(model: RunModel, event: RunEvent): void {
  model.elapsedMs = event.elapsedMs;
  switch (event.type) {
    case 'run-started':
      Object.assign(model, { cardName: event.cardName, target: event.target, startedAt: event.time });
      break;
    case 'stage-started':
      model.stage = event.stage;
      break;
    case 'probe-started': {
      const { probeRun, stage, entry, probe, command, from } = event;
      model.probes.push({ probeRun, stage, entry, probe, command: command?.join(' ') ?? `reads the output of ${from}`, state: 'running', reasons: [], hasRaw: true });
      break;
    }
    case 'probe-not-run': {
      const { stage, entry, probe, reason } = event;
      model.probes.push({ probeRun: `${stage}/${entry}`, stage, entry, probe, state: 'not-run', reasons: [reason], hasRaw: false });
      break;
    }
    case 'probe-ended': {
      const probe = model.probes.find(({ probeRun }) => probeRun === event.probeRun);
      if (probe) Object.assign(probe, { state: event.outcome, reasons: event.reasons, durationMs: event.durationMs });
      break;
    }
    case 'measurements':
      for (const measurement of event.measurements) applyMeasurement(model, measurement, event.elapsedMs / 1000);
      break;
    case 'verdict':
      model.verdict = event.verdict;
      break;
    case 'run-ended':
      model.status = event.status;
      if (event.message !== undefined) model.message = event.message;
      break;
  }
}

function applyMeasurement(model: RunModel, { metric, value, labels = {} }: Measurement, seconds: number): void {
  if (metric === 'topology.link' && typeof value === 'string') return addLink(model, labels, value);
  if (typeof value !== 'number') return;
  if (metric === 'dcgm.field') push(nested(model.fields, labels['tag'] ?? ''), labels['entity'] ?? '', { x: seconds, y: value });
  else if (metric === 'nccl.busbw') push(model.bandwidth, `${labels['collective'] ?? 'collective'}, ${labels['place'] === 'in' ? 'in place' : 'out of place'}`, { x: Number(labels['sizeBytes']), y: value });
  else if (labels['scrape'] !== undefined) push(model.serving, labels['stat'] === undefined ? metric : `${metric} ${labels['stat']}`, { x: seconds, y: value });
}

function addLink(model: RunModel, { from, to }: Record<string, string>, value: string): void {
  if (from === undefined || to === undefined) return;
  model.links.set(`${from}|${to}`, value);
  model.endpoints.add(from).add(to);
}

function nested<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let inner = map.get(key);
  if (!inner) map.set(key, (inner = new Map<string, V>()));
  return inner;
}

/** Above this a series is thinned; its extremes stay, so that a short spike is still seen. */
const MOST_POINTS = 8_000;

function push(series: Map<string, Point[]>, key: string, point: Point): void {
  const points = series.get(key);
  if (!points) series.set(key, [point]);
  else if (points.push(point) > MOST_POINTS) series.set(key, downSample(points, MOST_POINTS / 4));
}

/** Smallest and largest value of each of `buckets` groups, in order of time. */
export function downSample(points: readonly Point[], buckets: number): Point[] {
  if (points.length <= buckets * 2) return [...points];
  const size = points.length / buckets;
  const kept: Point[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const group = points.slice(Math.floor(bucket * size), Math.floor((bucket + 1) * size));
    if (group.length === 0) continue;
    const low = group.reduce((a, b) => (b.y < a.y ? b : a));
    const high = group.reduce((a, b) => (b.y > a.y ? b : a));
    kept.push(...(low === high ? [low] : low.x <= high.x ? [low, high] : [high, low]));
  }
  return kept;
}
