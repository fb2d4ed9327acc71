import { t } from '@vscode/l10n';
import { Chart, type ChartDataset, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip } from 'chart.js';
import type { ChartPicture, PictureSeries } from './chart-catalog';
import { type Overlay, overlayPlugin, type Span } from './chart-overlay';
import { chartOptions, DASHES, type Domain, formatX, overlayColors, SERIES_COLORS, themeColor, titleX } from './chart-style';
import { summariseChart } from './chart-summary';
import { cell, h, row, scrollable, svg, table, update } from './dom';
import { formatNumber, sharedPrefix } from './format';
import { downSample, nearest, type Point, withBreaks } from './series';

Chart.register(LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip);

const HEIGHT_PX = 150;
const TABLE_ROWS = 60;

export interface ChartSurroundings {
  /** Shared by all charts over time, so that one moment stands at one place. */
  domain?: Domain;
  spans: readonly Span[];
}

/** A line chart with caption, legend, summary in words and its data as a table. Sizes are rounded, so that zoom cannot shrink it step by step. */
export class LineChart {
  readonly element: HTMLElement;
  private readonly canvas = h('canvas', { 'aria-hidden': 'true' });
  private readonly frame = h('div', { class: 'chart-frame' }, this.canvas);
  private readonly legend = h('div', { class: 'legend', role: 'group', 'aria-label': t('Series') });
  private readonly summary = h('p', { class: 'summary' });
  private readonly data = scrollable(t('Data table'), undefined);
  private readonly details = h('details', {}, h('summary', {}, t('Data table')), this.data);
  private readonly observer = new ResizeObserver(() => this.resize());
  private readonly hidden = new Set<string>();
  private readonly overlay: Overlay = { thresholds: [], spans: [] };
  private chart: Chart<'line', Point[]> | undefined;
  private domain: Domain | undefined;

  /** `onCursor` gets the x value under the pointer, or nothing when it leaves. */
  constructor(
    private picture: ChartPicture,
    onCursor: (x: number | undefined) => void,
  ) {
    this.element = h('figure', { class: picture.x === 'bytes' ? 'chart wide-chart' : 'chart', 'data-testid': picture.id }, h('figcaption', {}, h('span', {}, picture.title), h('span', { class: 'unit' }, picture.unit)), this.frame, this.legend, this.summary, this.details);
    this.observer.observe(this.frame);
    this.details.addEventListener('toggle', () => this.fillTable());
    this.legend.addEventListener('click', (event) => this.toggle((event.target as Element).closest('button')?.dataset['series']));
    this.canvas.addEventListener('mousemove', ({ offsetX }) => onCursor(this.chart?.scales['x']?.getValueForPixel(offsetX)));
    this.canvas.addEventListener('mouseleave', () => onCursor(undefined));
  }

  update(picture: ChartPicture, { domain, spans }: ChartSurroundings): void {
    this.picture = picture;
    this.domain = domain;
    this.overlay.thresholds = picture.thresholds;
    this.overlay.spans = picture.x === 'time' ? spans : [];
    this.summary.textContent = summariseChart(picture);
    this.fillLegend();
    this.fillTable();
    this.draw();
  }

  /** Draws the moment that the pointer is at in another chart, and shows each series' value there. */
  showCursor(x: number | undefined): void {
    if (x === undefined) delete this.overlay.cursorX;
    else this.overlay.cursorX = x;
    this.fillLegend();
    this.chart?.draw();
  }

  get isOverTime(): boolean {
    return this.picture.x === 'time';
  }

  /** Colours come from the theme; a canvas keeps the old ones until it is drawn anew. */
  redraw(): void {
    this.chart?.destroy();
    this.chart = undefined;
    this.draw();
  }

  dispose(): void {
    this.observer.disconnect();
    this.chart?.destroy();
  }

  private toggle(name: string | undefined): void {
    if (name === undefined) return;
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.fillLegend();
    this.draw();
  }

  private width(): number {
    return Math.max(120, Math.floor(this.frame.clientWidth));
  }

  private resize(): void {
    if (this.chart && this.frame.clientWidth > 0 && this.chart.width !== this.width()) this.chart.resize(this.width(), HEIGHT_PX);
  }

  private draw(): void {
    const datasets = this.picture.series.map((series, index) => this.dataset(series, index));
    const options = chartOptions(this.picture, this.domain);
    if (!this.chart) {
      const plugin = overlayPlugin(() => ({ overlay: this.overlay, colors: overlayColors() }));
      this.chart = new Chart(this.canvas, { type: 'line', data: { datasets }, options, plugins: [plugin] });
      this.chart.resize(this.width(), HEIGHT_PX);
      return;
    }
    this.chart.data.datasets = datasets;
    this.chart.options = options;
    this.chart.update('none');
  }

  private dataset({ name, points, dash }: PictureSeries, index: number): ChartDataset<'line', Point[]> {
    const color = themeColor(`--series-${index % SERIES_COLORS}`);
    const thinned = downSample(points, this.width());
    const isOverTime = this.picture.x === 'time';
    return {
      label: name,
      data: isOverTime ? withBreaks(thinned) : thinned,
      hidden: this.hidden.has(name),
      borderColor: color,
      backgroundColor: color,
      borderWidth: 1.5,
      borderDash: [...DASHES[dash]],
      pointRadius: isOverTime ? (points.length === 1 ? 2.5 : 0) : 2.5,
      pointHoverRadius: 3,
      tension: 0,
    };
  }

  private fillLegend(): void {
    const { cursorX } = this.overlay;
    const shared = sharedPrefix(this.picture.series.map(({ name }) => name));
    const chips = this.picture.series.map(({ name, points, dash }, index) => {
      const value = cursorX === undefined ? points.at(-1) : nearest(points, cursorX);
      const line = svg('svg', { class: `swatch series-${index % SERIES_COLORS}`, viewBox: '0 0 16 4', 'aria-hidden': 'true' }, svg('line', { x1: '0', y1: '2', x2: '16', y2: '2', 'stroke-dasharray': DASHES[dash].join(' ') }));
      return h('button', { type: 'button', class: 'chip', 'data-key': name, 'data-series': name, 'aria-pressed': String(!this.hidden.has(name)), title: name }, line, h('span', { class: 'hidden' }, shared), h('span', { class: 'name' }, name.slice(shared.length)), h('span', { class: 'value' }, value ? formatNumber(value.y) : ''));
    });
    update(this.legend, shared !== '' && h('span', { class: 'quiet', 'aria-hidden': 'true' }, shared), ...chips);
  }

  private fillTable(): void {
    if (!this.details.open) return;
    const rows = this.picture.series.flatMap(({ name, points }) => downSample(points, TABLE_ROWS / 2).map(({ x, y }, index) => row(`${name} ${index}`, cell('', name), cell('number', formatX(this.picture, x)), cell('number', formatNumber(y)))));
    update(this.data, table([t('Series'), titleX(this.picture), this.picture.unit], rows, this.picture.title));
  }
}
