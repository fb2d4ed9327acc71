import type { ChartThreshold } from '../core/messages/workbench';
import { LineChart, type Series } from './chart';
import { h } from './dom';
import type { Point, RunModel } from './run-model';

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function formatBytes(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${SIZES[power]}`;
}

const FIELD_CHARTS = [
  { tag: 'GPUTL', id: 'chart-utilization', title: 'GPU utilisation', unit: '%' },
  { tag: 'TMPTR', id: 'chart-temperature', title: 'Temperature', unit: '°C' },
  { tag: 'POWER', id: 'chart-power', title: 'Power', unit: 'W' },
  { tag: 'SMCLK', id: 'chart-clocks', title: 'SM clock', unit: 'MHz' },
] as const;

const LATENCIES = [
  { key: 'ttft', title: 'Time to first token' },
  { key: 'itl', title: 'Inter-token latency' },
  { key: 'queue', title: 'Queue time' },
  { key: 'prefill', title: 'Prefill time' },
  { key: 'decode', title: 'Decode time' },
  { key: 'e2e', title: 'End-to-end latency' },
] as const;

const STATS = ['p50', 'p95', 'p99'];
const MS = 1000;

/** All charts of a run, in one grid. A chart without data is not shown. */
export class ChartBoard {
  readonly element = h('div', { class: 'charts', 'data-testid': 'charts' });
  private readonly charts = new Map<string, LineChart>();

  update(run: RunModel): void {
    for (const { tag, id, title, unit } of FIELD_CHARTS) {
      this.chart(id, title, unit, 's since start').update([...(run.fields.get(tag) ?? [])].map(([name, points]) => ({ name, points })));
    }
    this.updateBandwidth(run);
    for (const { key, title } of LATENCIES) this.updateLatency(run, key, title);
    this.updateServer(run);
  }

  private updateBandwidth({ bandwidth, thresholds }: RunModel): void {
    const series: Series[] = [...bandwidth].map(([name, points]) => ({ name, points: [...points].filter(({ x }) => x > 0).sort((a, b) => a.x - b.x) }));
    const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
    const chart = this.chart('chart-bandwidth', 'Bus bandwidth by message size', 'GB/s', 'message size', { xScale: 'logarithmic', formatX: formatBytes, showPoints: true });
    chart.update([...series, ...thresholdLines(thresholds.filter(({ metric }) => metric === 'nccl.busbw'), Math.min(...xs), Math.max(...xs), 1)]);
  }

  private updateLatency({ serving, thresholds }: RunModel, key: string, title: string): void {
    const series = STATS.flatMap((stat): Series[] => ['vllm', 'sglang'].flatMap((server) => {
      const points = serving.get(`${server}.${key} ${stat}`);
      return points ? [{ name: stat, points: points.map(({ x, y }) => ({ x, y: y * MS })) }] : [];
    }));
    const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
    const lines = thresholdLines(thresholds.filter(({ metric }) => metric.endsWith(`.${key}`)), Math.min(...xs), Math.max(...xs), MS);
    this.chart(`chart-${key}`, title, 'ms', 's since start').update(series.length > 0 ? [...series, ...lines] : []);
  }

  private updateServer({ serving }: RunModel): void {
    const one = (name: string, scale = 1): readonly Point[] => (serving.get(name) ?? []).map(({ x, y }) => ({ x, y: y * scale }));
    this.chart('chart-cache', 'KV cache in use', '%', 's since start').update([{ name: 'KV cache', points: one('vllm.kv_cache_usage', 100) }]);
    this.chart('chart-preemptions', 'Preemptions and waiting requests', 'per scrape', 's since start').update([
      { name: 'preemptions', points: one('vllm.preemptions') },
      { name: 'waiting', points: one('vllm.waiting') },
      { name: 'running', points: one('vllm.running') },
    ]);
  }

  private chart(id: string, title: string, unit: string, xTitle: string, more: { xScale?: 'logarithmic'; formatX?: (value: number) => string; showPoints?: boolean } = {}): LineChart {
    let chart = this.charts.get(id);
    if (!chart) {
      chart = new LineChart({ id, title, unit, xTitle, ...more });
      this.charts.set(id, chart);
      this.element.append(chart.element);
    }
    return chart;
  }

  redraw(): void {
    for (const chart of this.charts.values()) chart.redraw();
  }
}

function thresholdLines(thresholds: readonly ChartThreshold[], from: number, to: number, scale: number): Series[] {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return [];
  return thresholds.map(({ criterion, comparator, value }) => ({ name: `${criterion} ${comparator} ${value * scale}`, isThreshold: true, points: [{ x: from, y: value * scale }, { x: to, y: value * scale }] }));
}
