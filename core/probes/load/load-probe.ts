import type { MetricDescription, ProbeDefinition } from '../contract';
import { type LoadFormat, LoadParser, MAX_JSON_CHARACTERS } from './load-parser';

export interface LoadTool {
  id: string;
  /** The tool's own name. */
  tool: string;
  /** What its reports can hold. */
  metrics: readonly MetricDescription[];
  format: LoadFormat;
  /** Absent for tools whose saved results are only read. */
  plan?: ProbeDefinition['plan'];
}

/** The version of the parsers of load generators: they share their guards, so a change of these is a change of each. */
const PARSER_VERSION = 1;

/** The probe of a load generator. */
export function loadProbe({ id, tool, metrics, format, plan }: LoadTool): ProbeDefinition {
  const parser = `${id}/${PARSER_VERSION}`;
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
