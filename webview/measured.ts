import type { Measurement } from './message-types';
import { downSample, type Point } from './series';

/** Measurements sorted into what is drawn from them. */
export interface Measured {
  /** DCGM tag → entity (`GPU 3`) → points over seconds. */
  fields: Map<string, Map<string, Point[]>>;
  /** Metric and statistic (`vllm.ttft p95`) → points over seconds. */
  serving: Map<string, Point[]>;
  /** Collective, type and operation where the tool says them, and place → points over message size in bytes, GB/s. */
  bandwidth: Map<string, Point[]>;
  /** Which probe run a name of `bandwidth` belongs to; another one that measures the same gets a name of its own. */
  bandwidthOwners: Map<string, string>;
  /** `GPU0|GPU1` → `NV18`. */
  links: Map<string, string>;
  endpoints: Set<string>;
}

export const createMeasured = (): Measured => ({ fields: new Map(), serving: new Map(), bandwidth: new Map(), bandwidthOwners: new Map(), links: new Map(), endpoints: new Set() });

export const hasCharts = ({ fields, serving, bandwidth }: Measured): boolean => fields.size + serving.size + bandwidth.size > 0;

/** Takes one value of a probe run in; `seconds` is its place on the time axis. Values that no picture shows are left out. */
export function addMeasurement(measured: Measured, { metric, value, labels = {} }: Measurement, seconds: number, probeRun = ''): void {
  if (typeof value !== 'number') {
    if (metric === 'topology.link') addLink(measured, labels, value);
  } else if (metric === 'dcgm.field') {
    push(nested(measured.fields, labels['tag'] ?? ''), labels['entity'] ?? '', { x: seconds, y: value });
  } else if (metric === 'nccl.busbw') {
    push(measured.bandwidth, bandwidthKey(measured, labels, probeRun), { x: Number(labels['sizeBytes']), y: value });
  } else if (labels['scrape'] !== undefined) {
    push(measured.serving, servingKey(metric, labels), { x: seconds, y: value });
  }
}

/** Two probes that run the same collective are two lines. */
function bandwidthKey({ bandwidthOwners }: Measured, { collective = 'collective', type, redop, place }: Record<string, string>, probeRun: string): string {
  const words = [collective, type, redop].filter((part) => part !== undefined).join(' ');
  const key = `${words}, ${place === 'in' ? 'in place' : 'out of place'}`;
  const owner = bandwidthOwners.get(key) ?? probeRun;
  bandwidthOwners.set(key, owner);
  return owner === probeRun ? key : `${key}, ${probeRun}`;
}

/** A quantile in a histogram's last bucket is only known to be at least its lower bound: a line of its own. */
function servingKey(metric: string, { stat, bound, reason }: Record<string, string>): string {
  return [metric, stat ?? reason, bound === 'lower' ? 'at least' : undefined].filter((part) => part !== undefined).join(' ');
}

function addLink(measured: Measured, { from, to }: Record<string, string>, value: string): void {
  if (from === undefined || to === undefined) return;
  measured.links.set(`${from}|${to}`, value);
  measured.endpoints.add(from).add(to);
}

function nested(map: Map<string, Map<string, Point[]>>, key: string): Map<string, Point[]> {
  let inner = map.get(key);
  if (!inner) map.set(key, (inner = new Map<string, Point[]>()));
  return inner;
}

/** Above this a series is thinned; its extremes stay. */
const MOST_POINTS = 8_000;

function push(series: Map<string, Point[]>, key: string, point: Point): void {
  const points = series.get(key);
  if (!points) series.set(key, [point]);
  else if (points.push(point) > MOST_POINTS) series.set(key, downSample(points, MOST_POINTS / 4));
}
