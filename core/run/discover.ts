import { join } from 'node:path';
import type { CommandPlan, HostCapabilities } from '../probes/contract';
import { probe as capabilityProbe, toHostCapabilities } from '../probes/host-capabilities';
import { createByteParser } from '../probes/parse';
import type { Transport } from '../transport/contract';
import { CAPABILITIES_RUN, makeRawFolder, RawStream, type RunFolder, type WrittenFile } from './run-folder';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export interface FoundHost {
  capabilities: HostCapabilities;
  stdout: WrittenFile;
  exitCode: number | null;
}

/** Looks what the machine can do. Reads only; its answer is kept as evidence like that of any probe. */
export async function discoverHost(transport: Transport, folder: RunFolder, signal: AbortSignal): Promise<FoundHost> {
  const plan = capabilityProbe.plan!({}, { tools: {}, isRoot: false }) as CommandPlan;
  const rawFolder = folder.rawFolder(CAPABILITIES_RUN);
  makeRawFolder(rawFolder);
  const parser = createByteParser(capabilityProbe);
  const stdout = new RawStream(join(rawFolder, 'stdout'), MAX_ANSWER_BYTES, (chunk) => parser.write(chunk));
  const stderr = new RawStream(join(rawFolder, 'stderr'), MAX_ANSWER_BYTES);
  const { argv, stdin, timeoutMs } = plan;
  try {
    const { exitCode, cut } = await transport.exec({ argv, timeoutMs, signal, ...(stdin === undefined ? {} : { stdin }) }, { stdout: (chunk) => stdout.push(chunk), stderr: (chunk) => stderr.push(chunk) });
    const file = stdout.end();
    stderr.end();
    return { capabilities: toHostCapabilities(parser.end({ exitCode, ...(cut ? { cut } : {}) })), stdout: file, exitCode };
  } finally {
    stdout.close();
    stderr.close();
  }
}
