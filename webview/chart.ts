import { CategoryScale, Chart, type ChartConfiguration, type ChartDataset, Legend, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip } from 'chart.js';
import { h, replace, table } from './dom';
import { downSample, type Point } from './run-model';

Chart.register(CategoryScale, Legend, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip);

export interface Series {
  name: string;
  points: readonly Point[];
  /** A threshold: drawn as a dashed line over the whole width. */
  isThreshold?: boolean;
}

export interface ChartOptions {
  id: string;
  title: string;
  unit: string;
  xTitle: string;
  xScale?: 'linear' | 'logarithmic';
  formatX?: (value: number) => string;
  showPoints?: boolean;
}

const PALETTE = ['--vscode-charts-blue', '--vscode-charts-green', '--vscode-charts-orange', '--vscode-charts-purple', '--vscode-charts-yellow', '--vscode-terminal-ansiCyan', '--vscode-terminal-ansiMagenta', '--vscode-charts-foreground'];
const HEIGHT_PX = 170;

/** A line chart with caption, summary in words and its data as a table. Redrawn by hand: sizes are rounded, so zoom cannot shrink it step by step. */
export class LineChart {
  readonly element: HTMLElement;
  private readonly canvas = h('canvas', { 'aria-hidden': 'true' });
  private readonly summary = h('p', { class: 'summary' });
  private readonly data = h('div', {});
  private readonly details = h('details', { toggle: () => this.fillTable() }, h('summary', {}, 'Data'), this.data);
  private readonly frame = h('div', { class: 'chart-frame' }, this.canvas);
  private readonly observer = new ResizeObserver(() => this.resize());
  private chart: Chart<'line', Point[]> | undefined;
  private series: readonly Series[] = [];

  constructor(private readonly options: ChartOptions) {
    this.element = h('figure', { class: 'chart', 'data-testid': options.id, hidden: true }, h('figcaption', {}, options.title, h('span', { class: 'unit' }, options.unit)), this.frame, this.summary, this.details);
    this.observer.observe(this.frame);
  }

  update(series: readonly Series[]): void {
    this.series = series.filter(({ points }) => points.length > 0);
    const measured = this.series.filter(({ isThreshold }) => !isThreshold);
    this.element.hidden = measured.length === 0;
    if (measured.length === 0) return;
    this.summary.textContent = summarise(measured, this.options.unit);
    if (this.details.open) this.fillTable();
    this.draw();
  }

  /** Colours come from the theme; a canvas keeps the old ones until it is drawn anew. */
  redraw(): void {
    this.chart?.destroy();
    this.chart = undefined;
    if (!this.element.hidden) this.draw();
  }

  dispose(): void {
    this.observer.disconnect();
    this.chart?.destroy();
  }

  private width(): number {
    return Math.max(120, Math.floor(this.frame.clientWidth));
  }

  private resize(): void {
    if (this.chart && !this.element.hidden && this.chart.width !== this.width()) this.chart.resize(this.width(), HEIGHT_PX);
  }

  private draw(): void {
    const datasets = this.datasets();
    if (!this.chart) {
      this.chart = new Chart(this.canvas, this.configuration(datasets));
      this.chart.resize(this.width(), HEIGHT_PX);
      return;
    }
    this.chart.data.datasets = datasets;
    this.chart.update('none');
  }

  private datasets(): ChartDataset<'line', Point[]>[] {
    const buckets = this.width();
    let color = 0;
    return this.series.map(({ name, points, isThreshold }) => {
      const stroke = cssColor(isThreshold ? '--vscode-charts-red' : PALETTE[color++ % PALETTE.length]!);
      return {
        label: name,
        data: downSample(points, buckets),
        borderColor: stroke,
        backgroundColor: stroke,
        borderWidth: isThreshold ? 1.5 : 1.6,
        borderDash: isThreshold ? [6, 4] : [],
        pointRadius: this.options.showPoints && !isThreshold ? 2.5 : 0,
        tension: 0,
      };
    });
  }

  private configuration(datasets: ChartDataset<'line', Point[]>[]): ChartConfiguration<'line', Point[]> {
    const { xTitle, xScale = 'linear', formatX = (value: number) => String(Math.round(value)), unit } = this.options;
    const ink = cssColor('--vscode-descriptionForeground');
    const grid = cssColor('--vscode-editorWidget-border', 'rgba(128,128,128,0.25)');
    const font = { size: 10, family: getComputedStyle(document.body).fontFamily };
    const gridLines = { color: grid, lineWidth: 0.5 };
    const title = { display: true, text: xTitle, color: ink, font };
    const ticks = { color: ink, font, maxRotation: 0, autoSkipPadding: 16, callback: (value: number | string) => formatX(Number(value)) };
    return {
      type: 'line',
      data: { datasets },
      options: {
        responsive: false,
        // Otherwise its width would follow its height.
        maintainAspectRatio: false,
        animation: false,
        parsing: false,
        normalized: true,
        interaction: { mode: 'nearest', axis: 'x', intersect: false },
        scales: {
          x:
            xScale === 'logarithmic'
              ? // Sizes are powers of two; a logarithmic scale would mark powers of ten.
                { type: 'logarithmic', title, grid: gridLines, ticks, afterBuildTicks: (axis) => void (axis.ticks = this.measuredX().map((value) => ({ value }))) }
              : { type: 'linear', title, grid: gridLines, ticks: { ...ticks, precision: 0 } },
          y: { beginAtZero: true, ticks: { color: ink, font, maxTicksLimit: 6 }, grid: gridLines },
        },
        plugins: {
          legend: { display: this.series.length > 1, position: 'bottom', labels: { color: ink, font, boxWidth: 14, boxHeight: 2, padding: 8 } },
          tooltip: { callbacks: { title: (items) => (items[0] ? `${xTitle}: ${formatX(items[0].parsed.x ?? 0)}` : ''), label: (item) => `${item.dataset.label}: ${round(item.parsed.y ?? 0)} ${unit}` } },
        },
      },
    };
  }

  private measuredX(): number[] {
    return [...new Set(this.series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  }

  private fillTable(): void {
    if (!this.details.open) return;
    const { formatX = String } = this.options;
    const rows = this.series.flatMap(({ name, points }) => downSample(points, 40).map(({ x, y }) => [name, formatX(x), String(round(y))]));
    replace(this.data, table(['Series', this.options.xTitle, this.options.unit], rows, this.options.title));
  }
}

function cssColor(name: string, fallback = '#888'): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim() || fallback;
}

export const round = (value: number): number => Number(value.toPrecision(4));

/** What a reader who cannot see the chart needs. */
function summarise(series: readonly Series[], unit: string): string {
  const values = series.flatMap(({ points }) => points.map(({ y }) => y)).sort((a, b) => a - b);
  const last = series.map(({ points }) => points.at(-1)!.y);
  const latest = last.reduce((a, b) => a + b, 0) / last.length;
  return `min ${round(values[0]!)} · median ${round(values[Math.floor(values.length / 2)]!)} · max ${round(values.at(-1)!)} · last ${round(latest)} ${unit}`;
}
