import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { busBandwidthFactor } from '../nccl/collectives';
import { stripAnsi } from '../text/ansi';
import { asArray, asObject, asText, type JsonObject } from '../text/json-documents';
import { ResultCollector } from '../text/result-collector';
import { failureOn, type FoundFailure } from './failures';
import script from './smoke.py';

const ID = 'torch-distributed';
const PARSER = `${ID}/1`;
const RESULT = 'gpu-acceptance-torch ';
const GIB = 2 ** 30;

class TorchParser implements LineParser {
  private readonly collector: ResultCollector;
  private first: (FoundFailure & { line: number }) | undefined;
  private hasResult = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw);
    const at = text.indexOf(RESULT);
    if (at !== -1) return this.result(text.slice(at + RESULT.length), line);
    this.failure(text, line);
    return undefined;
  }

  /** The first text that names a cause wins over those that only report an end. */
  private failure(text: string, line: number): void {
    const found = failureOn(text);
    if (found && (!this.first || found.weight > this.first.weight)) this.first = { ...found, line };
  }

  private result(json: string, line: number): void {
    let value: JsonObject | undefined;
    try {
      value = asObject(JSON.parse(json));
    } catch {
      value = undefined;
    }
    if (!value) return this.collector.doubt('torch.cut', 'The result of the smoke test is not whole.', line);
    this.hasResult = true;
    this.measure(value, line);
  }

  private measure(value: JsonObject, line: number): void {
    const { collector } = this;
    const ranks = value['ranks'];
    const error = asText(value['error']);
    const version = asText(value['torch']);
    if (version !== undefined) collector.measure({ metric: 'torch.version', value: version, line });
    if (error !== undefined) return collector.fault('torch.gpus-missing', error, line);
    const reports = asArray(value['reports']).map(asObject);
    if (typeof ranks !== 'number' || reports.length !== ranks || ranks < 1) return collector.doubt('torch.ranks-missing', `${String(ranks)} ranks were started, ${reports.length} answered.`, line);
    collector.measure({ metric: 'torch.ranks', value: ranks, line });
    collector.context['ranks'] = ranks;
    for (const report of reports) this.measureRank(report, ranks, line);
    return undefined;
  }

  private measureRank(report: JsonObject | undefined, ranks: number, line: number): void {
    const { collector } = this;
    const rank = asText(report?.['rank']) ?? '';
    const error = asText(report?.['error']);
    if (error !== undefined) {
      const known = failureOn(error);
      if (known?.isFault) collector.fault(known.code, `Rank ${rank}: ${error}`, line);
      else collector.doubt(known?.code ?? 'torch.rank-failed', `Rank ${rank}: ${error}`, line);
      return;
    }
    const [wrong, seconds, contextMs] = [report?.['wrongValues'], report?.['secondsPerAllReduce'], report?.['contextMs']];
    if (typeof wrong !== 'number' || typeof seconds !== 'number' || seconds <= 0) return collector.doubt('torch.rank-incomplete', `Rank ${rank} gave no result.`, line);
    const labels = { rank };
    if (typeof contextMs === 'number') collector.measure({ metric: 'torch.context', value: contextMs, unit: 'ms', labels, line });
    collector.measure({ metric: 'torch.allreduce.wrong', value: wrong, labels, line });
    if (wrong > 0) collector.fault('torch.wrong-data', `Rank ${rank} got ${wrong} wrong values: the all-reduce gives wrong results.`, line);
    const busBandwidth = (GIB / seconds / 1e9) * busBandwidthFactor('all_reduce', ranks)!;
    collector.measure({ metric: 'torch.allreduce.busbw', value: Number(busBandwidth.toFixed(3)), unit: 'GB/s', labels: { ...labels, sizeBytes: String(GIB) }, line });
  }

  end({ exitCode, stderr }: StreamEnd): ParseResult {
    const { collector } = this;
    if (!this.hasResult) for (const text of (stderr ?? '').split('\n')) this.failure(text, 0);
    if (this.first) {
      const { code, message, isFault, line } = this.first;
      if (isFault) collector.fault(code, message, line || undefined);
      else collector.doubt(code, message, line || undefined);
    }
    if (exitCode === null || (exitCode !== undefined && exitCode !== 0)) collector.doubt('torch.exit-code', `The program ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}.`);
    return collector.result();
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'PyTorch distributed smoke test',
  proves: 'That the framework creates a context on each GPU and that NCCL adds right values through PyTorch.',
  metrics: [
    { metric: 'torch.version', title: 'PyTorch version', valueType: 'text' },
    { metric: 'torch.ranks', title: 'Ranks', valueType: 'number' },
    { metric: 'torch.context', title: 'Time to create a CUDA context', unit: 'ms', valueType: 'number', labels: ['rank'], better: 'lower' },
    { metric: 'torch.allreduce.wrong', title: 'Wrong values of an all-reduce', valueType: 'number', labels: ['rank'], better: 'lower' },
    { metric: 'torch.allreduce.busbw', title: 'Bus bandwidth of a 1 GiB all-reduce', unit: 'GB/s', valueType: 'number', labels: ['rank', 'sizeBytes'], better: 'higher' },
  ],
  createParser: (options) => new TorchParser(options),
  plan: (parameters, host) => {
    const python = host.tools['python3'];
    if (!python) return { kind: 'unprovable', reason: { code: 'torch.no-python', severity: 'error', message: 'There is no python3 on the machine, so the PyTorch smoke test cannot run.' } };
    const gpus = (parameters['gpus'] as number | undefined) ?? 0;
    return { kind: 'command', argv: [python.path, '-', String(gpus)], stdin: script, timeoutMs: 600_000, expectedDurationMs: 60_000, invasive: true };
  },
};
