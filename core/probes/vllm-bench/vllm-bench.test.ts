import { describe, expect, it } from 'vitest';
import { fixed, pythonJson, sglangBlock, vllmBlock, vllmPreamble, vllmResult } from '../load/testing/bench';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const judge = (text: string, end = {}) => judged(probe, text, end);
const ALL_FAILED = vllmBlock({ completed: 0, failed: 240, outputTokens: 0, inputTokens: 0 }).replace(/( \(ms\): +)\d+\.\d+/g, '$10.00');

describe('vllm bench serve: the block', () => {
  it('reads counts, throughputs and latencies with their unit, line and samples', () => {
    const result = parseText(probe, vllmBlock({ extra: [fixed('Request goodput (req/s)', 3)] }), { exitCode: 0 });
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], parser: 'vllm-bench/1' });
    expect(result.measurements.slice(0, 7)).toEqual([
      { metric: 'load.completed', value: 240, line: 2 },
      { metric: 'load.failed', value: 0, line: 3 },
      { metric: 'load.failed_share', value: 0, line: 3 },
      { metric: 'load.request_throughput', value: 4, unit: 'req/s', samples: 240, line: 7 },
      { metric: 'load.output_throughput', value: 800, unit: 'tok/s', samples: 240, line: 9 },
      { metric: 'load.goodput', value: 3, unit: 'req/s', samples: 240, line: 8 },
      { metric: 'load.goodput_share', value: 0.75, line: 8 },
    ]);
    expect(result.measurements).toContainEqual({ metric: 'load.ttft', value: 253.5, unit: 'ms', labels: { stat: 'p99' }, samples: 240, line: 14 });
    expect(['ttft', 'tpot', 'itl', 'e2e'].map((name) => valueOf(result, `load.${name}`, { stat: 'p50' }))).toEqual([76.05, 10.08, 10.26, 2079]);
    expect(result.context).toMatchObject({ requestRate: 4, durationMs: 60_000, inputTokens: 512, outputTokens: 200, 'formula.tpot': expect.stringContaining('TPOT') as string });
  });

  it('takes the load point from what the tool prints before the block', () => {
    const burst = parseText(probe, vllmPreamble() + vllmBlock());
    expect(burst).toMatchObject({ outcome: 'measured', reasons: [], context: { configuredRequestRate: 'unlimited', loadMode: 'burst' } });
    const closed = parseText(probe, vllmPreamble('inf', '32') + vllmBlock());
    expect(closed.context).toMatchObject({ concurrency: 32, loadMode: 'closed loop' });
    const open = parseText(probe, vllmPreamble('4.0213') + vllmBlock({ extra: [fixed('Request rate configured (RPS)', 4.02)] }));
    expect(open).toMatchObject({ outcome: 'measured', reasons: [], context: { configuredRequestRate: 4.02, loadMode: 'open loop' } });
  });

  it('calls limits alone no result', () => {
    expect(judge(vllmPreamble('4.0'))).toEqual({ outcome: 'inconclusive', codes: ['load.no-result'] });
  });

  it('reads percentiles that were asked for, also the last of a hundred', () => {
    const result = parseText(probe, vllmBlock({ ttftRows: [fixed('P50 TTFT (ms)', 76.05), fixed('P99.9 TTFT (ms)', 300), fixed('P100 TTFT (ms)', 310)] }));
    expect(result.outcome).toBe('measured');
    expect(result.measurements.filter(({ metric }) => metric === 'load.ttft').map(({ labels }) => labels?.['stat'])).toEqual(['mean', 'p50', 'p99', 'p99.9', 'p100']);
    expect(codesOf(result)).toEqual(['load.few-samples']);
  });

  it('reads the older block without failures, and says that they are not known', () => {
    const result = parseText(probe, vllmBlock({ failed: undefined }));
    expect(result.outcome).toBe('measured');
    expect(codesOf(result)).toEqual(['load.failures-unknown']);
    expect([valueOf(result, 'load.failed'), valueOf(result, 'load.failed_share')]).toEqual([undefined, undefined]);
  });

  it('reads behind the prefixes of a launcher and of colours', () => {
    const prefixed = vllmBlock().split('\n').map((line) => (line === '' ? '' : `(APIServer pid=71) \x1b[1m${line}\x1b[0m`)).join('\r\n');
    expect(judge(prefixed)).toEqual({ outcome: 'measured', codes: [] });
  });

  it('reads behind a progress bar, and past the errors of requests and of the server', () => {
    const errors = ['Failed requests during benchmark run detected (capping to 10):', 'Error 0: Traceback (most recent call last):', '  File "client.py", line 7, in post', 'aiohttp.ClientConnectorError: Cannot connect to host 127.0.0.1:8000', 'ERROR 11-30 10:15:01 [core.py:700] EngineDeadError: the engine is gone', ''].join('\n');
    const result = parseText(probe, `50%|####     | 120/240\r100%|#########| 240/240\r${errors}${vllmBlock({ failed: 3 })}`);
    expect([result.outcome, codesOf(result), valueOf(result, 'load.failed')]).toEqual(['measured', ['load.requests-failed'], 3]);
    expect(judge(`100%|#########| 240/240\r${vllmBlock()}`)).toEqual({ outcome: 'measured', codes: [] });
  });

  it('leaves out what is nan, and never makes it 0', () => {
    const result = parseText(probe, vllmBlock().replace(/(Mean TPOT \(ms\): +)\S+/, '$1nan'));
    expect([valueOf(result, 'load.tpot', { stat: 'mean' }), valueOf(result, 'load.tpot', { stat: 'p99' })]).toEqual([undefined, 33.6]);
  });

  it('fails when every request failed, and reports none of the zeros', () => {
    const result = parseText(probe, ALL_FAILED, { exitCode: 0 });
    expect(result).toMatchObject({ outcome: 'failed', reasons: [{ code: 'load.all-failed', line: 3 }] });
    expect(result.measurements.map(({ metric }) => metric)).toEqual(['load.completed', 'load.failed', 'load.failed_share']);
  });

  it('tells several runs apart, and one bad run spoils the file', () => {
    const result = parseText(probe, vllmBlock() + vllmPreamble('2.0') + vllmBlock({ ttftMs: 40 }));
    expect(result.outcome).toBe('measured');
    expect([valueOf(result, 'load.ttft', { stat: 'mean', run: '1' }), valueOf(result, 'load.ttft', { stat: 'mean', run: '2' })]).toEqual([84.5, 40]);
    expect(codesOf(result)).toContain('load.several-runs');
    expect(judge(vllmBlock() + ALL_FAILED).outcome).toBe('failed');
    expect(judge(vllmBlock({ end: false }) + vllmBlock())).toMatchObject({ outcome: 'inconclusive', codes: ['load.cut', 'load.several-runs'] });
  });

  it.each<[string, string, string]>([
    ['it has no end', vllmBlock({ end: false }), 'load.cut'],
    ['it has no title', vllmBlock({ title: false }), 'load.excerpt'],
    ['a section stands empty', vllmBlock().replace(/(?:(?:Mean|Median|P99) TTFT.*\n){3}/, ''), 'load.empty-section'],
    ['its throughput is missing', vllmBlock().replace(/Request throughput.*\n/, ''), 'load.incomplete-result'],
    ['its duration is nan', vllmBlock().replace(/(duration \(s\): +)\S+/, '$1nan'), 'load.incomplete-result'],
    ['it lasted 0 s', vllmBlock().replace(/(duration \(s\): +)\S+/, '$10.00'), 'load.impossible'],
    ['a count is negative', vllmBlock().replace(/(Failed requests: +)\S+/, '$1-3'), 'load.impossible'],
    ['a count is no whole number', vllmBlock().replace(/(Failed requests: +)\S+/, '$10.5'), 'load.impossible'],
    ['a cell holds text', vllmBlock().replace(/(P99 ITL \(ms\): +)\S+/, '$1oops'), 'load.unreadable'],
    ['a latency is endless', vllmBlock().replace(/(P99 ITL \(ms\): +)\S+/, '$1inf'), 'load.unreadable'],
    ['a row stands twice with two values', vllmBlock({ ttftRows: [fixed('P99 TTFT (ms)', 255)] }), 'load.contradiction'],
    ['no latency is in it', vllmBlock().split('\n').filter((line) => !/\(ms\)|^-/.test(line)).join('\n'), 'load.no-latency'],
    ['the process was killed', `${vllmBlock()}Killed\n`, 'load.terminated'],
    ['a script says so', `${vllmBlock()}./load.sh: line 12:  4071 Killed                  vllm bench serve --model x\n`, 'load.terminated'],
    ['it crashed at its end', `${vllmBlock()}Segmentation fault (core dumped)\n`, 'load.terminated'],
    ['it is a block of SGLang', sglangBlock(), 'load.other-tool'],
    ['it is other text', 'hello\nworld: 5\n', 'load.no-result'],
    ['it is empty', '', 'load.no-result'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('does not take other words for a crash', () => {
    expect(judge(`Aborted requests: 0\n${vllmBlock()}`).outcome).toBe('measured');
  });

  it('looks at how the process ended, and at its standard error', () => {
    expect(judge(vllmBlock(), { exitCode: 1 })).toEqual({ outcome: 'inconclusive', codes: ['load.exit-code'] });
    expect(judge(vllmBlock(), { exitCode: null, signal: 'SIGKILL' })).toEqual({ outcome: 'inconclusive', codes: ['load.killed'] });
    expect(judge(vllmBlock(), { cut: 'timeout' }).outcome).toBe('inconclusive');
    expect(judge('', { exitCode: 1, stderr: 'serve.py:600: UserWarning: All requests failed. This is likely due to a misconfiguration' }).outcome).toBe('failed');
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, ALL_FAILED, {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, vllmBlock({ end: false }).split('-----Time per')[0]!, {}, { count: 150 })).toBeGreaterThan(250);
  });
});

describe('vllm bench serve: the result JSON', () => {
  const json = (over = {}, options = {}): string => pythonJson(vllmResult(over, options));

  it('reads it, on one line or many', () => {
    const result = parseText(probe, json({ request_goodput: 2, max_concurrency: 64 }));
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { configuredRequestRate: 'unlimited', concurrency: 64, loadMode: 'closed loop' } });
    expect(valueOf(result, 'load.ttft', { stat: 'p50' })).toBeCloseTo(76.05, 9);
    expect(['load.completed', 'load.failed', 'load.request_throughput', 'load.output_throughput', 'load.goodput', 'load.goodput_share'].map((metric) => valueOf(result, metric))).toEqual([240, 0, 4, 800, 2, 0.5]);
    const indented = parseText(probe, pythonJson(vllmResult(), 4));
    expect(indented.measurements.find(({ metric }) => metric === 'load.completed')?.line).toBe(13);
  });

  it('reads the key of goodput that was once written with a colon', () => {
    expect(valueOf(parseText(probe, json({ request_goodput: undefined, 'request_goodput:': 1 })), 'load.goodput')).toBe(1);
    expect(valueOf(parseText(probe, json()), 'load.goodput')).toBeUndefined();
  });

  it('takes the latency with the queue of the client, where that is told', () => {
    const result = parseText(probe, json({ mean_e2el_including_client_queue_ms: 5200, p99_e2el_including_client_queue_ms: 9900 }));
    expect(result.measurements.filter(({ metric }) => metric === 'load.e2e').map(({ value, labels }) => [labels?.['stat'], value])).toEqual([['mean', 5200], ['p99', 9900]]);
  });

  it('derives the failures of embedding results, which have no count of them', () => {
    const embedding = json({ failed: undefined, num_prompts: 250, total_output_tokens: undefined, output_throughput: undefined, mean_ttft_ms: undefined });
    expect(valueOf(parseText(probe, embedding), 'load.failed')).toBe(10);
  });

  it('reads percentiles with a fraction, the whole, and ignores keys that are none', () => {
    const result = parseText(probe, json({ p50_ttft_ms: 76.05, 'p99.9_ttft_ms': 300, p100_ttft_ms: 310, p999_ttft_ms: 9 }));
    expect(result.measurements.filter(({ metric }) => metric === 'load.ttft').map(({ labels }) => labels?.['stat'])).toEqual(['mean', 'p50', 'p99', 'p99.9', 'p100']);
  });

  it('gives no value for NaN, infinity, null and a doubled key', () => {
    const result = parseText(probe, json({ p99_ttft_ms: NaN, p99_tpot_ms: Infinity, p99_itl_ms: null }).replace('"mean_e2el_ms"', '"p99_e2el_ms": 9, "mean_e2el_ms"'));
    expect(['ttft', 'tpot', 'itl', 'e2e'].map((name) => valueOf(result, `load.${name}`, { stat: 'p99' }))).toEqual([undefined, undefined, undefined, undefined]);
    expect(result).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'load.ambiguous-key' }] });
  });

  it('reads appended results as runs, and the lines around them as the console', () => {
    const two = `INFO saved\n${json()}${json({ request_rate: 8 }, { ttftMs: 120 })}\n`;
    const result = parseText(probe, two);
    expect([result.outcome, valueOf(result, 'load.ttft', { stat: 'mean', run: '2' })]).toEqual(['measured', 120]);
    expect(judge(`${two}Killed\n`)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining(['load.terminated']) as string[] });
    expect(judge(`${json()}\n${ALL_FAILED}`).outcome).toBe('failed');
    expect(judge(`${json()}\n[INFO] done\n`)).toEqual({ outcome: 'measured', codes: [] });
  });

  it('does not let a run vanish whose first line is damaged', () => {
    const damaged = pythonJson(vllmResult({}, { completed: 0, failed: 9 }), 1).replace('{', 'x');
    expect(judge(`${damaged}\n${json()}`)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining(['load.json']) as string[] });
    expect(judge(`"model": "acme"\n}\n${vllmBlock()}`).outcome).toBe('measured');
  });

  it.each<[string, string, string]>([
    ['more were asked for than are accounted for', json({ num_prompts: 300 }), 'load.requests-unaccounted'],
    ['its failures are NaN and some requests are missing', json({ failed: NaN, num_prompts: 300 }), 'load.requests-unaccounted'],
    ['its throughput does not follow from its counts', json({ request_throughput: 5 }), 'load.inconsistent'],
    ['its count is NaN', json({ completed: NaN }), 'load.incomplete-result'],
    ['its duration is null', json({ duration: null }), 'load.incomplete-result'],
    ['it lasted 0 s', json({ duration: 0 }), 'load.impossible'],
    ['its throughput is missing', json({ request_throughput: undefined }), 'load.incomplete-result'],
    ['each latency is NaN', json(Object.fromEntries(Object.keys(vllmResult()).filter((key) => key.endsWith('_ms')).map((key) => [key, NaN]))), 'load.no-latency'],
    ['an answer without a token counts as completed', json({ ttfts: [0.08, 0, 0.09], output_lens: [200, 200, 200], errors: ['', '', ''] }), 'load.hidden-failures'],
    ['an error counts as completed', json({ ttfts: [0.08], errors: ['', 'Connection reset by peer'] }), 'load.hidden-failures'],
    ['there are fewer tokens than answers', json({}, { outputTokens: 3 }), 'load.no-output'],
    ['it is a result of SGLang', pythonJson({ ...vllmResult(), total_output_tokens_retokenized: 48_000 }), 'load.other-tool'],
    ['it is cut', json().slice(0, -3), 'load.json'],
    ['it is other JSON', '{"hello": 1}', 'load.no-result'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('knows that the details hold failed requests too', () => {
    expect(judge(json({ ttfts: [0.08, 0], output_lens: [200, 0], errors: ['', 'HTTP 500'] }, { failed: 1 })).codes).toEqual(['load.requests-failed']);
  });

  it('is never cleaner when cut or damaged', () => {
    const failed = { completed: 0, failed: 240, outputTokens: 0 };
    expect(expectNeverCleaner(probe, pythonJson(vllmResult({}, failed), 1), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, json({ duration: null }), {}, { count: 150 })).toBeGreaterThan(250);
  });
});
