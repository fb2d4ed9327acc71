import type { HostCapabilities, LineParser, ParseResult, ParserOptions, ProbeDefinition, ProbeParameters, ProbePlan, StreamEnd } from '../contract';
import { COLLECTIVES, collectiveOf } from '../nccl/collectives';
import { stripLauncherPrefix } from '../nccl/launcher-prefix';
import { stripAnsi } from '../text/ansi';
import { JsonDocuments } from '../text/json-documents';
import { ResultCollector } from '../text/result-collector';
import { noteFailure } from './failures';
import { readJsonResult } from './json-result';
import { looksLikeRow, parseRow } from './row';
import { TestTable } from './table';

const ID = 'nccl-tests';
const PARSER = `${ID}/1`;

class NcclTestsParser implements LineParser {
  private readonly collector: ResultCollector;
  private table: TestTable | undefined;
  /** Named by the tool, or by the command line that a log shows before it. */
  private collective: string | undefined;
  private json: JsonDocuments | undefined;
  private hasText = false;
  private hasFailure = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    if (!this.hasText && raw.trimStart().startsWith('{')) this.json = new JsonDocuments();
    if (raw.trim() !== '') this.hasText = true;
    if (this.json) return this.json.line(raw, line);
    const text = stripLauncherPrefix(stripAnsi(raw));
    if (text.includes(' NCCL INFO ') || text.includes(' NCCL WARN ')) return undefined;
    return this.textLine(text, line);
  }

  private textLine(text: string, line: number): void {
    if (noteFailure(this.collector, text, line)) {
      this.hasFailure = true;
      return;
    }
    if (this.header(text)) return;
    if (this.table?.footer(text, line)) return;
    if (looksLikeRow(text)) this.row(text, line);
  }

  /** Lines before the rows. A new parameter line begins a new test. */
  private header(text: string): boolean {
    const starting = /Collective test starting: (\S+)/.exec(text)?.[1];
    if (starting !== undefined) {
      this.collective = collectiveOf(starting) ?? collectiveOf(`${starting}_perf`);
      this.beginTable();
      return true;
    }
    if (/^#\s*nThread\b/.test(text)) {
      if (this.table?.hasRows || this.table?.isEnded) this.beginTable();
      this.parameters(text);
      return true;
    }
    if (!text.startsWith('#')) {
      if (!this.table || this.table.isEnded) this.collective = collectiveOf(text) ?? this.collective;
      const version = /nccl-tests version (\S+)/.exec(text)?.[1];
      if (version !== undefined) this.collector.context['ncclTestsVersion'] = version;
    } else this.comment(text);
    return this.current().ranks.line(text);
  }

  private comment(text: string): void {
    const version = /^#\s*nccl-tests version (\S+)(?:.*nccl-library=(\d+))?/.exec(text);
    if (version) this.collector.context['ncclTestsVersion'] = version[1]!;
    if (/#wrong/.test(text)) this.current().checkColumn = 'wrong';
    else if (/\berror\b.*\berror\b/.test(text)) this.current().checkColumn = 'error';
    if (/\(ms\)/.test(text) || /^#\s*bytes\s+N\s+type/.test(text)) this.current().hasOldUnits = true;
  }

  private parameters(text: string): void {
    const value = (name: string): string | undefined => new RegExp(`\\b${name}:?\\s+(\\S+)`).exec(text)?.[1];
    const { context } = this.collector;
    for (const [key, name] of [['gpusPerThread', 'nGpus'], ['minBytes', 'minBytes'], ['maxBytes', 'maxBytes'], ['iterations', 'iters'], ['validation', 'validation']] as const) {
      const found = value(name);
      if (found !== undefined) context[key] = found;
    }
  }

  private row(text: string, line: number): void {
    const table = this.current();
    if (table.hasOldUnits) return;
    const row = parseRow(text);
    if (row) table.row(row, line);
    else table.cutRow(line);
  }

  private current(): TestTable {
    return (this.table ??= new TestTable(this.collector, this.collective));
  }

  private beginTable(): void {
    if (this.table && (this.table.hasRows || !this.table.ranks.isEmpty)) this.table.end();
    this.table = new TestTable(this.collector, this.collective);
  }

  end({ exitCode }: StreamEnd): ParseResult {
    const { collector } = this;
    if (this.json) this.endJson(this.json);
    else {
      collector.context['collective'] = this.collective ?? 'unknown';
      if (this.hasFailure && !this.table?.hasRows) this.table = undefined;
      this.table?.end();
    }
    if (exitCode === null) collector.doubt('nccl.no-exit-code', 'The test ended without an exit code: it was killed, or the connection was lost.');
    else if (exitCode !== undefined && exitCode !== 0) collector.doubt('nccl.exit-code', `The test ended with exit code ${exitCode}${EXIT_WORDS[exitCode] ?? ''}.`);
    return collector.result();
  }

  private endJson(json: JsonDocuments): void {
    for (const { value, line } of json.documents) readJsonResult(value, line, this.collector);
    if (json.isCut || json.isDamaged || json.documents.length === 0) this.collector.doubt('nccl.cut', 'The JSON file is not whole.');
  }
}

/** testResult_t of nccl-tests v2.17.3 and newer (src/common.h); older versions give 1 to 4. */
const EXIT_WORDS: Readonly<Record<number, string>> = {
  1: ' (internal error, or wrong data in older versions)',
  2: ' (CUDA error)',
  3: ' (NCCL error)',
  4: ' (timeout)',
  5: ' (not implemented, or too few GPUs)',
  6: ' (invalid usage)',
  7: ' (wrong data)',
  124: ' (ended by its time limit)',
  137: ' (killed)',
};

const labels = ['collective', 'sizeBytes', 'place'];

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'NCCL collective',
  proves: 'How fast the GPUs exchange data by message size, and whether the data is right.',
  metrics: [
    { metric: 'nccl.busbw', title: 'Bus bandwidth', unit: 'GB/s', valueType: 'number', labels, better: 'higher' },
    { metric: 'nccl.algbw', title: 'Algorithm bandwidth', unit: 'GB/s', valueType: 'number', labels, better: 'higher' },
    { metric: 'nccl.time', title: 'Time of one operation', unit: 'us', valueType: 'number', labels, better: 'lower' },
    { metric: 'nccl.wrong', title: 'Wrong values', valueType: 'number', labels, better: 'lower' },
    { metric: 'nccl.avg_busbw', title: 'Mean bus bandwidth over all sizes', unit: 'GB/s', valueType: 'number', better: 'higher' },
    { metric: 'nccl.ranks', title: 'Ranks', valueType: 'number' },
    { metric: 'nccl.nodes', title: 'Nodes', valueType: 'number' },
  ],
  createParser: (options) => new NcclTestsParser(options),
  plan,
};

const MINUTES_10 = 600_000;

/** One process with all GPUs. The NCCL log goes to standard output, so that `nccl-debug` can read the transport from it. */
function plan(parameters: ProbeParameters, host: HostCapabilities): ProbePlan {
  const collective = (parameters['collective'] as string | undefined) ?? 'all_reduce';
  const tool = host.tools[`${collective}_perf`];
  if (!tool || !COLLECTIVES.includes(collective)) {
    return { kind: 'unprovable', reason: { code: 'nccl.not-installed', severity: 'error', message: `There is no ${collective}_perf of nccl-tests on the machine, so this collective cannot be measured.` } };
  }
  const number = (name: string, fallback: number): string => String((parameters[name] as number | undefined) ?? fallback);
  const text = (name: string, fallback: string): string => (parameters[name] as string | undefined) ?? fallback;
  const sizes = ['-b', text('minBytes', '8M'), '-e', text('maxBytes', '8G'), '-f', number('stepFactor', 2)];
  const repeats = ['-g', number('gpus', host.gpuCount ?? 1), '-c', '1', '-n', number('iterations', 20), '-w', number('warmupIterations', 5)];
  return {
    kind: 'command',
    argv: [tool.path, ...sizes, ...repeats],
    env: { NCCL_DEBUG: 'INFO', NCCL_DEBUG_SUBSYS: 'INIT,NET,GRAPH,P2P,SHM,NVLS' },
    timeoutMs: MINUTES_10,
    expectedDurationMs: 60_000,
    invasive: true,
  };
}
