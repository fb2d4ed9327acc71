import { describe, expect, it } from 'vitest';
import { chartPictures } from './chart-catalog';
import { summariseChart } from './chart-summary';
import { addMeasurement, createMeasured } from './measured';
import { applyEvent, createRunModel, type RunModel } from './run-model';
import { recordedRun, RUN_ID, SAMPLES, THRESHOLDS } from './testing/recorded-run';

function modelOf(thresholds = THRESHOLDS): RunModel {
  const model = createRunModel(RUN_ID, thresholds);
  for (const event of recordedRun()) applyEvent(model, event);
  return model;
}

const picture = (id: string, model = modelOf()) => chartPictures(model).find((one) => one.id === id)!;

describe('charts of a run', () => {
  it('are those that have values, in a fixed order', () => {
    expect(chartPictures(modelOf()).map(({ id }) => id)).toEqual(['chart-utilization', 'chart-temperature', 'chart-power', 'chart-clocks', 'chart-bandwidth', 'chart-ttft', 'chart-itl', 'chart-queue', 'chart-prefill', 'chart-decode', 'chart-e2e', 'chart-cache', 'chart-preemptions', 'chart-requests']);
    expect(chartPictures(createRunModel('empty', THRESHOLDS))).toEqual([]);
  });

  it('have one line a GPU, with every sample', () => {
    const { series } = picture('chart-power');
    expect(series.map(({ name }) => name)).toEqual(['GPU 0', 'GPU 1', 'GPU 2', 'GPU 3']);
    expect(series[0]!.points).toHaveLength(SAMPLES);
    expect(series[0]!.points[0]).toEqual({ x: 9, y: 70 });
  });

  it('draw latencies and their threshold in milliseconds', () => {
    const { series, thresholds, unit } = picture('chart-ttft');
    expect(unit).toBe('ms');
    expect(series.map(({ name, dash }) => `${name} ${dash}`)).toEqual(['p50 solid', 'p95 dashed', 'p99 dotted']);
    expect(series[1]!.points.at(-1)!.y).toBeCloseTo(80);
    expect(thresholds).toEqual([{ label: 'p95 ≤ 60 ms', value: 60, failing: 'above' }]);
  });

  it('keep collectives, types and probe runs apart', () => {
    const measured = createMeasured();
    const add = (labels: Record<string, string>, probeRun?: string): void => addMeasurement(measured, { metric: 'nccl.busbw', value: 90, labels: { collective: 'all_gather', sizeBytes: '4096', place: 'out', ...labels } }, 1, probeRun);
    add({}, 'functional/gather/1');
    add({}, 'functional/gather/1');
    add({}, 'failure/gather/1');
    add({ type: 'half', redop: 'sum' }, 'functional/gather/1');
    expect([...measured.bandwidth].map(([name, points]) => [name, points.length])).toEqual([
      ['all_gather, out of place', 2],
      ['all_gather, out of place, failure/gather/1', 1],
      ['all_gather half sum, out of place', 1],
    ]);
  });

  it('mark the message size at which a bandwidth is judged', () => {
    const { series, thresholds } = picture('chart-bandwidth');
    expect(thresholds).toEqual([{ label: '≥ 24 GB/s at 256 MiB', value: 24, failing: 'below', at: 2 ** 28 }]);
    expect(series[0]!.points.map(({ x }) => x)).toEqual(Array.from({ length: 9 }, (_, step) => 2 ** (20 + step)));
  });

  it('show shares in percent', () => {
    expect(picture('chart-cache').series[0]!.points.at(-1)!.y).toBeCloseTo(80);
  });

  it('name the server only where there are two', () => {
    const model = modelOf();
    addMeasurement(model.measured, { metric: 'sglang.ttft', value: 0.3, labels: { stat: 'p50', scrape: '1' } }, 12);
    expect(picture('chart-ttft', model).series.map(({ name }) => name)).toEqual(['vllm p50', 'sglang p50', 'p95', 'p99']);
  });

  it('keep a quantile that is only a lower bound apart', () => {
    const measured = createMeasured();
    addMeasurement(measured, { metric: 'vllm.e2e', value: 60, labels: { stat: 'p99', scrape: '1', bound: 'lower' } }, 3);
    expect(chartPictures({ measured, thresholds: [] })[0]!.series[0]!.name).toBe('p99 at least');
  });

  it('draw no size 0 on a logarithmic axis', () => {
    const measured = createMeasured();
    addMeasurement(measured, { metric: 'nccl.busbw', value: 0, labels: { collective: 'all_reduce', sizeBytes: '0', place: 'out' } }, 1);
    expect(chartPictures({ measured, thresholds: [] })).toEqual([]);
  });
});

describe('summaries in words', () => {
  it('tell many lines as one range, with the ends named', () => {
    expect(summariseChart(picture('chart-temperature'))).toBe('min 33 (GPU 0), median 58, max 60 (GPU 3), last 57 to 60 °C');
  });
  it('tell a few lines apart', () => {
    expect(summariseChart(picture('chart-requests'))).toBe('running: min 0, median 16, max 16, last 16 at once · waiting: min 0, median 0, max 5, last 5 at once');
    expect(summariseChart(picture('chart-preemptions'))).toBe('min 0, median 0, max 2, last 2 per scrape');
  });
});
