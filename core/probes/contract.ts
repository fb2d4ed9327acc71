/**
 * The contract between a probe and everything that uses it: the run, the `parse` command, imports and replay.
 * The JSON form of {@link ParseResult} is public.
 */

/**
 * - `measured`: the tool ran to its end and its numbers agree with each other. Not a pass: a card judges.
 * - `failed`: the output itself proves a fault.
 * - `inconclusive`: everything else. Never a pass.
 */
export type ProbeOutcome = 'measured' | 'failed' | 'inconclusive';

export type Severity = 'error' | 'warning' | 'info';

/** Why an outcome is what it is. `code` is stable, kebab-case behind a tool prefix, for example `nccl.tcp-fallback`. */
export interface Reason {
  code: string;
  severity: Severity;
  message: string;
  /** 1-based line in the input as given. */
  line?: number;
}

/** One value that a tool gave. A value that it did not give has no measurement: never 0, never null. */
export interface Measurement {
  metric: string;
  value: number | string;
  /** UCUM-like: `GB/s`, `MiB`, `W`, `Cel`, `s`, `ms`, `us`. Absent for counts, ratios (0…1) and text. */
  unit?: string;
  /** All label values are strings. */
  labels?: Record<string, string>;
  /** Observations behind a statistic (requests behind a percentile, iterations behind a mean), when the tool gives them. */
  samples?: number;
  /** Where the true value lies when `value` is only a point in between (a quantile inside a histogram bucket). */
  interval?: { low?: number; high?: number };
  /** 1-based line in the input as given. */
  line?: number;
}

/** What a tool said of itself and its surroundings: versions, ranks, the options that it ran with. */
export type ParseContext = Record<string, string | number | boolean | string[]>;

export interface ParseResult {
  probe: string;
  /** `PROBE/N`, where N grows with each change that could alter a result for the same bytes. */
  parser: string;
  outcome: ProbeOutcome;
  reasons: Reason[];
  measurements: Measurement[];
  context: ParseContext;
}

/** How the bytes ended. Every field is absent when it is not known (saved output). */
export interface StreamEnd {
  /** The tool's exit code; null when it was ended by a signal or the connection was lost. */
  exitCode?: number | null;
  /** For example `SIGKILL`. */
  signal?: string;
  /** The tool's whole standard error, already redacted. */
  stderr?: string;
  /** Why the output is not whole. Any value makes a `measured` outcome impossible. */
  cut?: 'timeout' | 'cancelled' | 'connection-lost' | 'size-limit';
  /** True when the run ended a monitoring probe (dmon, metrics scrapes) on purpose; that is its normal end. */
  plannedStop?: boolean;
  /** The last line has no line break. Set by the byte parser: in some formats that proves a cut. */
  endsMidLine?: boolean;
}

/**
 * Parses one stream, a line at a time, in bounded memory. Never throws on bad input.
 * Lines come without their line break; `lineNumber` is 1-based.
 */
export interface LineParser {
  line(text: string, lineNumber: number): void;
  end(end: StreamEnd): ParseResult;
}

export interface ParserOptions {
  /** Called with each measurement as soon as it is certain, while bytes still arrive. */
  onMeasurement?: (measurement: Measurement) => void;
  /** Text of an earlier scrape, for probes that judge the window between two. */
  previous?: string;
}

/** Values of a probe's `with:` map in a card, checked against its schema. */
export type ProbeParameters = Readonly<Record<string, unknown>>;

/** Facts about the host, found by the `host-capabilities` probe before anything else runs. */
export interface HostCapabilities {
  /** Tools on the PATH (or found in their usual folders), by name: `nvidia-smi`, `dcgmi`, `all_reduce_perf`, `python3`, … */
  tools: Readonly<Record<string, { path: string; version?: string }>>;
  isRoot: boolean;
  /** `docker`, `podman`, `kubernetes`, … when the shell runs inside a container. */
  container?: string;
  virtualMachine?: string;
  driverVersion?: string;
  cudaVersion?: string;
  /** `4.2.3` */
  dcgmVersion?: string;
  ncclVersion?: string;
  gpuCount?: number;
  migEnabled?: boolean;
  /** Field names that `nvidia-smi --help-query-gpu` lists. Absent: not known, so only long-standing fields are asked. */
  queryGpuFields?: readonly string[];
  kernelLogReadable?: boolean;
  /** Which tool could read it; the journal reaches further back than the kernel's ring buffer. */
  kernelLogSource?: 'dmesg' | 'journal';
  /** GPU indices with compute processes, when that could be read. */
  busyGpus?: readonly number[];
  /** How many MIG devices have compute processes. */
  busyMigDevices?: number;
  slurm?: boolean;
}

/** A command that the run will show for consent and then execute. argv is never joined into shell syntax by a probe. */
export interface CommandPlan {
  kind: 'command';
  argv: readonly string[];
  /** Environment of the command (NCCL_DEBUG and the like). Secrets never belong here. */
  env?: Readonly<Record<string, string>>;
  /** Sent to the command's standard input, which is then closed. */
  stdin?: string;
  timeoutMs: number;
  /** Shown to the user before consent. */
  expectedDurationMs: number;
  /** Takes real capacity or disturbs tenants: needs drain authorisation and a confirmation. */
  invasive: boolean;
}

/** Repeated HTTP GETs through the same connection. The run writes each answer behind a `# gpu-acceptance scrape …` line. */
export interface ScrapePlan {
  kind: 'scrape';
  host: string;
  port: number;
  path: string;
  intervalMs: number;
  /** Absent: until the other probes of the stage have ended. */
  count?: number;
  timeoutMs: number;
  expectedDurationMs: number;
  invasive: false;
}

/** This host cannot give this evidence. The probe is recorded as not run, with this reason. */
export interface UnprovablePlan {
  kind: 'unprovable';
  reason: Reason;
}

export type ProbePlan = CommandPlan | ScrapePlan | UnprovablePlan;

export interface ProbeDefinition {
  /** The same string in the card, the code, the evidence and the docs. */
  id: string;
  /** `PROBE/N`. */
  parser: string;
  title: string;
  /** One sentence: what this probe proves. */
  proves: string;
  /** Metrics that it can report, for completion and for the check that a criterion can be met. */
  metrics: readonly MetricDescription[];
  createParser(options?: ParserOptions): LineParser;
  /** Absent for probes that only read saved output. */
  plan?(parameters: ProbeParameters, host: HostCapabilities): ProbePlan;
  /** UTF-16 units of the longest line that may be kept whole; absent: 8 Mi. Some tools write a whole report as one line. */
  maxLineLength?: number;
  /** Runs beside the other probes of its stage until they end (dmon, metrics scrapes). */
  isMonitor?: boolean;
}

export interface MetricDescription {
  /** A trailing `*` stands for any ending (`prom.*`). */
  metric: string;
  title: string;
  /** Absent for counts, ratios and text. */
  unit?: string;
  /** `text` metrics are compared with `==`, `!=` and `in` only. */
  valueType: 'number' | 'text';
  labels?: readonly string[];
  /** `higher` or `lower` is better; absent when neither. */
  better?: 'higher' | 'lower';
  /** Work of others on the GPUs makes it worse, so a value that misses its bound beside such work proves nothing. */
  needsIdleGpus?: true;
}
