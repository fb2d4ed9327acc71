import { convert, parseQuantity } from '../../document/quantity';
import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { asObject, asText, type JsonObject } from '../text/json-documents';
import { ResultCollector } from '../text/result-collector';
import script from './checkpoint.py';

const ID = 'checkpoint-restore';
const PARSER = `${ID}/1`;
const MARK = 'gpu-acceptance-checkpoint ';
const GIB = 2 ** 30;

interface Phase {
  bytes: number;
  seconds: number;
  sha256: string;
  line: number;
}

class CheckpointParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly phases = new Map<string, Phase>();
  private hasEnd = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(text: string, line: number): void {
    if (!text.startsWith(MARK)) return;
    let value: JsonObject | undefined;
    try {
      value = asObject(JSON.parse(text.slice(MARK.length)));
    } catch {
      value = undefined;
    }
    if (!value) return this.collector.doubt('checkpoint.cut', 'A line of the result is not whole.', line);
    this.phase(value, line);
    return undefined;
  }

  private phase(value: JsonObject, line: number): void {
    const name = asText(value['phase']);
    if (name === 'end') this.hasEnd = true;
    else if (name === 'error') this.collector.doubt('checkpoint.error', asText(value['message']) ?? 'The checkpoint test reported an error.', line);
    else if (name === 'write' || name === 'restore') this.timed(name, value, line);
  }

  private timed(name: 'write' | 'restore', value: JsonObject, line: number): void {
    const { bytes, seconds, sha256 } = value;
    if (typeof bytes !== 'number' || typeof seconds !== 'number' || seconds <= 0 || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) {
      return this.collector.doubt('checkpoint.incomplete', `The phase "${name}" gives no bytes, seconds or hash.`, line);
    }
    this.phases.set(name, { bytes, seconds, sha256, line });
    this.collector.measure({ metric: `checkpoint.${name}.seconds`, value: Number(seconds.toFixed(4)), unit: 's', line });
    this.collector.measure({ metric: `checkpoint.${name}.bandwidth`, value: Number((bytes / seconds / 1e9).toFixed(4)), unit: 'GB/s', line });
  }

  end({ exitCode }: StreamEnd): ParseResult {
    const { collector } = this;
    const [written, restored] = [this.phases.get('write'), this.phases.get('restore')];
    if (written) collector.measure({ metric: 'checkpoint.bytes', value: written.bytes, unit: 'B', line: written.line });
    if (written && restored) this.compare(written, restored);
    else if (!collector.hasDoubt) collector.doubt('checkpoint.incomplete', written ? 'The checkpoint was written, but not restored.' : 'No checkpoint was written.');
    if (written && restored && !this.hasEnd) collector.doubt('checkpoint.no-end', 'The test did not come to its end.');
    if (exitCode === null || (exitCode !== undefined && exitCode !== 0)) collector.doubt('checkpoint.exit-code', `The test ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}.`);
    return collector.result();
  }

  private compare(written: Phase, restored: Phase): void {
    const isSame = written.sha256 === restored.sha256 && written.bytes === restored.bytes;
    this.collector.measure({ metric: 'checkpoint.restored', value: isSame ? 'match' : 'mismatch', line: restored.line });
    if (!isSame) this.collector.fault('checkpoint.mismatch', 'The restored checkpoint is not the written one: the storage gave back other bytes.', restored.line);
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Checkpoint write and restore',
  proves: 'That a checkpoint written to the storage comes back, byte for byte, in another process.',
  metrics: [
    { metric: 'checkpoint.restored', title: 'Restored state against written state: match or mismatch', valueType: 'text' },
    { metric: 'checkpoint.bytes', title: 'Size of the checkpoint', unit: 'B', valueType: 'number' },
    { metric: 'checkpoint.write.seconds', title: 'Time to write', unit: 's', valueType: 'number', better: 'lower' },
    { metric: 'checkpoint.write.bandwidth', title: 'Bandwidth of writing', unit: 'GB/s', valueType: 'number', better: 'higher' },
    { metric: 'checkpoint.restore.seconds', title: 'Time to restore', unit: 's', valueType: 'number', better: 'lower' },
    { metric: 'checkpoint.restore.bandwidth', title: 'Bandwidth of restoring', unit: 'GB/s', valueType: 'number', better: 'higher' },
  ],
  createParser: (options) => new CheckpointParser(options),
  plan: (parameters, host) => {
    const python = host.tools['python3'];
    const unprovable = (code: string, message: string) => ({ kind: 'unprovable', reason: { code, severity: 'error', message } }) as const;
    if (!python) return unprovable('checkpoint.no-python', 'There is no python3 on the machine, so the checkpoint test cannot run.');
    const directory = parameters['directory'];
    if (typeof directory !== 'string') return unprovable('checkpoint.no-directory', 'The card does not say in which directory the checkpoint is written.');
    const size = parseQuantity(String(parameters['size'] ?? '1 GiB'));
    const bytes = size && convert(size, 'B');
    if (bytes === undefined || !Number.isInteger(bytes) || bytes < 1) return unprovable('checkpoint.bad-size', `The size "${String(parameters['size'])}" is no whole number of bytes.`);
    return {
      kind: 'command',
      argv: [python.path, '-', directory, String(bytes), String(parameters['seed'] ?? 7)],
      stdin: script,
      timeoutMs: 1_800_000,
      expectedDurationMs: 2_000 + Math.round(bytes / 5e5),
      // Small checkpoints are what any job writes; large ones fill the storage that others use.
      invasive: bytes > GIB,
    };
  },
};
