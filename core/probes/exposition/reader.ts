import { type Labels, parseSample, type Sample } from './sample';

export interface Series extends Sample {
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
const MAX_PROBLEMS = 20;
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped', 'unknown', 'info', 'stateset', 'gaugehistogram']);

/**
 * Reads one exposition text line by line. A line with an error is reported and left out, the lines around it are read. Series
 * that `onSeries` takes are not kept here, only remembered, so that a series that stands twice is found.
 */
export class ExpositionReader {
  /** Type by family name, as declared; a declared family may have no sample. */
  readonly types = new Map<string, string>();
  readonly problems: LineProblem[] = [];
  sampleCount = 0;
  problemCount = 0;
  /** OpenMetrics' `# EOF` was seen. */
  hasEnd = false;
  private readonly seen = new Set<string>();
  private isFirst = true;

  constructor(private readonly onSeries: (series: Series) => void) {}

  line(raw: string, line: number): void {
    const text = raw.trim();
    if (text === '') return;
    if (this.hasEnd) this.problem('exposition.after-end', 'Text follows the end mark "# EOF".', line);
    if (text.startsWith('#')) this.comment(text, line);
    else this.sample(text, line);
    this.isFirst = false;
  }

  private comment(text: string, line: number): void {
    if (/^#\s*EOF$/.test(text)) {
      this.hasEnd = true;
      return;
    }
    const match = /^#[ \t]+(TYPE|HELP|UNIT)[ \t]+("(?:[^"\\]|\\.)*"|\S+)(?:[ \t]+(.*))?$/.exec(text);
    if (!match || match[1] !== 'TYPE') return;
    const name = match[2]!.replace(/^"|"$/g, '');
    const type = (match[3] ?? '').trim();
    if (!TYPES.has(type)) this.problem('exposition.syntax', `The type of ${name} is "${type.slice(0, 40)}", which is no metric type.`, line);
    else if ((this.types.get(name) ?? type) !== type) this.problem('exposition.type-conflict', `${name} is declared with two types.`, line);
    else this.types.set(name, type);
  }

  private sample(text: string, line: number): void {
    const sample = parseSample(text);
    if ('problem' in sample) {
      this.syntaxProblem(text, sample.problem, line);
      return;
    }
    const key = seriesKey(sample.name, sample.labels);
    if (this.seen.has(key)) {
      this.problem('exposition.duplicate-series', `${sample.name} stands twice with the same labels, so its value is not known.`, line);
      return;
    }
    if (this.seen.size >= MAX_SERIES) {
      this.problem('exposition.too-many-series', `The text holds more than ${MAX_SERIES} series.`, line);
      return;
    }
    this.seen.add(key);
    this.sampleCount++;
    this.onSeries({ ...sample, line });
  }

  private syntaxProblem(text: string, problem: string, line: number): void {
    if (this.isFirst && /^[<{[]/.test(text)) {
      this.problem('exposition.not-metrics', `This is no metrics text but begins with: ${text.slice(0, 80)}. Check port and path (/metrics, /prometheus/metrics) and whether a log-in is needed.`, line);
      return;
    }
    this.problem('exposition.syntax', `Line ${line} is no sample (${problem}): ${text.slice(0, 80)}`, line);
  }

  private problem(code: string, message: string, line: number): void {
    this.problemCount++;
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
