import { t } from '@vscode/l10n';
import type { ChartOptions, ScaleOptions, TooltipItem } from 'chart.js';
import type { ChartPicture } from './chart-catalog';
import type { OverlayColors } from './chart-overlay';
import { formatBytes, formatElapsed, formatNumber } from './format';

/** Series colours are custom properties of the style sheet, so that legend and canvas agree in every theme. */
export const SERIES_COLORS = 8;
export const DASHES = { solid: [], dashed: [6, 3], dotted: [2, 3] } as const;
const MS = 1000;

export function themeColor(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim() || '#888';
}

export const overlayColors = (): OverlayColors => ({ ink: themeColor('--quiet'), span: themeColor('--accent'), threshold: themeColor('--bad'), background: themeColor('--panel') });

export const formatX = ({ x }: ChartPicture, value: number): string => (x === 'bytes' ? formatBytes(value) : formatElapsed(value * MS));
export const titleX = ({ x }: ChartPicture): string => (x === 'bytes' ? t('Message size') : t('Time since start'));

/** Room above the highest threshold for its label. */
const HEADROOM = 1.12;

export interface Domain {
  min: number;
  max: number;
}

export function chartOptions(picture: ChartPicture, domain: Domain | undefined): ChartOptions<'line'> {
  const highest = Math.max(0, ...picture.thresholds.map(({ value }) => value * HEADROOM), picture.yMax ?? 0);
  return {
    responsive: false,
    // Otherwise its width would follow its height.
    maintainAspectRatio: false,
    animation: false,
    parsing: false,
    normalized: true,
    layout: { padding: { top: 4, right: 8 } },
    interaction: { mode: 'nearest', axis: 'x', intersect: false },
    scales: {
      x: picture.x === 'bytes' ? sizeAxis(picture) : { ...timeAxis(picture), ...domain },
      y: { ...yAxis(), ...(picture.yMin === undefined ? { beginAtZero: true } : { suggestedMin: picture.yMin }), ...(highest > 0 ? { suggestedMax: highest } : {}) },
    },
    plugins: {
      legend: { display: false },
      tooltip: {
        itemSort: (a: TooltipItem<'line'>, b: TooltipItem<'line'>) => (b.parsed.y ?? 0) - (a.parsed.y ?? 0),
        callbacks: {
          title: ([item]) => (item ? formatX(picture, item.parsed.x ?? 0) : ''),
          label: ({ dataset, parsed }) => `${dataset.label}  ${formatNumber(parsed.y ?? 0)} ${picture.unit}`,
        },
      },
    },
  };
}

const font = () => ({ size: 10, family: getComputedStyle(document.body).fontFamily });
const axisBase = () => ({ grid: { color: themeColor('--grid'), lineWidth: 1, drawTicks: false }, border: { display: false } });
const ticksBase = () => ({ color: themeColor('--quiet'), font: font(), padding: 5, maxRotation: 0 });

const yAxis = (): ScaleOptions<'linear'> => ({ ...axisBase(), ticks: { ...ticksBase(), maxTicksLimit: 5, callback: (value: number | string) => formatNumber(Number(value)) } }) as ScaleOptions<'linear'>;

const timeAxis = (picture: ChartPicture): ScaleOptions<'linear'> =>
  ({ type: 'linear', ...axisBase(), ticks: { ...ticksBase(), precision: 0, autoSkipPadding: 18, maxTicksLimit: 7, includeBounds: false, callback: (value: number | string) => formatX(picture, Number(value)) } }) as ScaleOptions<'linear'>;

/** Sizes are powers of two; a logarithmic scale would mark powers of ten. */
const sizeAxis = (picture: ChartPicture): ScaleOptions<'logarithmic'> =>
  ({
    type: 'logarithmic',
    ...axisBase(),
    ticks: { ...ticksBase(), autoSkipPadding: 14, callback: (value: number | string) => formatX(picture, Number(value)) },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      const sizes = new Set(picture.series.flatMap(({ points }) => points.map(({ x }) => x)));
      axis.ticks = [...sizes].sort((a, b) => a - b).map((value) => ({ value }));
    },
  }) as unknown as ScaleOptions<'logarithmic'>;
