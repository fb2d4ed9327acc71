import { describe, expect, it } from 'vitest';
import { pythonJson } from '../load/testing/bench';
import { aiperfProfile, CONSOLE_METRICS, metricCsv, metricTable } from '../load/testing/nvidia';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const judge = (text: string, end = {}) => judged(probe, text, end);

describe('GenAI-Perf', () => {
  it('reads the drawn table', () => {
    const result = parseText(probe, metricTable());
    expect(result).toMatchObject({ outcome: 'measured', parser: 'genai-perf/1' });
    expect(codesOf(result)).toEqual(['load.failures-unknown']);
    expect(['load.completed', 'load.failed', 'load.request_throughput', 'load.output_throughput'].map((metric) => valueOf(result, metric))).toEqual([310, undefined, 6.2, 1240]);
    expect(result.measurements.filter(({ metric }) => metric === 'load.e2e').map(({ labels, value, line }) => [labels?.['stat'], value, line])).toEqual([['mean', 1904.12, 7], ['p99', 3120.55, 7], ['p90', 2410.18, 7], ['p50', 1850.33, 7]]);
    expect([valueOf(result, 'load.tpot', { stat: 'p99' }), valueOf(result, 'load.itl')]).toEqual([13.25, undefined]);
  });

  it('reads a name that goes on in the next line', () => {
    const text = metricTable({ metrics: [...CONSOLE_METRICS.slice(0, 5), ['Output token throughput', '1,240.00', 'N/A', 'N/A', 'N/A', 'N/A', 'N/A'], ['(per sec)', '', '', '', '', '', ''], ...CONSOLE_METRICS.slice(6)] });
    expect(valueOf(parseText(probe, text), 'load.output_throughput')).toBe(1240);
  });

  it('reads CSV and JSON to the same values', () => {
    const values = (text: string): unknown[] => parseText(probe, text).measurements.map(({ metric, value, unit, labels }) => [metric, value, unit, labels]);
    expect(values(metricCsv())).toEqual(values(metricTable()));
    expect(valueOf(parseText(probe, pythonJson(aiperfProfile({ error_summary: undefined, was_cancelled: undefined }))), 'load.ttft', { stat: 'p99' })).toBe(127);
  });

  it('reads embeddings, which have no tokens', () => {
    const text = metricTable({ metrics: [CONSOLE_METRICS[2]!, CONSOLE_METRICS[6]!, ['Request goodput (per sec)', '4.10', 'N/A', 'N/A', 'N/A', 'N/A', 'N/A']] });
    const result = parseText(probe, text);
    expect([result.outcome, codesOf(result)]).toEqual(['measured', ['load.count-unknown']]);
    expect([valueOf(result, 'load.goodput'), valueOf(result, 'load.ttft'), valueOf(result, 'load.completed')]).toEqual([4.1, undefined, undefined]);
  });

  it('keeps N/A, an empty cell and a dash apart from 0', () => {
    const text = metricTable({ metrics: [['Time to first token (ms)', '71.20', 'N/A', '', '-', '110.70', '0.00'], ...CONSOLE_METRICS.slice(1)] });
    expect(parseText(probe, text).measurements.filter(({ metric }) => metric === 'load.ttft').map(({ labels }) => labels?.['stat'])).toEqual(['mean', 'p90']);
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining(['load.zero-latency']) as string[] });
  });

  const withCell = (cell: string): string => metricTable({ metrics: [['Time to first token (ms)', '71.20', '40.11', '190.04', cell, '110.70', '66.80'], ...CONSOLE_METRICS.slice(1)] });
  it.each<[string, string, string]>([
    ['a table is not closed', metricTable({ closed: false }), 'load.cut'],
    ['a title stands alone', '   NVIDIA GenAI-Perf | LLM Metrics\n', 'load.cut'],
    ['a cell is nan', withCell('nan'), 'load.unreadable'],
    ['a cell is oddly grouped', withCell('1,60.35'), 'load.unreadable'],
    ['a percentile is below a lower one', withCell('66.00'), 'load.inconsistent'],
    ['a row lacks a cell', metricTable().replace('│     160.35 ', ''), 'load.unreadable'],
    ['it is a table of AIPerf', metricTable({ tool: 'AIPerf' }), 'load.other-tool'],
    ['a quoted CSV cell is broken', metricCsv().replace('"1,904.12"', '"1,904.12'), 'load.unreadable'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, metricTable({ closed: false, metrics: CONSOLE_METRICS.slice(0, 2) }), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, metricCsv().split('\n').slice(0, 7).join('\n'), {}, { count: 150 })).toBeGreaterThan(250);
  });
});
