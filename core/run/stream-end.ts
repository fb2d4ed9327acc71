import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamEnd } from '../probes/contract';
import type { RunEventBody } from './events';

type Ended = Extract<RunEventBody, { type: 'probe-ended' }>;

/** Parsers look at standard error for causes; the first mebibyte holds them. */
const STDERR_FOR_PARSERS = 1024 * 1024;

/** What a parser is told of the end of its input. A run and its replay both use it, so they cannot drift apart. */
export async function streamEndOf(rawFolder: string, ended: Pick<Ended, 'exitCode' | 'signal' | 'cut' | 'plannedStop'>): Promise<StreamEnd> {
  const { exitCode, signal, cut, plannedStop } = ended;
  return {
    exitCode,
    stderr: await readBeginning(join(rawFolder, 'stderr'), STDERR_FOR_PARSERS),
    ...(signal === undefined ? {} : { signal }),
    ...(cut === undefined ? {} : { cut }),
    ...(plannedStop ? { plannedStop } : {}),
  };
}

async function readBeginning(path: string, bytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(bytes, (await file.stat()).size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
