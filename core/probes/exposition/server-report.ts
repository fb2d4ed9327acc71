import type { Measurement, MetricDescription } from '../contract';
import type { ResultCollector } from '../text/result-collector';
import type { CounterFamily, Family, ServerFamilies } from './families';
import { histogramMeasurements } from './histogram';
import { gaugeProblem, implausibility } from './plausibility';
import { labelValue } from './reader';
import type { ServerWindow, Total } from './server-window';

export type Remarks = Pick<ResultCollector, 'doubt' | 'remark'>;
export const NO_REMARKS: Remarks = { doubt: () => undefined, remark: () => undefined };

export interface ReportOptions {
  /** Seconds of the window; absent: not known, so there are no rates. */
  seconds?: number;
  /** Seconds that the server has run. */
  uptimeS?: number;
}

/** Answers and first tokens take time; phases of them may be shorter than any clock. */
const ANSWERS = new Set(['ttft', 'e2e']);
/**
 * Phases of the end-to-end latency. Servers that observe them all at the end of a request count as many of each; SGLang
 * observes the queue time when a request leaves the queue, so under load it may be the time of other requests.
 */
const PHASES = ['queue', 'inference', 'prefill', 'decode'];
const PHASE_SLACK = 1.05;

/** Everything that a server's families say of a window. */
export class ServerReport {
  private readonly found: Measurement[] = [];
  private readonly means = new Map<string, Measurement>();

  constructor(
    private readonly families: ServerFamilies,
    private readonly window: ServerWindow,
    private readonly remarks: Remarks,
    private readonly options: ReportOptions = {},
  ) {}

  measurements(): Measurement[] {
    const withheld = this.withheld();
    for (const family of this.families.histograms) if (!withheld.has(family.metric)) this.histogram(family);
    this.judgePhases();
    this.gauges();
    for (const family of this.families.counters) this.counter(family);
    this.hitRate();
    this.acceptance();
    return this.found;
  }

  private measure(metric: string, rest: Omit<Measurement, 'metric'>): void {
    this.found.push({ metric: `${this.families.server}.${metric}`, ...rest });
  }

  /** Metrics that this version is known to get wrong. */
  private withheld(): Set<string> {
    const faults = this.families.faults.filter(({ sign }) => this.window.last.series([{ name: sign }]).length > 0);
    const withheld = new Set<string>();
    for (const { metrics, message } of faults) {
      const present = this.families.histograms.filter(({ metric, aliases }) => metrics.includes(metric) && this.window.last.histograms(aliases) !== undefined);
      if (present.length > 0) this.remarks.remark('warning', 'serving.wrong-in-version', message);
      for (const { metric } of present) withheld.add(metric);
    }
    return withheld;
  }

  private histogram(family: Family): void {
    const found = this.window.histogram(family);
    if (!found) return this.absent(family);
    if ('problem' in found) return this.remarks.doubt('exposition.histogram', found.problem, found.line);
    const { histogram } = found;
    const problem = implausibility(histogram, ANSWERS.has(family.metric), this.options.uptimeS);
    if (problem !== undefined) return this.remarks.doubt('serving.implausible', problem, histogram.line);
    if (histogram.count === 0) return this.remarks.remark('info', 'serving.no-observation', `${histogram.name} counts no observation${this.window.isSinceStart ? '' : ' in the window'}, so there is no ${family.title.toLowerCase()}.`, histogram.line);
    const measurements = histogramMeasurements(histogram, `${this.families.server}.${family.metric}`, { unit: 's' });
    const mean = measurements.find(({ labels }) => labels?.['stat'] === 'mean');
    if (mean) this.means.set(family.metric, mean);
    this.found.push(...measurements);
    return undefined;
  }

  /** Declared, sampled and zero are three things; a metric that is absent is never taken for 0. */
  private absent({ title, aliases }: Family): void {
    const notFinite = this.window.last.notFinite(aliases);
    if (notFinite) return this.remarks.remark('info', 'exposition.not-finite', `${title}: ${notFinite.name} is ${notFinite.value}, which is no value.`, notFinite.line);
    const declared = aliases.find((alias) => this.window.last.isDeclared(alias));
    const tried = aliases.map(({ name, versions }) => (versions === undefined ? name : `${name} (${versions})`)).join(', ');
    const message = declared ? `${title}: ${declared.name} is declared, but has no sample.` : `${title}: the server gives none of ${tried}.`;
    return this.remarks.remark('info', 'serving.metric-absent', message);
  }

  /** A phase that is longer than the whole request shows the known fault of times as long as the server runs. */
  private judgePhases(): void {
    const whole = this.means.get('e2e');
    if (!whole) return;
    for (const phase of PHASES) {
      const mean = this.means.get(phase);
      if (!mean || !hasSameRequests(mean, whole) || Number(mean.value) <= Number(whole.value) * PHASE_SLACK) continue;
      this.remarks.doubt('serving.implausible', `The mean ${phase} time (${Number(mean.value).toPrecision(4)} s) is longer than the whole request (${Number(whole.value).toPrecision(4)} s).`, mean.line);
      const metric = `${this.families.server}.${phase}`;
      for (let index = this.found.length - 1; index >= 0; index--) if (this.found[index]!.metric === metric) this.found.splice(index, 1);
    }
  }

  private gauges(): void {
    for (const family of this.families.gauges) {
      const total = this.window.gauge(family);
      if (!total) {
        this.absent(family);
        continue;
      }
      const problem = gaugeProblem(family, total.value);
      if (problem !== undefined) {
        this.remarks.doubt('serving.implausible', problem, total.line);
        continue;
      }
      this.measure(family.metric, { value: total.value, line: total.line });
      for (const [engine, value] of total.engines) this.measure(`engine.${family.metric}`, { value, labels: { engine }, line: total.line });
    }
  }

  private counter(family: CounterFamily): void {
    const totals: readonly (readonly [Record<string, string> | undefined, Total])[] = family.split
      ? [...this.window.counterBy(family, family.split.from)].map(([value, total]) => [{ [family.split!.as]: value }, total] as const)
      : [this.window.counter(family)].flatMap((total) => (total ? [[undefined, total] as const] : []));
    for (const [labels, { value, line }] of totals) {
      if (value < 0) {
        this.remarks.doubt('serving.implausible', `${family.title}: the count is ${value}, which is less than nothing.`, line);
        continue;
      }
      const shared = { ...(labels ? { labels } : {}), line };
      this.measure(family.metric, { value, ...shared });
      const { seconds } = this.options;
      if (seconds !== undefined) this.measure(`${family.metric}_per_second`, { value: value / seconds, unit: family.rateUnit, ...shared });
    }
  }

  private hitRate(): void {
    const { hitRate } = this.families;
    if (!hitRate) return;
    for (const { hits, queries } of hitRate.counters) {
      const [hit, asked] = [this.window.counter({ aliases: [{ name: hits }] }), this.window.counter({ aliases: [{ name: queries }] })];
      if (!hit || !asked) continue;
      if (hit.value < 0 || hit.value > asked.value) this.remarks.doubt('serving.implausible', `${hits} counts ${hit.value} of ${asked.value} ${queries}, which is no share.`, hit.line);
      else if (asked.value > 0) this.measure('prefix_cache_hit_rate', { value: hit.value / asked.value, samples: asked.value, line: hit.line });
      return;
    }
    this.hitRateGauge(hitRate.gauges);
  }

  private hitRateGauge(gauges: readonly string[]): void {
    // Of several engines the worst one counts.
    const [gauge] = this.window.last.series(gauges.map((name) => ({ name }))).sort((a, b) => a.value - b.value);
    if (!gauge) return;
    if (gauge.value < 0) return this.remarks.remark('info', 'serving.prefix-cache-off', `${gauge.name} is ${gauge.value}: the prefix cache is off.`, gauge.line);
    // SGLang of 2024, which labels its series with "name", wrote percent.
    const isPercent = gauge.value > 1 || (labelValue(gauge.labels, 'name') !== undefined && labelValue(gauge.labels, 'model_name') === undefined);
    const value = isPercent ? gauge.value / 100 : gauge.value;
    if (value > 1) return this.remarks.doubt('serving.implausible', `${gauge.name} is ${gauge.value}, which is no share.`, gauge.line);
    return this.measure('prefix_cache_hit_rate', { value, line: gauge.line });
  }

  /** Mean tokens of a decoding step, without which the inter-token latency of speculative decoding cannot be read. */
  private acceptance(): void {
    const of = (metric: string): Total | undefined => {
      const family = this.families.counters.find((candidate) => candidate.metric === metric);
      return family && this.window.counter(family);
    };
    const [steps, accepted] = [of('draft_steps'), of('accepted_draft_tokens')];
    if (steps && accepted && steps.value > 0) this.measure('acceptance_length', { value: 1 + accepted.value / steps.value, samples: steps.value, line: accepted.line });
  }
}

const hasSameRequests = ({ samples: a = 0 }: Measurement, { samples: b = 0 }: Measurement): boolean => a <= b * PHASE_SLACK && b <= a * PHASE_SLACK;

/** Every metric that the report of a server can hold. */
export function serverMetrics({ server, histograms, gauges, counters, hitRate }: ServerFamilies): MetricDescription[] {
  const number = { valueType: 'number' } as const;
  return [
    ...histograms.map(({ metric, title }) => ({ metric: `${server}.${metric}`, title, unit: 's', ...number, labels: ['stat'], better: 'lower' as const })),
    ...gauges.flatMap(({ metric, title }) => [
      { metric: `${server}.${metric}`, title, ...number, labels: ['stat'] },
      { metric: `${server}.engine.${metric}`, title: `${title}, by engine`, ...number, labels: ['engine'] },
    ]),
    ...counters.flatMap(({ metric, title, rateUnit, split }) => {
      const labels = split ? { labels: [split.as] } : {};
      return [
        { metric: `${server}.${metric}`, title: `${title} in the window`, ...number, ...labels },
        { metric: `${server}.${metric}_per_second`, title: `${title} per second`, unit: rateUnit, ...number, ...labels },
      ];
    }),
    ...(hitRate ? [{ metric: `${server}.prefix_cache_hit_rate`, title: 'Prefix cache hit rate (0…1)', ...number, better: 'higher' as const }] : []),
    ...(counters.some(({ metric }) => metric === 'draft_steps') ? [{ metric: `${server}.acceptance_length`, title: 'Tokens of a decoding step', ...number }] : []),
    { metric: `${server}.http_requests`, title: 'HTTP answers in the window by status', ...number, labels: ['status'] },
  ];
}
