import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import { consoleLine } from './console-line';
import type { LoadRun } from './load-run';
import { reportRuns } from './report';
import { type JsonValue, readJsonDocuments } from './tolerant-json';

/** Reads the console output of a load generator line by line. */
export interface ConsoleReader {
  /** For files whose lines may be longer than any line of a terminal; true when the line is one of them. */
  fileLine?(raw: string, lineNumber: number): boolean;
  line(text: string, lineNumber: number): void;
  /** Doubts about what was read go to the collector. `endsMidLine`: the last line has no line break. */
  runs(collector: ResultCollector, endsMidLine: boolean): LoadRun[];
}

export interface LoadFormat {
  /** Absent when the tool's console output is not read. */
  createConsole?(): ConsoleReader;
  /** What each result of the tool holds, so that one without it is damaged. */
  requires?: readonly (keyof LoadRun)[];
  /** Runs that the documents hold; an unknown document gives none. */
  readJson(documents: readonly JsonValue[], collector: ResultCollector): LoadRun[];
  /** What was expected, for the message when nothing was found. */
  expected: string;
  /** The formula of each word of the tool that other tools use for something else. */
  formulas: Readonly<Record<string, string>>;
}

/** Results with the text of each answer are large; what is larger is no result. */
export const MAX_JSON_CHARACTERS = 128 * 1024 * 1024;
const JSON_START = /^\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:\{|\]|$))/;
/** A member or an end of an object whose start was not met. */
const JSON_FRAGMENT = /^\s*(?:"[^"]*"\s*:|[}\]]\s*,?\s*$)/;
const FIELD_WORDS: Partial<Record<keyof LoadRun, string>> = { completed: 'the count of completed requests', failed: 'the count of failed requests', requestThroughput: 'the request throughput', durationS: 'the duration' };
const ALL_FAILED = /\ball requests failed\b/i;
/** The shell's words; in a script with the script's line and the process id before them. */
const TERMINATED = /^(?:[^:]+: line \d+: +\d+ )?(?:Killed|Terminated|Aborted|Segmentation fault)(?: +\(core dumped\))?(?: {2,}.*)?$/;

/** Reads one load generator's output: its JSON documents, its console output, or one behind the other. */
export class LoadParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly console: ConsoleReader | undefined;
  private json: string[] | undefined;
  private jsonLine = 1;
  private jsonCharacters = 0;
  private fragmentLine: number | undefined;

  constructor(
    probe: Pick<ProbeDefinition, 'id' | 'parser'>,
    private readonly format: LoadFormat,
    options?: ParserOptions,
  ) {
    this.collector = new ResultCollector(probe, options);
    this.console = format.createConsole?.();
  }

  line(raw: string, lineNumber: number): void {
    if (this.json) return this.keep(raw);
    if (!JSON_START.test(stripAnsi(raw))) return this.consoleLine(raw, lineNumber);
    this.json = [];
    this.jsonLine = lineNumber;
    return this.keep(raw);
  }

  private consoleLine(raw: string, lineNumber: number): void {
    if (this.console?.fileLine?.(raw, lineNumber)) return;
    const text = consoleLine(raw);
    if (text === undefined) return;
    if (ALL_FAILED.test(text)) this.collector.fault('load.all-failed', 'The tool says that all requests failed.', lineNumber);
    if (TERMINATED.test(text.trim())) this.collector.doubt('load.terminated', `The tool was ended from outside: ${text.trim().slice(0, 80)}`, lineNumber);
    if (JSON_FRAGMENT.test(text)) this.fragmentLine ??= lineNumber;
    this.console?.line(text, lineNumber);
  }

  private keep(text: string): void {
    this.jsonCharacters += text.length + 1;
    if (this.jsonCharacters <= MAX_JSON_CHARACTERS) this.json!.push(text);
    else this.json = [];
  }

  end({ exitCode, signal, stderr, endsMidLine }: StreamEnd): ParseResult {
    const { collector } = this;
    if (stderr !== undefined && ALL_FAILED.test(stderr)) collector.fault('load.all-failed', 'The tool says that all requests failed.');
    if (exitCode === null) collector.doubt('load.killed', `The tool did not end by itself${signal === undefined ? '' : ` (${signal})`}.`);
    else if (exitCode !== undefined && exitCode !== 0) collector.doubt('load.exit-code', `The tool ended with exit code ${exitCode}.`);
    const jsonRuns = this.jsonRuns();
    const runs = [...(this.console?.runs(collector, endsMidLine === true) ?? []), ...jsonRuns];
    for (const run of runs) this.requireFields(run);
    if (runs.length === 0 && !collector.hasDoubt && !collector.hasFault) collector.doubt('load.no-result', `There is no result in this output. Expected: ${this.format.expected}.`);
    if (runs.length > 0) Object.assign(collector.context, this.format.formulas);
    reportRuns(runs, collector);
    return collector.result();
  }

  private requireFields(run: LoadRun): void {
    const missing = (this.format.requires ?? []).filter((field) => run[field] === undefined);
    if (missing.length > 0 && run.completed?.value !== 0) this.collector.doubt('load.incomplete-result', `The result lacks what the tool always gives: ${missing.map((field) => FIELD_WORDS[field] ?? field).join(', ')}.`, run.completed?.line);
  }

  private jsonRuns(): LoadRun[] {
    if (!this.json) return [];
    if (this.jsonCharacters > MAX_JSON_CHARACTERS) {
      this.collector.doubt('load.too-large', `The JSON text has more than ${MAX_JSON_CHARACTERS / 2 ** 20} Mi characters.`);
      return [];
    }
    const { documents, problem, ambiguous, others } = readJsonDocuments(this.json.join('\n'), this.jsonLine);
    for (const { text, line } of others) this.consoleLine(text, line);
    if (problem) this.collector.doubt('load.json', problem.message, problem.line);
    for (const { key, line } of ambiguous) this.collector.doubt('load.ambiguous-key', `The key "${key}" stands twice with different values, so neither is used.`, line);
    const runs = this.format.readJson(documents, this.collector);
    // Where the result is JSON, it may be another result whose start is damaged; between console lines it is somebody's log.
    if (runs.length > 0 && this.fragmentLine !== undefined) this.collector.doubt('load.json', 'The JSON text is damaged: here is a part of an object without its start.', this.fragmentLine);
    return runs;
  }
}
