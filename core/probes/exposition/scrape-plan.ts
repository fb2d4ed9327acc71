import type { VllmMetricsParameters } from '../../../schemas';
import type { ProbeParameters, ScrapePlan } from '../contract';

const UNLIMITED_TIMEOUT_MS = 4 * 3_600_000;
const UNLIMITED_EXPECTED_MS = 10_000;
const SPARE_MS = 30_000;

/** Scrapes of the metrics address that the card names, as seen from the machine. */
export function planScrapes(parameters: ProbeParameters, defaultPort = 8000): ScrapePlan {
  const { host = '127.0.0.1', port = defaultPort, path = '/metrics', intervalMs = 1_000, count } = parameters as VllmMetricsParameters;
  const shared = { kind: 'scrape', host, port, path, intervalMs, invasive: false } as const;
  if (count === undefined) return { ...shared, timeoutMs: UNLIMITED_TIMEOUT_MS, expectedDurationMs: UNLIMITED_EXPECTED_MS };
  return { ...shared, count, timeoutMs: 2 * count * intervalMs + SPARE_MS, expectedDurationMs: count * intervalMs };
}
