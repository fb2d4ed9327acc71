import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProbeDefinition } from '../contract';
import { createByteParser, parseText } from '../parse';
import { findProbe } from '../registry';
import { truncations } from '../testing/mutations';
import { MAX_JSON_CHARACTERS } from './load-parser';
import { pythonJson, sglangBlock, sglangResult, vllmBlock, vllmPreamble, vllmResult } from './testing/bench';
import { aiperfProfile, aiperfRequests, CONSOLE_METRICS, errorTable, metricCsv, metricTable } from './testing/nvidia';
import { guidellmReport, lifecycle, llmperfResponses, llmperfSummary, mlperfSummary } from './testing/others';
import { judged, parseInPieces } from './testing/results';

interface Sample {
  id: string;
  format: string;
  text: string;
  /** Probes that rightly read it too: the same format with the same meaning. */
  alsoRead?: readonly string[];
  /** The format does not say where it ends, so that a cut between two parts looks whole. */
  endUnknowable?: boolean;
}

const SAMPLES: readonly Sample[] = [
  { id: 'vllm-bench', format: 'block', text: vllmPreamble('4.0', '64') + vllmBlock() },
  { id: 'vllm-bench', format: 'JSON', text: pythonJson(vllmResult({ p99_itl_ms: NaN })) },
  { id: 'sglang-bench', format: 'block', text: sglangBlock() },
  { id: 'sglang-bench', format: 'JSON lines', text: `${pythonJson(sglangResult({ server_info: null }))}\n` },
  { id: 'aiperf', format: 'JSON', text: pythonJson(aiperfProfile(), 1) },
  { id: 'aiperf', format: 'JSON lines', text: aiperfRequests(2), endUnknowable: true },
  { id: 'aiperf', format: 'tables', text: metricTable({ tool: 'AIPerf' }) + errorTable(1), endUnknowable: true },
  { id: 'aiperf', format: 'CSV', text: metricCsv(), alsoRead: ['genai-perf'] },
  { id: 'genai-perf', format: 'table', text: metricTable({ metrics: CONSOLE_METRICS.slice(0, 3) }) },
  { id: 'guidellm', format: 'JSON', text: pythonJson(guidellmReport()) },
  { id: 'inference-perf', format: 'JSON', text: pythonJson(lifecycle(), 1) },
  { id: 'llmperf', format: 'JSON', text: pythonJson(llmperfSummary(), 4) },
  { id: 'llmperf', format: 'array', text: pythonJson(llmperfResponses(3), 4) },
  { id: 'mlperf-log', format: 'summary', text: mlperfSummary() },
];
const IDS = [...new Set(SAMPLES.map(({ id }) => id))];
const probeOf = (id: string): ProbeDefinition => findProbe(id)!;
const vllm = probeOf('vllm-bench');

describe.each(SAMPLES)('$id, $format', ({ id, text, alsoRead = [], endUnknowable = false }) => {
  const probe = probeOf(id);
  const whole = parseText(probe, text);

  it('is measured when it is whole', () => {
    expect(whole.outcome).toBe('measured');
    const known = new Set(probe.metrics.map(({ metric }) => metric));
    expect(whole.measurements.filter(({ metric }) => !known.has(metric))).toEqual([]);
  });

  it('gives the same result in whatever pieces it comes', () => {
    fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => { expect(parseInPieces(probe, text, cuts)).toEqual(whole); }), { numRuns: 12 });
    const bytes = Buffer.byteLength(text);
    expect(parseInPieces(probe, text.slice(0, 700), Array.from({ length: bytes }, (_, index) => index))).toEqual(parseText(probe, text.slice(0, 700)));
  });

  it('neither passes nor proves a fault when it is cut', () => {
    // Of the line that closes a block or a table its beginning is enough.
    const complete = text.replace(/[\s=─┴┘]+$/, '').length;
    const outcomes = new Set([...truncations(text)].filter((variant) => variant.text.length < complete).map((variant) => parseText(probe, variant.text).outcome));
    outcomes.delete('inconclusive');
    expect([...outcomes]).toEqual(endUnknowable ? ['measured'] : []);
  });

  it('is never measured by the probe of another tool', () => {
    const readers = IDS.filter((other) => other !== id && parseText(probeOf(other), text).outcome === 'measured');
    expect(readers).toEqual(alsoRead);
  });

  it('is never measured after the tool failed', () => {
    const ends = [{ exitCode: 1 }, { exitCode: null, signal: 'SIGTERM' }, { cut: 'timeout' as const }, { cut: 'connection-lost' as const }];
    expect(ends.map((end) => parseText(probe, text, end).outcome)).toEqual(['inconclusive', 'inconclusive', 'inconclusive', 'inconclusive']);
  });
});

describe('load generators: any input', () => {
  const WORDS = ['{', '}', '[', ']', '"completed": 5', ',', ':', 'NaN', '\n', ' ', 'Successful requests:  5', 'P999 TTFT (ms): 3', '='.repeat(50), '= Serving Benchmark Result ===', '┏', '│ Request latency (ms) │ 5 │', '└', 'Metric,avg,p99', 'Request count,5', 'Result is : VALID', '99.00 percentile latency (ns) : 7', '\u0000', '{"metadata": {}, "metrics": {}, "error": null}', '{"successes": {"count": 1e400, "latency": 3}}', '[{"error_code": null}]', '{"benchmarks": [{"metrics": {}}]}', '{"results_ttft_s_p101": 2}', 'constructor: 3'];

  it('is never thrown at, and always answered with a reason or a value', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }), fc.constantFrom('', '\n'), (words, between) => {
        for (const id of IDS) {
          const { outcome, measurements, reasons } = parseText(probeOf(id), words.join(between));
          expect(outcome === 'measured' ? measurements.length : reasons.length).toBeGreaterThan(0);
          expect(measurements.filter(({ value }) => typeof value === 'number' && !Number.isFinite(value))).toEqual([]);
        }
      }),
      { numRuns: 120 },
    );
  });

  it('stays in bounded memory and says so', () => {
    const parser = vllm.createParser();
    const piece = ' '.repeat(2 ** 20);
    parser.line('{"completed": 5,', 1);
    for (let line = 2; line < 2 + MAX_JSON_CHARACTERS / 2 ** 20; line++) parser.line(piece, line);
    parser.line('"request_throughput": 3}', 1_000);
    expect(parser.end({})).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'load.too-large' }], measurements: [] });
  });

  it('reads a result with details on one line that is longer than most lines may be', () => {
    const details = Array.from({ length: 240 }, () => 'A long answer. '.repeat(2_340));
    const text = pythonJson(vllmResult({ generated_texts: details }));
    expect(text.length).toBeGreaterThan(8 * 2 ** 20);
    expect(judged(vllm, text)).toEqual({ outcome: 'measured', codes: [] });
  });

  it.each([
    ['dashes and blanks', `---${' '.repeat(200_000)}x---y`],
    ['equal signs', `${'='.repeat(200_000)}x`],
    ['a row of blanks', `a: ${' '.repeat(200_000)}x${' '.repeat(200_000)}y`],
    ['a brace and blanks', `}${' '.repeat(200_000)}x`],
    ['parentheses', `│ ${'('.repeat(200_000)} │ 5 │`],
    ['quotes', `Metric,avg\n${'"'.repeat(200_001)}`],
    ['many short ones', `${`---${' '.repeat(1_900)}x---\n`.repeat(12)}${`${'='.repeat(1_900)}x\n`.repeat(12)}`],
  ])('does not hang on %s', (_, text) => {
    const started = performance.now();
    for (const id of IDS) expect(parseText(probeOf(id), vllmBlock({ end: false }) + text).outcome).toBe('inconclusive');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('keeps no more than a bounded number of reasons for a row that repeats', () => {
    const text = vllmBlock({ ttftRows: Array.from({ length: 5_000 }, (_, index) => `P99 TTFT (ms): ${index}.5`) });
    const { outcome, reasons } = parseText(vllm, text);
    expect([outcome, reasons.length < 210]).toEqual(['inconclusive', true]);
  });

  it('reports each measurement as it is found', () => {
    const live: string[] = [];
    const parser = createByteParser(vllm, { onMeasurement: ({ metric }) => live.push(metric) });
    parser.write(Buffer.from(vllmBlock()));
    expect(parser.end({}).measurements.map(({ metric }) => metric)).toEqual(live);
  });
});
