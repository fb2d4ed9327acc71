/** Fewer observations than this, and the percentile is the largest value of the sample. */
export const FEWEST_SAMPLES: Readonly<Record<string, number>> = { p50: 2, p90: 10, p95: 20, p99: 100 };
