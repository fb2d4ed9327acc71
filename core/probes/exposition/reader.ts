import { type Labels, parseSample, type Sample } from './sample';

export interface Series extends Pick<Sample, 'name' | 'labels' | 'value'> {
  /** 1-based line in the input as given. */
  line: number;
}

export interface LineProblem {
  code: string;
  message: string;
  line: number;
}

/** Memory stays bounded: one scrape of the largest servers has some ten thousand series. */
const MAX_SERIES = 500_000;
const MAX_FAMILIES = 100_000;
const MAX_PROBLEMS = 20;
/** Types that only OpenMetrics has. */
const OPEN_METRICS_TYPES = new Set(['unknown', 'info', 'stateset', 'gaugehistogram']);
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped', ...OPEN_METRICS_TYPES]);

/** Reads one exposition text line by line. A line with an error is reported and left out, the lines around it are read. */
export class ExpositionReader {
  /** Type by family name, as declared; a declared family may have no sample. */
  readonly types = new Map<string, string>();
  readonly problems: LineProblem[] = [];
  sampleCount = 0;
  /** OpenMetrics' `# EOF` was seen. */
  hasEnd = false;
  private isFirst = true;
  /** HTML or JSON: each of its lines is no sample, and one remark says so. */
  private isForeign = false;
  /** Line of the first thing that only OpenMetrics has, where the end mark must stand. */
  private openMetricsLine: number | undefined;

  /** `take` keeps a series; it answers false when it has one with the same name and labels already. */
  constructor(private readonly take: (series: Series) => boolean) {}

  line(raw: string, line: number): void {
    const text = raw.trim();
    if (text === '') return;
    if (this.hasEnd) this.problem('exposition.after-end', 'Text follows the end mark "# EOF".', line);
    if (text.startsWith('#')) this.comment(text, line);
    else this.sample(text, line);
    this.isFirst = false;
  }

  /** Nothing but blank lines and comments so far. */
  get isEmpty(): boolean {
    return this.sampleCount === 0 && this.problems.length === 0;
  }

  /** To be called behind the last line: OpenMetrics without its end mark was cut. */
  end(): void {
    const { openMetricsLine } = this;
    if (openMetricsLine !== undefined && !this.hasEnd) this.problem('exposition.no-end', 'This is OpenMetrics, but its end mark "# EOF" is missing, so the text was cut.', openMetricsLine);
  }

  private comment(text: string, line: number): void {
    if (/^#\s*EOF$/.test(text)) {
      this.hasEnd = true;
      return;
    }
    const match = /^#[ \t]+(TYPE|HELP|UNIT)[ \t]+("(?:[^"\\]|\\.)*"|\S+)(?:[ \t]+(.*))?$/.exec(text);
    if (match?.[1] === 'UNIT') this.openMetricsLine ??= line;
    if (!match || match[1] !== 'TYPE') return;
    const name = match[2]!.replace(/^"|"$/g, '');
    const type = (match[3] ?? '').trim();
    if (!TYPES.has(type)) this.problem('exposition.syntax', `The type of ${name} is "${type.slice(0, 40)}", which is no metric type.`, line);
    else if ((this.types.get(name) ?? type) !== type) this.problem('exposition.type-conflict', `${name} is declared with two types.`, line);
    else if (this.types.size >= MAX_FAMILIES) this.problem('exposition.too-many-families', `The text declares more than ${MAX_FAMILIES} families.`, line);
    else this.types.set(name, type);
    if (OPEN_METRICS_TYPES.has(type)) this.openMetricsLine ??= line;
  }

  private sample(text: string, line: number): void {
    const sample = parseSample(text);
    if ('problem' in sample) {
      this.syntaxProblem(text, sample.problem, line);
      return;
    }
    if (this.sampleCount >= MAX_SERIES) {
      this.problem('exposition.too-many-series', `The text holds more than ${MAX_SERIES} series.`, line);
      return;
    }
    this.sampleCount++;
    if (sample.hasExemplar) this.openMetricsLine ??= line;
    const { name, labels, value } = sample;
    if (!this.take({ name, labels, value, line })) this.problem('exposition.duplicate-series', `${name} stands twice with the same labels, so its value is not known.`, line);
  }

  private syntaxProblem(text: string, problem: string, line: number): void {
    if (this.isForeign) return;
    if (this.isFirst && /^[<{[]/.test(text)) {
      this.isForeign = true;
      this.problem('exposition.not-metrics', `This is no metrics text but begins with: ${text.slice(0, 80)}. Check port and path (/metrics, /prometheus/metrics) and whether a log-in is needed.`, line);
      return;
    }
    this.problem('exposition.syntax', `Line ${line} is no sample (${problem}): ${text.slice(0, 80)}`, line);
  }

  private problem(code: string, message: string, line: number): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ code, message, line });
  }
}

/** The same for the same series whatever the order of its labels. */
export function seriesKey(name: string, labels: Labels): string {
  if (labels.length === 0) return name;
  if (labels.length === 1) return `${name}\u0001${labels[0]![0]}\u0002${labels[0]![1]}`;
  const parts = labels.map(([key, value]) => `${key}\u0002${value}`);
  parts.sort();
  return `${name}\u0001${parts.join('\u0001')}`;
}

export function labelsWithout(labels: Labels, dropped: string): Labels {
  return labels.filter(([key]) => key !== dropped);
}

export function labelValue(labels: Labels, name: string): string | undefined {
  for (const [key, value] of labels) if (key === name) return value;
  return undefined;
}
