import type { MetricDescription, ProbeDefinition } from '../contract';
import { type LoadFormat, LoadParser, MAX_JSON_CHARACTERS } from './load-parser';

export interface LoadTool {
  id: string;
  /** The tool's own name. */
  tool: string;
  /** What its reports can hold. */
  metrics: readonly MetricDescription[];
  format: LoadFormat;
  /** Raised when the tool's own files are read in another way; default 0. */
  version?: number;
  /** Absent for tools whose saved results are only read. */
  plan?: ProbeDefinition['plan'];
}

/** Load generators share their guards, so a change of these is a change of each parser. */
const GUARDS_VERSION = 1;

/** The probe of a load generator. */
export function loadProbe({ id, tool, metrics, format, version = 0, plan }: LoadTool): ProbeDefinition {
  const parser = `${id}/${GUARDS_VERSION + version}`;
  return {
    id,
    parser,
    title: `Load test (${tool})`,
    proves: 'Latency and throughput that clients of the model server see under a load.',
    metrics,
    // Results with the details of each request stand on one line.
    maxLineLength: MAX_JSON_CHARACTERS,
    createParser: (options) => new LoadParser({ id, parser }, format, options),
    ...(plan ? { plan } : {}),
  };
}
