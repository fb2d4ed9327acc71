import type { Measurement, MetricDescription } from '../contract';
import type { ResultCollector } from '../text/result-collector';
import { failedShare, guardRun } from './guards';
import { type LoadRun, type Located, quantileOf } from './load-run';

/** Fewer requests than this make a percentile little more than the maximum. */
const enoughFor = (quantile: number): number => Math.round(1 / (1 - quantile));

/** Reports every run that a load generator's output holds; runs are told apart by the label `run` when there are several. */
export function reportRuns(runs: readonly LoadRun[], collector: ResultCollector): void {
  if (runs.length > 1) collector.remark('info', 'load.several-runs', `The output holds ${runs.length} runs; each is reported with its number.`);
  for (const [index, run] of runs.entries()) {
    new RunReport(run, runs.length > 1 ? { ...run.labels, run: String(index + 1) } : { ...run.labels }, collector).write();
  }
  if (runs.length === 1) describeLoad(runs[0]!, collector);
}

class RunReport {
  constructor(
    private readonly run: LoadRun,
    private readonly labels: Record<string, string>,
    private readonly collector: ResultCollector,
  ) {}

  write(): void {
    const { run } = this;
    this.count('load.completed', run.completed);
    this.count('load.failed', run.failed);
    this.count('load.incomplete', run.incomplete);
    const share = failedShare(run);
    if (share !== undefined) this.measure({ metric: 'load.failed_share', value: share }, run.failed!.line);
    if (run.completed?.value === 0) return this.nothingCompleted();
    const { latencies, isLowerBound } = guardRun(run, this.collector);
    this.count('load.request_throughput', run.requestThroughput, 'req/s');
    this.count('load.output_throughput', run.outputThroughput, 'tok/s');
    this.count('load.goodput', run.goodput, 'req/s');
    this.goodputShare();
    for (const latency of latencies) {
      const labels = { stat: latency.stat, ...(isLowerBound(latency) ? { bound: 'lower' } : {}) };
      this.measure({ metric: `load.${latency.metric}`, value: latency.value, unit: 'ms', labels, ...this.samples() }, latency.line);
      this.judgeSampleCount(latency.stat);
    }
    return undefined;
  }

  private nothingCompleted(): void {
    const { completed, failed } = this.run;
    const message = 'No request was completed, so every latency in the report is the latency of nothing.';
    if (failed && failed.value > 0) this.collector.fault('load.all-failed', `All ${failed.value} requests failed. ${message}`, failed.line);
    else this.collector.doubt('load.none-completed', message, completed?.line);
  }

  /** Good ÷ attempted: goodput alone hides requests that failed. */
  private goodputShare(): void {
    const { goodput, completed, failed, durationS } = this.run;
    if (!goodput || !completed || !failed || !durationS) return;
    const attempted = completed.value + failed.value;
    if (attempted > 0) this.measure({ metric: 'load.goodput_share', value: Math.min(1, (goodput.value * durationS.value) / attempted) }, goodput.line);
  }

  private samples(): Pick<Measurement, 'samples'> {
    return this.run.completed ? { samples: this.run.completed.value } : {};
  }

  private judgeSampleCount(stat: string): void {
    const [quantile, count] = [quantileOf(stat), this.run.completed?.value];
    // The hundredth percentile is the slowest one and says so.
    if (quantile === undefined || count === undefined || quantile < 0.9 || quantile >= 1 || count >= enoughFor(quantile)) return;
    this.collector.remark('warning', 'load.few-samples', `${stat} rests on ${count} requests; ${enoughFor(quantile)} are needed before it is more than the slowest one.`);
  }

  private count(metric: string, located: Located | undefined, unit?: string): void {
    if (located) this.measure({ metric, value: located.value, ...(unit === undefined ? {} : { unit }), ...(unit === undefined ? {} : this.samples()) }, located.line);
  }

  private measure(measurement: Measurement, line: number | undefined): void {
    const labels = { ...this.labels, ...measurement.labels };
    const hasLabels = Object.keys(labels).length > 0;
    const { labels: _own, ...rest } = measurement;
    this.collector.measure({ ...rest, ...(hasLabels ? { labels } : {}), ...(line === undefined ? {} : { line }) });
  }
}

/** The load point, for thresholds that are written for one: what was reached, not what was asked for. */
function describeLoad(run: LoadRun, { context }: ResultCollector): void {
  const { configuredRate, requestThroughput, concurrencyLimit, completed, inputTokens, outputTokens, durationS } = run;
  if (configuredRate) context['configuredRequestRate'] = Number.isFinite(configuredRate.value) ? configuredRate.value : 'unlimited';
  if (requestThroughput) context['requestRate'] = requestThroughput.value;
  if (concurrencyLimit) context['concurrency'] = concurrencyLimit.value;
  if (configuredRate) context['loadMode'] = Number.isFinite(configuredRate.value) ? 'open loop' : concurrencyLimit ? 'closed loop' : 'burst';
  if (durationS) context['durationMs'] = Math.round(durationS.value * 1000);
  if (!completed || completed.value <= 0) return;
  if (inputTokens) context['inputTokens'] = inputTokens.value / completed.value;
  if (outputTokens) context['outputTokens'] = outputTokens.value / completed.value;
}

const latency = (metric: string, title: string): MetricDescription => ({ metric, title, unit: 'ms', valueType: 'number', labels: ['stat'], better: 'lower' });

/** Every metric that the report can hold; a tool leaves out what it does not know. */
export const LOAD_METRICS = {
  ttft: latency('load.ttft', 'Time to first token'),
  tpot: latency('load.tpot', 'Time per output token: (e2e − TTFT) ÷ (tokens − 1) of a request'),
  itl: latency('load.itl', 'Inter-token latency: gap between two chunks'),
  e2e: latency('load.e2e', 'End-to-end latency'),
  requestThroughput: { metric: 'load.request_throughput', title: 'Completed requests per second', unit: 'req/s', valueType: 'number', better: 'higher' },
  outputThroughput: { metric: 'load.output_throughput', title: 'Output tokens per second', unit: 'tok/s', valueType: 'number', better: 'higher' },
  goodput: { metric: 'load.goodput', title: 'Requests per second within all limits', unit: 'req/s', valueType: 'number', better: 'higher' },
  goodputShare: { metric: 'load.goodput_share', title: 'Share of attempted requests within all limits (0…1)', valueType: 'number', better: 'higher' },
  completed: { metric: 'load.completed', title: 'Completed requests', valueType: 'number', better: 'higher' },
  failed: { metric: 'load.failed', title: 'Failed requests', valueType: 'number', better: 'lower' },
  failedShare: { metric: 'load.failed_share', title: 'Share of attempted requests that failed (0…1)', valueType: 'number', better: 'lower' },
  incomplete: { metric: 'load.incomplete', title: 'Requests cut off at the end of the run', valueType: 'number', better: 'lower' },
} as const satisfies Record<string, MetricDescription>;
