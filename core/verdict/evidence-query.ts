import type { HostCapabilities, Measurement, ParseResult, Reason } from '../probes/contract';

/** One probe entry of the card, as it ended (or why it did not run). */
export interface ProbeRunResult {
  probeRun: string;
  stage: string;
  entry: string;
  probe: string;
  monitor: boolean;
  required: boolean;
  /** Absent when the probe did not run; `notRun` then says why. */
  result?: ParseResult;
  notRun?: Reason;
  /** For a probe that read another entry's output: that entry. */
  from?: string;
}

/** Everything that a verdict may rest on. */
export interface Evidence {
  results: readonly ProbeRunResult[];
  capabilities?: HostCapabilities;
}

export interface LocatedMeasurement {
  run: ProbeRunResult;
  measurement: Measurement;
}

/** Label values of a criterion match exactly; a trailing `*` stands for any ending (`GPU*`). */
export function matchesLabels(measurement: Measurement, labels: Readonly<Record<string, string | number>>): boolean {
  return Object.entries(labels).every(([key, wanted]) => {
    const have = measurement.labels?.[key];
    if (have === undefined) return false;
    const text = String(wanted);
    return text.endsWith('*') ? have.startsWith(text.slice(0, -1)) : have === text;
  });
}

export function findMeasurements(
  runs: readonly ProbeRunResult[],
  metric: string,
  labels: Readonly<Record<string, string | number>> = {},
): LocatedMeasurement[] {
  return runs.flatMap((run) =>
    (run.result?.measurements ?? [])
      .filter((measurement) => measurement.metric === metric && matchesLabels(measurement, labels))
      .map((measurement) => ({ run, measurement })),
  );
}

/** The one value of a metric, or undefined when there is none or the evidence disagrees with itself. */
export function singleValue(runs: readonly ProbeRunResult[], metric: string): number | string | undefined {
  const values = new Set(findMeasurements(runs, metric).map(({ measurement }) => measurement.value));
  return values.size === 1 ? [...values][0] : undefined;
}

export function contextValue(run: ProbeRunResult, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = run.result?.context[name];
    if (value !== undefined && !Array.isArray(value)) return String(value);
  }
  return undefined;
}
