import { describe, expect, it } from 'vitest';
import type { CriterionVerdict } from '../verdict/contract';
import type { StoredMeasurement } from './report';
import { bandwidthChart } from './report-figures';

const MIB = 1024 ** 2;
const row = (mebibytes: number, value: number, over: { probeRun?: string; labels?: Record<string, string> } = {}): StoredMeasurement => ({
  metric: 'nccl.busbw',
  value,
  unit: 'GB/s',
  labels: { collective: 'all_reduce', sizeBytes: String(mebibytes * MIB), place: 'out', ...over.labels },
  probeRun: over.probeRun ?? 'representative-load/nccl/1',
});
const threshold = { id: 'busbw', metric: 'nccl.busbw', thresholdValue: 400, expected: '≥ 400 GB/s' } as CriterionVerdict;
const paths = (html: string): string[] => html.match(/<path d="M[^"]+" class="series s\d"\/>/g) ?? [];
const legend = (html: string): string[] => [...html.matchAll(/<\/svg> ([^<]+)<\/li>/g)].map(([, name]) => name!);

describe('the bandwidth chart of the report', () => {
  it('is one line over the sizes in order, below the threshold of the card', () => {
    const html = bandwidthChart([row(64, 300), row(16, 200), row(32, 250), row(64, 999, { labels: { place: 'in' } })], [threshold]);
    expect(paths(html)).toHaveLength(1);
    const xs = [...paths(html)[0]!.matchAll(/[ML]([\d.]+) /g)].map(([, x]) => Number(x));
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(html).toContain('busbw ≥ 400 GB/s');
    expect(html).toContain('Highest: 300.0 GB/s');
    expect(html).not.toContain('class="legend"');
  });

  it('does not join different collectives, types or probe runs into one line', () => {
    const other = { labels: { collective: 'all_gather' } };
    const html = bandwidthChart([row(16, 200), row(32, 250), row(16, 90, other), row(32, 95, other)], []);
    expect(legend(html)).toEqual(['all_reduce', 'all_gather']);
    const types = [row(16, 200, { labels: { type: 'float', redop: 'sum' } }), row(32, 250, { labels: { type: 'float', redop: 'sum' } }), row(16, 80, { labels: { type: 'half', redop: 'sum' } }), row(32, 85, { labels: { type: 'half', redop: 'sum' } })];
    expect(legend(bandwidthChart(types, []))).toEqual(['all_reduce float sum', 'all_reduce half sum']);
    const twice = [row(16, 200), row(32, 250), row(16, 201, { probeRun: 'failure/nccl/1' }), row(32, 251, { probeRun: 'failure/nccl/1' })];
    expect(legend(bandwidthChart(twice, []))).toEqual(['all_reduce, representative-load/nccl/1', 'all_reduce, failure/nccl/1']);
  });

  it('is left out when no line can be drawn', () => {
    expect(bandwidthChart([], [threshold])).toBe('');
    expect(bandwidthChart([row(16, 200)], [threshold])).toBe('');
  });

  it('draws a machine that moved nothing', () => {
    expect(bandwidthChart([row(16, 0), row(32, 0)], [])).not.toContain('NaN');
  });
});
