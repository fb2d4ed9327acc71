import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FILES } from '../run/run-folder';
import type { StoredMeasurement } from './report';

/** Undefined when the file does not exist; other errors are thrown. */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Measurements of the probes that have ended; empty when none has. A line that is still being written, or was torn by a crash, is none yet. */
export async function readMeasurements(runDir: string): Promise<StoredMeasurement[]> {
  const text = await readOptional(join(runDir, RUN_FILES.measurements));
  return (text ?? '').split('\n').slice(0, -1).map(readMeasurement);
}

function readMeasurement(line: string, index: number): StoredMeasurement {
  try {
    const measurement = JSON.parse(line) as Partial<StoredMeasurement> | null;
    if (typeof measurement?.metric === 'string' && typeof measurement.probeRun === 'string') return measurement as StoredMeasurement;
  } catch {
    // Told below.
  }
  throw new Error(`Line ${index + 1} of ${RUN_FILES.measurements} is no measurement.`);
}
