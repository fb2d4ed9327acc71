import type { ResultCollector } from '../text/result-collector';
import { type Latency, type LatencyMetric, type LoadRun, quantileOf } from './load-run';

/** What the guards found out about a run's latencies. */
export interface Trust {
  /** Latencies that may be reported. */
  latencies: Latency[];
  /** True when the value is only a lower bound of what users saw. */
  isLowerBound(latency: Latency): boolean;
}

/** Shares above which a fact is told or makes a run doubtful. */
const UNDELIVERED = 0.95;
const MOST_FAILED = 0.1;
const MOST_INCOMPLETE = 0.05;
const TOKEN_MISMATCH = 0.05;
const COUNT_TOLERANCE = 0.02;
const BUNDLED = 0.2;
const COLD_START_RATIO = 10;
const LATE_SCHEDULE_S = 1;

const NAMES: Record<LatencyMetric, string> = { ttft: 'time to first token', tpot: 'time per output token', itl: 'inter-token latency', e2e: 'end-to-end latency' };

/** Failed ÷ attempted requests; undefined when one of them is unknown. */
export function failedShare({ completed, failed }: LoadRun): number | undefined {
  if (!completed || !failed) return undefined;
  const attempted = completed.value + failed.value;
  return attempted > 0 ? failed.value / attempted : undefined;
}

/** Judges what a run says of itself. Doubts go to the collector; the rest of the report rests on the answer. */
export function guardRun(run: LoadRun, collector: ResultCollector): Trust {
  guardNumbers(run, collector);
  guardCounts(run, collector);
  guardTokens(run, collector);
  const isUndelivered = guardDelivery(run, collector);
  const latencies = guardLatencies(run, collector);
  const share = failedShare(run) ?? 0;
  const hidesQueue = isUndelivered && run.concurrencyLimit !== undefined;
  return {
    latencies,
    isLowerBound: ({ metric, stat }) => (hidesQueue && (metric === 'ttft' || metric === 'e2e')) || (share > 0 && share >= 1 - (quantileOf(stat) ?? 0.99) - 1e-9),
  };
}

/** Counts are whole, nothing is negative, and answers take time. */
function guardNumbers(run: LoadRun, collector: ResultCollector): void {
  for (const { value, line } of [run.completed, run.failed, run.incomplete, run.requested].flatMap((count) => count ?? [])) {
    if (!Number.isSafeInteger(value) || value < 0) collector.doubt('load.impossible', `${value} is no number of requests.`, line);
  }
  for (const { value, line } of [run.requestThroughput, run.outputThroughput, run.goodput].flatMap((rate) => rate ?? [])) {
    if (!Number.isFinite(value) || value < 0) collector.doubt('load.impossible', `${value} per second is no throughput.`, line);
  }
  const { durationS, completed, requestThroughput, goodput, rounding } = run;
  if (durationS && !(durationS.value > 0 && Number.isFinite(durationS.value))) collector.doubt('load.impossible', `A run of ${durationS.value} s measures nothing.`, durationS.line);
  // Rounded to two decimals, a very slow service has a throughput of 0.
  if (completed && completed.value > 0 && requestThroughput?.value === 0 && rounding === 0) collector.doubt('load.impossible', 'Requests were completed with a throughput of 0.', requestThroughput.line);
  if (goodput && requestThroughput && goodput.value > requestThroughput.value * (1 + COUNT_TOLERANCE) + 2 * rounding) {
    collector.doubt('load.inconsistent', `A goodput of ${goodput.value} per second is more than the whole throughput of ${requestThroughput.value}.`, goodput.line);
  }
}

function guardCounts(run: LoadRun, collector: ResultCollector): void {
  const { completed, failed, incomplete, requested } = run;
  const share = failedShare(run);
  if (!completed) collector.remark('warning', 'load.count-unknown', 'The report does not say how many requests were completed.');
  else if (!failed) collector.remark('warning', 'load.failures-unknown', 'The report does not say how many requests failed.');
  if (share !== undefined && share > 0 && completed!.value > 0) {
    const text = `${failed!.value} of ${completed!.value + failed!.value} requests failed; the latencies are those of the others.`;
    if (share > MOST_FAILED) collector.doubt('load.survivors-only', text, failed!.line);
    else collector.remark('warning', 'load.requests-failed', text, failed!.line);
  }
  const accounted = (completed?.value ?? 0) + (failed?.value ?? 0) + (incomplete?.value ?? 0);
  // Without a count of failures, what is missing failed; more than were asked for is a contradiction in any case.
  if (requested && completed && Math.abs(accounted - requested.value) > 0.5) {
    collector.doubt('load.requests-unaccounted', `${requested.value} requests were to be sent, but ${accounted} are accounted for.`, requested.line ?? completed.line);
  }
  if (incomplete && completed && incomplete.value > MOST_INCOMPLETE * (completed.value + incomplete.value)) {
    collector.remark('warning', 'load.incomplete', `${incomplete.value} requests were cut off at the end: the shorter ones are over-represented.`, incomplete.line);
  }
  guardRate(run, collector);
}

/** The throughputs must be counts ÷ duration. */
function guardRate({ completed, requestThroughput, outputTokens, outputThroughput, durationS, rounding }: LoadRun, collector: ResultCollector): void {
  if (!durationS || durationS.value <= 0) return;
  for (const [what, count, rate] of [['request', completed, requestThroughput], ['output token', outputTokens, outputThroughput]] as const) {
    if (!count || !rate) continue;
    const expected = count.value / durationS.value;
    const slack = rounding + expected * (COUNT_TOLERANCE + rounding / durationS.value);
    if (Math.abs(rate.value - expected) <= slack) continue;
    collector.doubt('load.inconsistent', `The ${what} throughput is ${rate.value} per second, but ${count.value} in ${durationS.value} s are ${expected.toFixed(3)}.`, rate.line);
  }
}

function guardTokens({ completed, outputTokens, retokenizedTokens }: LoadRun, collector: ResultCollector): void {
  // An answer has a token at least; results of embeddings do not count any.
  if (completed && outputTokens && outputTokens.value < completed.value * (1 - COUNT_TOLERANCE)) {
    collector.doubt('load.no-output', `${completed.value} requests count as completed, but they generated only ${Math.round(outputTokens.value)} tokens.`, outputTokens.line);
  }
  if (!outputTokens || !retokenizedTokens || outputTokens.value <= 0) return;
  const ratio = retokenizedTokens.value / outputTokens.value;
  if (Math.abs(ratio - 1) <= TOKEN_MISMATCH) return;
  collector.doubt('load.token-mismatch', `${outputTokens.value} generated tokens are ${retokenizedTokens.value} when the text is tokenised again: token throughput and TPOT cannot be relied on.`, retokenizedTokens.line);
}

/** True when the load that was asked for was not reached: then the latencies belong to another, easier test. */
function guardDelivery({ configuredRate, requestThroughput, meanScheduleDelayS }: LoadRun, collector: ResultCollector): boolean {
  if (meanScheduleDelayS && meanScheduleDelayS.value > LATE_SCHEDULE_S) {
    collector.remark('warning', 'load.late', `Requests were sent ${meanScheduleDelayS.value.toFixed(1)} s late on average: the client could not keep up, and its waiting is in no latency.`, meanScheduleDelayS.line);
  }
  if (!configuredRate || !Number.isFinite(configuredRate.value) || !requestThroughput) return false;
  if (requestThroughput.value >= UNDELIVERED * configuredRate.value) return false;
  collector.remark('warning', 'load.not-delivered', `${configuredRate.value} requests a second were asked for and ${requestThroughput.value} reached: the latencies belong to the smaller load.`, requestThroughput.line);
  return true;
}

function guardLatencies(run: LoadRun, collector: ResultCollector): Latency[] {
  const sound: Latency[] = [];
  for (const metric of ['ttft', 'tpot', 'itl', 'e2e'] as const) {
    const all = run.latencies.filter((latency) => latency.metric === metric);
    if (isSound(metric, all, collector)) sound.push(...all.filter(({ value }) => value > 0));
  }
  if (run.latencies.length === 0) collector.doubt('load.no-latency', 'The result holds no latency.');
  guardLength(sound, run, collector);
  guardShape(sound, run, collector);
  return sound;
}

/** No request lasts longer than the run; one that seems to was written in another unit. */
function guardLength(latencies: readonly Latency[], { durationS, rounding }: LoadRun, collector: ResultCollector): void {
  if (!durationS) return;
  const limitMs = 1000 * (durationS.value * (1 + COUNT_TOLERANCE) + rounding);
  const tooLong = latencies.find(({ value }) => value > limitMs);
  if (tooLong) collector.doubt('load.inconsistent', `The ${NAMES[tooLong.metric]} (${tooLong.stat}) is ${tooLong.value} ms, longer than the whole run of ${durationS.value} s.`, tooLong.line);
}

function isSound(metric: LatencyMetric, all: readonly Latency[], collector: ResultCollector): boolean {
  const impossible = all.find(({ value }) => value < 0 || !Number.isFinite(value));
  if (impossible) {
    collector.doubt('load.impossible', `The ${NAMES[metric]} (${impossible.stat}) is ${impossible.value} ms.`, impossible.line);
    return false;
  }
  const zero = all.find(({ value }) => value === 0);
  if (zero && (metric === 'ttft' || metric === 'e2e')) {
    collector.doubt('load.zero-latency', `The ${NAMES[metric]} (${zero.stat}) is 0: no answer is that fast, so nothing was measured.`, zero.line);
  } else if (zero) {
    collector.remark('warning', 'load.zero-latency', `The ${NAMES[metric]} (${zero.stat}) is 0 and left out: answers of one token or bundled chunks have none.`, zero.line);
  }
  const ordered = all.filter(({ stat }) => stat !== 'mean').sort((a, b) => quantileOf(a.stat)! - quantileOf(b.stat)!);
  const wrong = ordered.find(({ value, stat }, index) => index > 0 && isBelow(value, ordered[index - 1]!.value, stat === ordered[index - 1]!.stat));
  if (!wrong) return true;
  collector.doubt('load.inconsistent', `The ${NAMES[metric]} ${wrong.stat} does not fit the percentile before it.`, wrong.line);
  return false;
}

/** Interpolated percentiles of equal observations differ in their last bits. */
function isBelow(value: number, lower: number, isSameStat: boolean): boolean {
  const slack = 1e-9 * lower;
  return value < lower - slack || (isSameStat && value > lower + slack);
}

/** Relations between the metrics that show how the numbers came about. */
function guardShape(latencies: readonly Latency[], { completed, outputTokens }: LoadRun, collector: ResultCollector): void {
  const find = (metric: LatencyMetric, stat: string): Latency | undefined => latencies.find((latency) => latency.metric === metric && latency.stat === stat);
  const [ttft, e2e, itl, itlMedian] = [find('ttft', 'mean'), find('e2e', 'mean'), find('itl', 'mean'), find('itl', 'p50')];
  // True of each request, so of each statistic of the same requests.
  const late = latencies.find(({ metric, stat, value }) => metric === 'ttft' && value > (find('e2e', stat)?.value ?? Infinity) * (1 + COUNT_TOLERANCE) + 0.01);
  if (late) collector.doubt('load.inconsistent', `The first token (${late.stat}) came later than the end of the answer.`, late.line);
  const tokensPerAnswer = outputTokens && completed && completed.value > 0 ? outputTokens.value / completed.value : undefined;
  if (ttft && e2e && tokensPerAnswer !== undefined && tokensPerAnswer > 1.5 && Math.abs(ttft.value - e2e.value) <= 0.001 * e2e.value) {
    collector.remark('warning', 'load.not-streaming', 'The time to first token equals the whole latency: the answers were not streamed.', ttft.line);
  }
  if (itl && itlMedian && itlMedian.value < BUNDLED * itl.value) {
    collector.remark('warning', 'load.bundled-chunks', 'The median inter-token latency is far below its mean: tokens arrived in bundles. Judge the time per output token.', itlMedian.line);
  }
  const [p95, p99] = [find('ttft', 'p95'), find('ttft', 'p99')];
  if (p95 && p99 && p99.value > COLD_START_RATIO * p95.value) {
    collector.remark('warning', 'load.cold-start', 'The time to first token p99 is more than ten times its p95: the first requests may have warmed the server up.', p99.line);
  }
}
