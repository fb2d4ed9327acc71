import { t } from '@vscode/l10n';
import type { ChartThreshold } from '../core/messages/workbench';
import { byName, formatBytes, formatNumber } from './format';
import type { Measured } from './measured';
import type { RunModel } from './run-model';
import type { Point } from './series';

/** What a chart shows, before anything is drawn. */
export interface ChartPicture {
  id: string;
  title: string;
  unit: string;
  x: 'time' | 'bytes';
  series: readonly PictureSeries[];
  thresholds: readonly PictureThreshold[];
  /** Where the y axis ends unless values lie outside; it starts at 0 without `yMin`. */
  yMin?: number;
  yMax?: number;
}

export interface PictureSeries {
  name: string;
  points: readonly Point[];
  dash: 'solid' | 'dashed' | 'dotted';
}

export interface PictureThreshold {
  label: string;
  value: number;
  /** On which side of the line a value fails; absent when either may. */
  failing?: 'above' | 'below';
  /** The only x at which the criterion judges. */
  at?: number;
}

interface FieldChart {
  tag: string;
  id: string;
  title: string;
  unit: string;
  scale?: number;
  yMin?: number;
  yMax?: number;
}

const MIB_PER_GIB = 1024;
const BYTES_PER_GB = 1e9;

/** Columns of `dcgmi dmon` that have a chart, in order. */
const fieldCharts = (): FieldChart[] => [
  { tag: 'GPUTL', id: 'chart-utilization', title: t('GPU utilisation'), unit: '%', yMax: 100 },
  { tag: 'TMPTR', id: 'chart-temperature', title: t('Temperature'), unit: '°C', yMin: 20, yMax: 60 },
  { tag: 'POWER', id: 'chart-power', title: t('Power'), unit: 'W' },
  { tag: 'SMCLK', id: 'chart-clocks', title: t('SM clock'), unit: 'MHz' },
  { tag: 'MMCLK', id: 'chart-memory-clock', title: t('Memory clock'), unit: 'MHz' },
  { tag: 'MCUTL', id: 'chart-memory-copy', title: t('Memory-copy utilisation'), unit: '%', yMax: 100 },
  { tag: 'FBUSD', id: 'chart-memory-used', title: t('Memory in use'), unit: 'GiB', scale: 1 / MIB_PER_GIB },
  { tag: 'SMACT', id: 'chart-sm-active', title: t('SM active'), unit: '%', scale: 100, yMax: 100 },
  { tag: 'TENSO', id: 'chart-tensor', title: t('Tensor cores active'), unit: '%', scale: 100, yMax: 100 },
  { tag: 'DRAMA', id: 'chart-dram', title: t('Memory interface active'), unit: '%', scale: 100, yMax: 100 },
  { tag: 'NVLTX', id: 'chart-nvlink-sent', title: t('NVLink sent'), unit: 'GB/s', scale: 1 / BYTES_PER_GB },
  { tag: 'NVLRX', id: 'chart-nvlink-received', title: t('NVLink received'), unit: 'GB/s', scale: 1 / BYTES_PER_GB },
];

const latencyCharts = (): { key: string; title: string }[] => [
  { key: 'ttft', title: t('Time to first token') },
  { key: 'itl', title: t('Inter-token latency') },
  { key: 'queue', title: t('Queue time') },
  { key: 'prefill', title: t('Prefill time') },
  { key: 'decode', title: t('Decode time') },
  { key: 'e2e', title: t('End-to-end latency') },
];

const STATS = [
  { stat: 'p50', dash: 'solid' },
  { stat: 'p95', dash: 'dashed' },
  { stat: 'p99', dash: 'dotted' },
] as const;
const SERVERS = ['vllm', 'sglang'] as const;
const MS_PER_S = 1000;
const PERCENT = 100;

/** Every chart of a run that has something to show, in the order of the page. */
export function chartPictures({ measured, thresholds }: Pick<RunModel, 'measured' | 'thresholds'>): ChartPicture[] {
  const pictures = [...gpuPictures(measured), bandwidthPicture(measured, thresholds), ...latencyPictures(measured, thresholds), ...serverPictures(measured)];
  return pictures.filter(({ series }) => series.length > 0);
}

function gpuPictures({ fields }: Measured): ChartPicture[] {
  return fieldCharts().map(({ tag, scale = 1, ...chart }) => {
    const entities = [...(fields.get(tag) ?? [])].sort(([a], [b]) => byName(a, b));
    return { ...chart, x: 'time', thresholds: [], series: entities.map(([name, points]) => ({ name, points: scaled(points, scale), dash: 'solid' })) };
  });
}

function bandwidthPicture({ bandwidth }: Measured, thresholds: readonly ChartThreshold[]): ChartPicture {
  const series = [...bandwidth].map(([name, points]): PictureSeries => ({
    name,
    points: points.filter(({ x }) => x > 0).sort((a, b) => a.x - b.x),
    dash: name.endsWith('in place') ? 'dashed' : 'solid',
  }));
  const lines = thresholds.filter(({ metric }) => metric === 'nccl.busbw').map((threshold) => {
    const at = Number(threshold.labels['sizeBytes']);
    const line = pictureThreshold(threshold, 1, 'GB/s');
    return Number.isFinite(at) ? { ...line, at, label: t('{0} at {1}', line.label, formatBytes(at)) } : line;
  });
  return { id: 'chart-bandwidth', title: t('Bus bandwidth by message size'), unit: 'GB/s', x: 'bytes', series: series.filter(({ points }) => points.length > 0), thresholds: lines };
}

function latencyPictures({ serving }: Measured, thresholds: readonly ChartThreshold[]): ChartPicture[] {
  return latencyCharts().map(({ key, title }) => {
    const series = STATS.flatMap(({ stat, dash }) =>
      ['', ' at least'].flatMap((bound) => serversOf(serving, `.${key} ${stat}${bound}`).map(({ prefix, points }): PictureSeries => ({ name: `${prefix}${stat}${bound}`, points: scaled(points, MS_PER_S), dash }))),
    );
    const lines = thresholds
      .filter(({ metric }) => SERVERS.some((server) => metric === `${server}.${key}`))
      .map((threshold) => pictureThreshold(threshold, threshold.unit === 'ms' ? 1 : MS_PER_S, 'ms'));
    return { id: `chart-${key}`, title, unit: 'ms', x: 'time', series, thresholds: lines };
  });
}

function serverPictures({ serving }: Measured): ChartPicture[] {
  const lines = (names: readonly [metric: string, name: string][], scale = 1): PictureSeries[] =>
    names.flatMap(([metric, name]) => serversOf(serving, `.${metric}`).map(({ prefix, points }) => ({ name: `${prefix}${name}`, points: scaled(points, scale), dash: 'solid' })));
  const chart = { x: 'time', thresholds: [] } as const;
  return [
    { ...chart, id: 'chart-cache', title: t('KV cache in use'), unit: '%', yMax: PERCENT, series: lines([['kv_cache_usage', t('KV cache')]], PERCENT) },
    { ...chart, id: 'chart-preemptions', title: t('Preemptions'), unit: t('per scrape'), yMax: 1, series: lines([['preemptions', t('preemptions')]]) },
    { ...chart, id: 'chart-requests', title: t('Requests'), unit: t('at once'), series: lines([['running', t('running')], ['waiting', t('waiting')]]) },
  ];
}

/** The series of each server that reports it; the server is named only where there are two. */
function serversOf(serving: Measured['serving'], suffix: string): { prefix: string; points: readonly Point[] }[] {
  const found = SERVERS.flatMap((server) => {
    const points = serving.get(`${server}${suffix}`);
    return points ? [{ server, points }] : [];
  });
  return found.map(({ server, points }) => ({ prefix: found.length > 1 ? `${server} ` : '', points }));
}

const SIGNS: Record<string, string> = { '>=': '≥', '<=': '≤', '==': '=', '!=': '≠' };

function pictureThreshold({ comparator, value, labels }: ChartThreshold, scale: number, unit: string): PictureThreshold {
  const stat = labels['stat'] === undefined ? '' : `${labels['stat']} `;
  const failing = comparator.startsWith('>') ? 'below' : comparator.startsWith('<') ? 'above' : undefined;
  return { label: `${stat}${SIGNS[comparator] ?? comparator} ${formatNumber(value * scale)} ${unit}`, value: value * scale, ...(failing ? { failing } : {}) };
}

const scaled = (points: readonly Point[], factor: number): readonly Point[] => (factor === 1 ? points : points.map(({ x, y }) => ({ x, y: y * factor })));
