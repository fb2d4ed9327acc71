// Throughput and memory of the exposition parsers on generated scrapes, beside a plain line splitter and the registry's parser on the same bytes.
//   node --expose-gc bench/exposition.bench.mjs [MEBIBYTES]     default 256; memory stays flat whatever the size
import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { yardstick } from './yardstick.mjs';

const MEBIBYTE = 1024 * 1024;
/** What a socket or a file read delivers at once. */
const CHUNK_BYTES = 64 * 1024;
const ENGINES = 16;
const MODELS = 32;
const STARTED_S = 1_790_000_000;
const BOUNDS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560];
const HISTOGRAMS = ['time_to_first_token_seconds', 'inter_token_latency_seconds', 'e2e_request_latency_seconds', 'request_queue_time_seconds', 'request_inference_time_seconds', 'request_prefill_time_seconds', 'request_decode_time_seconds'];
const COUNTERS = ['num_preemptions_total', 'prompt_tokens_total', 'generation_tokens_total', 'prefix_cache_hits_total', 'prefix_cache_queries_total'];
const GAUGES = ['num_requests_running', 'num_requests_waiting', 'kv_cache_usage_perc'];

const PEER = { name: 'parse-prometheus-text-format', version: '1.1.1' };

const totalBytes = Number(process.argv[2] ?? 256) * MEBIBYTE;
const { default: parsePrometheusTextFormat } = await import(pathToFileURL(yardstick(PEER.name, PEER.version, 'dist/parse-prometheus-text-format.cjs.js')).href);
const { probes, createByteParser, LineSplitter, ExpositionReader } = await bundle();

async function bundle() {
  const folder = mkdtempSync(join(tmpdir(), 'exposition-bench-'));
  const outfile = join(folder, 'bench.mjs');
  const contents = `
    import { probe as vllm } from './core/probes/vllm-metrics';
    import { probe as prometheus } from './core/probes/prometheus';
    export { createByteParser } from './core/probes/parse';
    export { LineSplitter } from './core/probes/lines';
    export { ExpositionReader } from './core/probes/exposition/reader';
    export const probes = { vllm, prometheus };`;
  buildSync({ stdin: { contents, resolveDir: join(dirname(fileURLToPath(import.meta.url)), '..'), loader: 'ts' }, bundle: true, format: 'esm', platform: 'node', outfile });
  const module = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return module;
}

/** One scrape of a server with many engines and models, whose counters grow with `turn`. */
function scrapeText(turn) {
  const lines = [`process_start_time_seconds ${STARTED_S}`];
  for (const [family, type] of [...HISTOGRAMS.map((name) => [name, 'histogram']), ...COUNTERS.map((name) => [name, 'counter']), ...GAUGES.map((name) => [name, 'gauge'])]) {
    lines.push(`# HELP vllm:${family} Generated.`, `# TYPE vllm:${family} ${type}`);
    for (let index = 0; index < ENGINES * MODELS; index++) {
      const labels = `engine="${index % ENGINES}",model_name="example/model-${Math.floor(index / ENGINES)}"`;
      if (type === 'histogram') lines.push(...histogramLines(`vllm:${family}`, labels, 100 * turn));
      else lines.push(`vllm:${family}{${labels}} ${type === 'gauge' ? 0.5 : 1000 * turn + index}.0`.replace('0.5.0', '0.5'));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Ten observations in each of ten buckets for each hundred, and their sum. */
function histogramLines(name, labels, count) {
  const buckets = BOUNDS.map((le, index) => `${name}_bucket{${labels},le="${le}"} ${Math.min(Math.max(index - 8, 0), 10) * (count / 10)}.0`);
  const sum = BOUNDS.slice(9, 19).reduce((total, bound) => total + bound * 0.9 * (count / 10), 0);
  return [...buckets, `${name}_bucket{${labels},le="+Inf"} ${count}.0`, `${name}_count{${labels}} ${count}.0`, `${name}_sum{${labels}} ${sum}`];
}

const isSample = (line) => line !== '' && !line.startsWith('#');

function scrape(turn) {
  const text = scrapeText(turn);
  return { data: Buffer.from(text), samples: text.split('\n').filter(isSample).length };
}

const mark = (turn, bytes) => Buffer.from(`# gpu-acceptance scrape ${turn} ${new Date((STARTED_S + 3_600 + turn) * 1000).toISOString()} status=200 bytes=${bytes}\n`);

/** Feeds scrapes behind each other, in chunks, until all bytes are through. The first scrape is read before the clock starts. */
function measure(name, scrapes, { write, nextScrape = () => undefined, end = () => '' }) {
  const feed = (turn) => {
    const { data, samples } = scrapes[Math.min(turn, scrapes.length - 1)];
    nextScrape(turn, data.length);
    for (let at = 0; at < data.length; at += CHUNK_BYTES) write(data.subarray(at, at + CHUNK_BYTES));
    return { bytes: data.length, samples };
  };
  feed(0);
  global.gc?.();
  let [bytes, samples, peakHeap, peakRss] = [0, 0, 0, 0];
  const startedAt = performance.now();
  for (let turn = 1; bytes < totalBytes; turn++) {
    const fed = feed(turn);
    bytes += fed.bytes;
    samples += fed.samples;
    const { heapUsed, rss } = process.memoryUsage();
    [peakHeap, peakRss] = [Math.max(peakHeap, heapUsed), Math.max(peakRss, rss)];
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { name, perSecond: samples / seconds, megabytesPerSecond: bytes / 1e6 / seconds, peakHeap, peakRss, result: end() };
}

function probeSink(probe) {
  const parser = createByteParser(probe);
  const write = (chunk) => parser.write(chunk);
  const end = () => {
    const { outcome, measurements, reasons } = parser.end({ exitCode: 0 });
    return `${outcome}, ${measurements.length} measurements${outcome === 'measured' ? '' : `: ${reasons[0]?.message}`}`;
  };
  return { write, nextScrape: (turn, bytes) => write(mark(turn, bytes)), end };
}

function lineSink() {
  let lineCount = 0;
  const splitter = new LineSplitter(() => lineCount++);
  return { write: (chunk) => splitter.write(chunk), end: () => `${lineCount} lines` };
}

/** The reader alone: every sample line tokenised, nothing kept. */
function readerSink() {
  let [reader, values] = [undefined, 0];
  const splitter = new LineSplitter((text, line) => reader.line(text, line));
  const nextScrape = () => (reader = new ExpositionReader(() => ++values > 0));
  return { write: (chunk) => splitter.write(chunk), nextScrape, end: () => `${values} values, ${reader.problems.length} problems` };
}

/** The registry's parser: it takes a whole text and gives all values at once, without a judgement. */
function peerSink() {
  let [chunks, families] = [[], 0];
  const nextScrape = () => {
    if (chunks.length > 0) families += parsePrometheusTextFormat(Buffer.concat(chunks).toString()).length;
    chunks = [];
  };
  const end = () => {
    nextScrape();
    return `${families} families`;
  };
  return { write: (chunk) => chunks.push(chunk), nextScrape, end };
}

const scrapes = [scrape(0), scrape(1), scrape(2)];
const rows = [
  measure('line splitter', scrapes, lineSink()),
  measure(`${PEER.name} ${PEER.version}`, scrapes, peerSink()),
  measure('reader', scrapes, readerSink()),
  measure('prometheus', scrapes, probeSink(probes.prometheus)),
  measure('vllm-metrics', scrapes, probeSink(probes.vllm)),
];
console.log(`${(totalBytes / MEBIBYTE).toFixed(0)} MiB in scrapes of ${scrapes[0].samples} samples and ${(scrapes[0].data.length / MEBIBYTE).toFixed(1)} MiB`);
for (const { name, perSecond, megabytesPerSecond, peakHeap, peakRss, result } of rows) {
  const [ratio, peerRatio] = [rows[0], rows[1]].map((other) => (perSecond / other.perSecond).toFixed(2));
  console.log(`${name.padEnd(34)} ${(perSecond / 1000).toFixed(0).padStart(6)} k samples/s ${megabytesPerSecond.toFixed(0).padStart(5)} MB/s  ratio ${ratio}, to the registry's ${peerRatio}  heap ${(peakHeap / MEBIBYTE).toFixed(0).padStart(4)} MiB  rss ${(peakRss / MEBIBYTE).toFixed(0).padStart(4)} MiB  ${result}`);
}
