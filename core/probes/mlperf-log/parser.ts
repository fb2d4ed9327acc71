import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { consoleLine } from '../load/console-line';
import { type LatencyMetric, type LoadRun, statName } from '../load/load-run';
import { reportRuns } from '../load/report';
import { parseDecimal } from '../text/numbers';
import { ResultCollector } from '../text/result-collector';

const ROW = /^\s*\*?\s*(.+?)\s*:\s*(.*?)\s*$/;
const TITLE = /^mlperf results summary$/i;
const LATENCY = /^(?:(mean|\d+(?:\.\d+)?)\s+(?:percentile\s+)?)(latency|first token latency|time to output token) \(ns\)$/;
const METRICS: Readonly<Record<string, LatencyMetric>> = { latency: 'e2e', 'first token latency': 'ttft', 'time to output token': 'tpot' };
const MS_PER_NS = 1e-6;
/** Percentiles below the median say nothing about a limit. */
const LOWEST_STAT = 50;

/** `Completed …` in the Server scenario, plain in Offline. Scheduled and target rates are no results. */
const REQUEST_RATE = /^(?:completed )?samples per second$/;
const TOKEN_RATE = /^(?:completed )?tokens per second$/;
const CONSTRAINTS = /^(performance constraints|min duration|min queries|early stopping) satisfied$/;
const LAST_LINE = /^(?:no errors encountered during test\.|(\d+) errors? encountered\b.*)$/i;

/** `mlperf_log_summary.txt` of the MLPerf load generator (mlcommons/inference loadgen/results.cc). */
export class MlperfParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly run: LoadRun = { latencies: [], rounding: 0.005 };
  private readonly unmet: { name: string; line: number }[] = [];
  private result: { word: string; line: number } | undefined;
  private hasEnd = false;
  private titles = 0;

  constructor(probe: Pick<ProbeDefinition, 'id' | 'parser'>, options?: ParserOptions) {
    this.collector = new ResultCollector(probe, options);
  }

  line(raw: string, line: number): void {
    const text = consoleLine(raw)?.trim();
    if (text === undefined) return;
    if (TITLE.test(text) && ++this.titles > 1) this.collector.doubt('mlperf.several-runs', 'The text holds several summaries; only the first one is read. Import each of them alone.', line);
    if (this.titles > 1) return;
    const last = LAST_LINE.exec(text);
    if (last) {
      this.hasEnd = true;
      if (last[1] !== undefined) this.collector.doubt('mlperf.errors', `The load generator met ${last[1]} errors; its detailed log names them.`, line);
      return;
    }
    const row = ROW.exec(text);
    if (row) this.row(row[1]!.toLowerCase().replace(/\s+/g, ' '), row[2]!, line);
  }

  private row(label: string, value: string, line: number): void {
    const constraint = CONSTRAINTS.exec(label);
    if (label === 'result is') this.verdict(value, line);
    else if (constraint) this.constraint(constraint[1]!, value, line);
    else if (label === 'scenario') this.collector.context['scenario'] = value;
    else if (label === 'mode') this.mode(value, line);
    else this.number(label, value, line);
  }

  /** A word that is cut is neither. */
  private constraint(name: string, value: string, line: number): void {
    if (/^no$/i.test(value)) this.unmet.push({ name, line });
    else if (!/^yes$/i.test(value)) this.collector.doubt('mlperf.unreadable', `Whether the rule "${name}" is satisfied cannot be read: ${value.slice(0, 40)}`, line);
  }

  private mode(value: string, line: number): void {
    this.collector.context['mode'] = value;
    if (!/^performance/i.test(value) && !/^findpeak/i.test(value)) this.collector.doubt('mlperf.not-performance', `The run was in mode ${value}, which measures no performance.`, line);
  }

  private verdict(word: string, line: number): void {
    if (this.result && this.result.word !== word) this.collector.doubt('mlperf.contradiction', 'The log names two results.', line);
    this.result = { word, line };
  }

  private number(label: string, text: string, line: number): void {
    const latency = LATENCY.exec(label);
    const isRate = REQUEST_RATE.test(label);
    if (!latency && !isRate && !TOKEN_RATE.test(label)) return;
    const value = parseDecimal(text);
    if (value === undefined) return this.collector.doubt('mlperf.unreadable', `The row "${label}" holds no number: ${text.slice(0, 40)}`, line);
    if (latency) this.latency(latency[1]!, METRICS[latency[2]!]!, value, line);
    else if (isRate) this.run.requestThroughput ??= { value, line };
    else this.run.outputThroughput ??= { value, line };
    return undefined;
  }

  private latency(word: string, metric: LatencyMetric, nanoseconds: number, line: number): void {
    const stat = statName(word);
    if (stat === undefined || (stat !== 'mean' && Number(word) < LOWEST_STAT)) return;
    this.run.latencies.push({ metric, stat, value: nanoseconds * MS_PER_NS, line });
  }

  end({ exitCode }: StreamEnd): ParseResult {
    const { collector } = this;
    if (exitCode === null || (exitCode !== undefined && exitCode !== 0)) collector.doubt('mlperf.exit-code', `The load generator ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}.`);
    this.judge();
    if (!this.hasEnd) collector.doubt('mlperf.cut', 'The summary does not end with its count of errors, so it was cut.');
    if (this.run.requestThroughput || this.run.latencies.length > 0) {
      collector.context['formula.tpot'] = 'TPOT: time to output token of LoadGen, (e2e − TTFT) ÷ (output tokens − 1) of a request';
      reportRuns([this.run], collector);
    }
    return collector.result();
  }

  private judge(): void {
    const { collector, result, unmet } = this;
    if (!result) return collector.doubt('mlperf.no-result', 'The text holds no line "Result is", so it is no LoadGen summary or it was cut.');
    const word = result.word.toUpperCase();
    if (word !== 'VALID' && word !== 'INVALID') return collector.doubt('mlperf.unreadable', `The result is "${result.word.slice(0, 40)}".`, result.line);
    collector.measure({ metric: 'mlperf.result', value: word, line: result.line });
    const limit = unmet.find(({ name }) => name === 'performance constraints');
    if (limit) collector.fault('mlperf.limits-missed', 'The limits of the scenario on latency or throughput were not met.', limit.line);
    for (const { name, line } of unmet) if (name !== 'performance constraints') collector.doubt('mlperf.rule-missed', `The run does not satisfy the rule "${name}", so it proves nothing.`, line);
    if (word === 'INVALID' && unmet.length === 0) collector.doubt('mlperf.invalid', 'The load generator calls the run invalid.', result.line);
    return undefined;
  }
}
