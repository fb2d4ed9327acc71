import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { RunEvent } from '../run/events';
import { RUN_FILES } from '../run/run-folder';
import { listFiles, SIGNATURE_FILE, TAG_MANIFEST, writeBagManifests } from './bag';
import { evidenceFilter } from './contents';
import { viewsOf } from './copies';
import { renderReport } from './report';
import { readMeasurements } from './run-files';
import { type RunSummary, summariseRun } from './run-summary';
import { readSealedLog } from './sealed-log';
import { SIGNATURE_NAMESPACE } from './signature';
import { type SigningKey, signWithSshKey } from './ssh-signature';
import { writeZip } from './zip';

/** The folder holds no run that can be exported; the message says why. */
export class NotARunError extends Error {}

interface LoadedRun {
  summary: RunSummary;
  events: RunEvent[];
  /** The log itself, without a torn last line: that is not evidence of anything. */
  log: string;
}

async function loadRun(runDir: string): Promise<LoadedRun> {
  const text = await readFile(join(runDir, RUN_FILES.events), 'utf8').catch(() => undefined);
  if (text === undefined) throw new NotARunError(`${runDir} holds no run: ${RUN_FILES.events} is missing.`);
  const log = withoutTornLine(text);
  const read = readSealedLog(log);
  if ('problem' in read) throw new NotARunError(`The log of ${runDir} was damaged. ${read.problem}`);
  return { summary: summariseRun(read.events), events: read.events, log };
}

/** A run that was killed may end in the middle of a line; everything before it is whole. */
const withoutTornLine = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

/** The self-contained HTML report of a run, also of one that was interrupted. */
export async function renderRunReport(runDir: string): Promise<string> {
  const { summary } = await loadRun(runDir);
  return renderReport(summary, await readMeasurements(runDir));
}

export async function writeReport(runDir: string, target: string): Promise<void> {
  const html = await renderRunReport(runDir);
  await mkdir(dirname(resolve(target)), { recursive: true });
  await writeFile(target, html);
}

/** Writes the sealed bundle of a run, signed when a key is given. An existing file is replaced only when the new one is complete. */
export async function exportBundle(runDir: string, target: string, signingKey?: SigningKey): Promise<void> {
  const run = await loadRun(runDir);
  const { summary, events } = run;
  const staging = await mkdtemp(join(tmpdir(), 'gpu-acceptance-export-'));
  const partial = `${resolve(target)}.partial`;
  try {
    await stage(runDir, join(staging, 'data'), run);
    await writeBagManifests(staging, {
      'Source-Organization': 'GPU Acceptance Workbench',
      'External-Identifier': summary.runId,
      'Bagging-Date': (summary.endedAt ?? events.at(-1)?.time ?? '').slice(0, 10),
      'Bag-Software-Agent': `gpu-acceptance ${summary.toolVersion}`,
      'Bundle-Version': '1',
    });
    if (signingKey) await signBag(staging, signingKey);
    await mkdir(dirname(partial), { recursive: true });
    await writeZip(partial, (await listFiles(staging)).map((name) => ({ name, path: join(staging, name) })));
    await rename(partial, resolve(target));
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(partial, { force: true });
  }
}

async function signBag(directory: string, key: SigningKey): Promise<void> {
  await writeFile(join(directory, SIGNATURE_FILE), signWithSshKey(await readFile(join(directory, TAG_MANIFEST)), SIGNATURE_NAMESPACE, key));
}

async function stage(runDir: string, data: string, { summary, events, log }: LoadedRun): Promise<void> {
  await mkdir(data, { recursive: true });
  const isEvidence = evidenceFilter(events);
  // A program that is killed right behind its verdict has not logged it.
  const isKept = (name: string): boolean => isEvidence(name) && (name !== RUN_FILES.verdict || summary.verdict !== undefined);
  for (const name of (await listFiles(runDir)).filter(isKept)) {
    await mkdir(dirname(join(data, name)), { recursive: true });
    await copyFile(join(runDir, name), join(data, name));
  }
  // As it was before the other files were copied: a run that goes on must not have logged more than the bundle holds.
  await writeFile(join(data, RUN_FILES.events), log);
  for (const [name, text] of Object.entries(viewsOf(events, await readMeasurements(data)))) await writeFile(join(data, name), text);
}

/** A name for the bundle that sorts by time and says what it is. */
export const bundleName = (runDir: string): string => `acceptance-${basename(resolve(runDir))}.zip`;
