import type { ResultCollector } from '../text/result-collector';
import { located, present } from '../load/bench-json';
import { type LatencyMetric, type LoadRun, statName } from '../load/load-run';
import { JsonRecord, type JsonValue } from '../load/tolerant-json';

const LATENCIES: Readonly<Record<string, LatencyMetric>> = { request_latency: 'e2e', time_to_first_token: 'ttft', time_per_output_token: 'tpot', inter_token_latency: 'itl' };
const MS_PER_S = 1000;
/** Below the median a percentile says nothing about a limit. */
const SHOWN = /^(?:mean|median|p(?:75|90|95|99|99\.9))$/;

/** Lifecycle metrics as the client saw them. The Prometheus summary beside them holds the server's view and is refused. */
export function readLifecycleMetrics(documents: readonly JsonValue[], collector: ResultCollector): LoadRun[] {
  return documents.flatMap((document) => {
    if (!(document instanceof JsonRecord) || !(document.has('successes') || document.has('load_summary'))) return [];
    const successes = document.record('successes');
    if (!successes) {
      collector.doubt('load.incomplete-result', 'The result lacks its successful requests.', document.line('load_summary'));
      return [];
    }
    if (!successes.has('latency') && successes.number('count') !== 0) {
      collector.doubt('load.server-side', 'These are values of the server, read from Prometheus, and not those of the client. Import the file of lifecycle metrics, or scrape the server.', document.line('successes'));
      return [];
    }
    return [readRun(document, successes)];
  });
}

function readRun(document: JsonRecord, successes: JsonRecord): LoadRun {
  const load = document.record('load_summary');
  const failures = document.record('failures');
  const throughput = successes.record('throughput');
  const delay = load?.record('schedule_delay');
  return {
    rounding: 0,
    latencies: readLatencies(successes.record('latency')),
    ...present('completed', located(successes, 'count')),
    ...present('failed', failures && located(failures, 'count')),
    ...present('requested', load && located(load, 'count')),
    ...present('requestThroughput', throughput && located(throughput, 'requests_per_sec')),
    ...present('outputThroughput', throughput && located(throughput, 'output_tokens_per_sec')),
    ...present('configuredRate', load && located(load, 'requested_rate')),
    ...present('meanScheduleDelayS', delay && located(delay, 'mean')),
  };
}

function readLatencies(latency: JsonRecord | undefined): LoadRun['latencies'] {
  return Object.entries(LATENCIES).flatMap(([key, metric]) => {
    const group = latency?.record(key);
    if (!group) return [];
    return group.keys().flatMap((name) => {
      const found = SHOWN.test(name) ? located(group, name) : undefined;
      return found ? [{ ...found, metric, stat: statName(name)!, value: found.value * MS_PER_S }] : [];
    });
  });
}
