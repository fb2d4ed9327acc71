import { t } from '@vscode/l10n';
import type { ChartPicture, PictureSeries } from './chart-catalog';
import { formatNumber } from './format';
import { type Statistics, statisticsOf } from './series';

/** More series than this are told as one: eight GPUs are a range, three percentiles are not. */
const MOST_SEPARATE = 3;

/** What a reader who cannot see the chart needs: smallest, middle, largest and last value. */
export function summariseChart({ series, unit }: ChartPicture): string {
  const all = series.flatMap((one) => {
    const statistics = statisticsOf(one.points);
    return statistics ? [{ name: one.name, statistics }] : [];
  });
  if (all.length === 0) return '';
  if (all.length > MOST_SEPARATE) return together(series, all, unit);
  return all.map(({ name, statistics }) => (all.length === 1 ? sentence(statistics, unit) : `${name}: ${sentence(statistics, unit)}`)).join(' · ');
}

function sentence({ min, median, max, last }: Statistics, unit: string): string {
  return t('min {0}, median {1}, max {2}, last {3} {4}', formatNumber(min), formatNumber(median), formatNumber(max), formatNumber(last), unit);
}

function together(series: readonly PictureSeries[], all: readonly { name: string; statistics: Statistics }[], unit: string): string {
  const whole = statisticsOf(series.flatMap(({ points }) => points))!;
  const lowest = all.reduce((a, b) => (b.statistics.min < a.statistics.min ? b : a));
  const highest = all.reduce((a, b) => (b.statistics.max > a.statistics.max ? b : a));
  const lasts = all.map(({ statistics }) => statistics.last);
  return t('min {0} ({1}), median {2}, max {3} ({4}), last {5} to {6} {7}', formatNumber(lowest.statistics.min), lowest.name, formatNumber(whole.median), formatNumber(highest.statistics.max), highest.name, formatNumber(Math.min(...lasts)), formatNumber(Math.max(...lasts)), unit);
}
