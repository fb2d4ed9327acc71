import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '../run/events';
import { CAPABILITIES_RUN, RUN_FILES } from '../run/run-folder';
import { listFiles } from './bag';
import { VIEWS } from './copies';

const RAW_NAMES = ['stdout', 'stderr', 'cmd.json', 'exit.json'];

/** Whether a file of a run folder is evidence of the logged run: what else lies in the folder (a file manager's own) vouches for nothing. */
export function evidenceFilter(events: readonly RunEvent[]): (name: string) => boolean {
  const probeRuns = [CAPABILITIES_RUN, ...events.filter((event) => event.type === 'probe-started').map(({ probeRun }) => probeRun)];
  const raw = probeRuns.flatMap((probeRun) => RAW_NAMES.map((name) => `${RUN_FILES.raw}/${probeRun}/${name}`));
  const known = new Set<string>([...Object.values(RUN_FILES), ...raw]);
  return (name) => known.has(name);
}

/** A file of an unpacked bundle that is neither evidence nor made from it. */
export async function strayFile(data: string, events: readonly RunEvent[]): Promise<string | undefined> {
  const isEvidence = evidenceFilter(events);
  return (await listFiles(data)).find((name) => !isEvidence(name) && !(VIEWS as readonly string[]).includes(name));
}

const VERSIONS = { 'bagit.txt': /^BagIt-Version: 1\.0$/m, 'bag-info.txt': /^Bundle-Version: 1$/m };

/** The file that says that another version of the layout was used, which may mean anything. */
export async function unknownVersion(directory: string): Promise<string | undefined> {
  for (const [name, version] of Object.entries(VERSIONS)) {
    if (!version.test(await readFile(join(directory, name), 'utf8').catch(() => ''))) return name;
  }
  return undefined;
}
