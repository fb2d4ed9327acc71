import type { ServerFamilies } from './families';
import type { Histogram } from './histogram';
import { labelValue, type Series, seriesKey } from './reader';
import type { ScrapeSnapshot } from './scrape-snapshot';

/** Start times are written with milliseconds; a restart takes longer. */
const SAME_START_S = 1;
/** Of any server that counts its HTTP answers; model servers count no failed requests of their own. */
const HTTP_REQUESTS = 'http_requests_total';
const START_TIME = 'process_start_time_seconds';

/**
 * Whether a server ran through from one scrape to a later one. A counter that went down or away, another start time of the
 * process or of a metric: each shows a restart, even when there was more traffic after it than before. Undefined: it ran.
 */
export function restartBetween(families: ServerFamilies, before: ScrapeSnapshot, after: ScrapeSnapshot): string | undefined {
  if (tellsItsStart(before) !== tellsItsStart(after)) return 'Only one of two scrapes tells when the process was started: they come from different processes.';
  for (const [key, earlier] of before.series) {
    const problem = seriesRestart(families, earlier, after.series.get(key), before);
    if (problem !== undefined) return problem;
  }
  for (const [key, earlier] of before.histograms) {
    if (!families.prefix.test(earlier.name)) continue;
    const later = after.histograms.get(key);
    if (!later) return `The histogram ${earlier.name} went away: the server was restarted.`;
    if (countsLess(later, earlier)) return `The histogram ${earlier.name} counts less than before: the server was restarted.`;
  }
  return undefined;
}

function countsLess(later: Histogram, earlier: Histogram): boolean {
  if ((later.count ?? 0) < (earlier.count ?? 0)) return true;
  // Without a copy of the buckets: this runs for each histogram of each scrape.
  for (const [le, cumulative] of earlier.buckets) if ((later.buckets.get(le) ?? -1) < cumulative) return true;
  return false;
}

function seriesRestart({ prefix }: ServerFamilies, earlier: Series, later: Series | undefined, before: ScrapeSnapshot): string | undefined {
  const { name } = earlier;
  const isStartTime = name === START_TIME;
  if (!isStartTime && name !== HTTP_REQUESTS && !prefix.test(name)) return undefined;
  if (isStartTime || name.endsWith('_created')) {
    if (!later || Math.abs(later.value - earlier.value) <= SAME_START_S) return undefined;
    return isStartTime ? 'The process of the server has another start time: the server was restarted.' : `${name} has another time: the server was restarted.`;
  }
  if (!isCounter(name, before)) return undefined;
  if (!later) return `The counter ${name} went away: the server was restarted.`;
  return later.value < earlier.value ? `The counter ${name} went down from ${earlier.value} to ${later.value}: the server was restarted.` : undefined;
}

/** The kind comes from the declaration: names that end in `_total` need not be counters. OpenMetrics declares them without it. */
function isCounter(name: string, { reader: { types } }: ScrapeSnapshot): boolean {
  const type = types.get(name);
  return type === 'counter' || ((type === undefined || type === 'untyped' || type === 'unknown') && name.endsWith('_total'));
}

/** Seconds that the server had run at a time; undefined when it does not say when it was started. */
export function uptimeSeconds(snapshot: ScrapeSnapshot, timeMs: number): number | undefined {
  const started = snapshot.series.get(seriesKey(START_TIME, []))?.value;
  const uptime = started === undefined ? NaN : timeMs / 1000 - started;
  return uptime > 0 ? uptime : undefined;
}

/** In multiprocess mode the process families are missing, and with them the best sign of a restart. */
export const tellsItsStart = (snapshot: ScrapeSnapshot): boolean => snapshot.series.has(START_TIME);

/** Growth of `http_requests_total` by class or code of the status. */
export function httpStatuses(after: ScrapeSnapshot, before: ScrapeSnapshot | undefined): Map<string, { value: number; line: number }> {
  const totals = new Map<string, { value: number; line: number }>();
  for (const series of after.seriesNamed(HTTP_REQUESTS)) {
    const status = labelValue(series.labels, 'status') ?? labelValue(series.labels, 'code');
    if (status === undefined) continue;
    const growth = series.value - (before?.series.get(seriesKey(series.name, series.labels))?.value ?? 0);
    if (!Number.isFinite(growth)) continue;
    totals.set(status, { value: (totals.get(status)?.value ?? 0) + growth, line: totals.get(status)?.line ?? series.line });
  }
  return totals;
}
