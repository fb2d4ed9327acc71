import { createServer, type Server } from 'node:http';
import { type Random, seededRandom } from './machine';
import type { Scenario } from './scenarios';

const REQUESTS_PER_SECOND = 24;
const TOKENS_PER_REQUEST = 160;
const WAVE_SECONDS = 4;
const MODEL = 'example-org/chat-70b';

const BOUNDS = {
  ttft: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560],
  itl: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80],
  request: [0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680],
};

/** Counts observations the way a server does: cumulative for its whole life. */
class Histogram {
  private readonly counts: number[];
  private count = 0;
  private sum = 0;

  constructor(private readonly name: string, private readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.count++;
    this.sum += value;
    for (const [index, bound] of this.bounds.entries()) if (value <= bound) this.counts[index]!++;
  }

  text(): string {
    const labels = `engine="0",model_name="${MODEL}"`;
    const buckets = this.bounds.map((bound, index) => `vllm:${this.name}_bucket{engine="0",le="${Number.isInteger(bound) ? bound.toFixed(1) : bound}",model_name="${MODEL}"} ${this.counts[index]!.toFixed(1)}\n`).join('');
    return `# HELP vllm:${this.name} Histogram of ${this.name.replaceAll('_', ' ')}.\n# TYPE vllm:${this.name} histogram\n${buckets}vllm:${this.name}_bucket{engine="0",le="+Inf",model_name="${MODEL}"} ${this.count.toFixed(1)}\nvllm:${this.name}_count{${labels}} ${this.count.toFixed(1)}\nvllm:${this.name}_sum{${labels}} ${this.sum}\n`;
  }
}

/** A vLLM 0.11 server under load: its numbers grow with the clock, whoever looks. */
export class MetricsServer {
  private readonly histograms = {
    ttft: new Histogram('time_to_first_token_seconds', BOUNDS.ttft),
    itl: new Histogram('inter_token_latency_seconds', BOUNDS.itl),
    e2e: new Histogram('e2e_request_latency_seconds', BOUNDS.request),
    queue: new Histogram('request_queue_time_seconds', BOUNDS.request),
    inference: new Histogram('request_inference_time_seconds', BOUNDS.request),
    prefill: new Histogram('request_prefill_time_seconds', BOUNDS.request),
    decode: new Histogram('request_decode_time_seconds', BOUNDS.request),
  };
  private readonly random: Random;
  private readonly server: Server;
  private served = 0;
  private preemptions = 0;
  private readonly startedAt = Date.now();

  constructor(private readonly scenario: Scenario, seed: number, private readonly speed: number) {
    this.random = seededRandom(seed + 77);
    this.server = createServer((request, response) => {
      if (request.url !== '/metrics') return response.writeHead(404).end('Not Found\n');
      return response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(this.text());
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve((this.server.address() as { port: number }).port)));
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private advance(): number {
    // The server was under load before anyone looked.
    const seconds = 30 + ((Date.now() - this.startedAt) / 1000) * this.speed;
    const target = Math.floor(seconds * REQUESTS_PER_SECOND);
    for (; this.served < target; this.served++) this.serve(this.served / REQUESTS_PER_SECOND);
    this.preemptions = Math.floor(seconds * this.scenario.preemptionsPerSecond);
    return seconds;
  }

  /** Load comes in waves; the slowest answer of a healthy server stays the same. */
  private serve(seconds: number): void {
    const { ttftSeconds, queueSeconds } = this.scenario;
    const wave = 0.9 + 0.1 * Math.sin(seconds / WAVE_SECONDS);
    const queue = queueSeconds * this.random(0.5, 1.5);
    const ttft = Math.max(ttftSeconds * wave * this.random(0.4, 1.3), queue + 0.02);
    const interToken = 0.018 * this.random(0.8, 1.25);
    const decode = interToken * TOKENS_PER_REQUEST;
    this.histograms.queue.observe(queue);
    this.histograms.ttft.observe(ttft);
    this.histograms.prefill.observe(ttft - queue);
    this.histograms.decode.observe(decode);
    this.histograms.inference.observe(ttft - queue + decode);
    this.histograms.e2e.observe(ttft + decode);
    for (let token = 0; token < 8; token++) this.histograms.itl.observe(0.018 * this.random(0.75, 1.35));
  }

  private text(): string {
    const seconds = this.advance();
    const { kvCacheUsage, preemptionsPerSecond } = this.scenario;
    const labels = `{engine="0",model_name="${MODEL}"}`;
    const gauge = (name: string, value: number): string => `# HELP vllm:${name} ${name.replaceAll('_', ' ')}.\n# TYPE vllm:${name} gauge\nvllm:${name}${labels} ${value}\n`;
    const counter = (name: string, value: number): string => `# HELP vllm:${name}_total Count of ${name.replaceAll('_', ' ')}.\n# TYPE vllm:${name}_total counter\nvllm:${name}_total${labels} ${value.toFixed(1)}\n`;
    const wave = 0.06 * Math.sin(seconds / 5);
    const finished = ['stop', 'length', 'abort'].map((reason, index) => `vllm:request_success_total{engine="0",finished_reason="${reason}",model_name="${MODEL}"} ${Math.floor(this.served * [0.96, 0.04, 0][index]!).toFixed(1)}\n`).join('');
    return [
      `# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.\n# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds ${(this.startedAt / 1000).toFixed(2)}\n`,
      gauge('num_requests_running', preemptionsPerSecond > 0 ? 64 : 30 + Math.round(4 * wave * 10)),
      gauge('num_requests_waiting', preemptionsPerSecond > 0 ? 210 + Math.round(seconds) : 0),
      gauge('kv_cache_usage_perc', Math.min(1, kvCacheUsage + wave)),
      counter('num_preemptions', this.preemptions),
      counter('prompt_tokens', this.served * 900),
      counter('generation_tokens', this.served * TOKENS_PER_REQUEST),
      counter('prefix_cache_queries', this.served * 900),
      counter('prefix_cache_hits', this.served * 410),
      `# HELP vllm:request_success_total Count of successfully processed requests.\n# TYPE vllm:request_success_total counter\n${finished}`,
      ...Object.values(this.histograms).map((histogram) => histogram.text()),
    ].join('');
  }
}
