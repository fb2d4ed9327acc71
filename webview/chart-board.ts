import { LineChart } from './chart';
import { type ChartPicture, chartPictures } from './chart-catalog';
import type { Span } from './chart-overlay';
import type { Domain } from './chart-style';
import { h } from './dom';
import type { RunModel } from './run-model';

const MS_PER_S = 1000;

/** All charts of a run. A chart appears with its first value, at its place in the catalogue. */
export class ChartBoard {
  readonly element = h('div', { class: 'charts', 'data-testid': 'charts' });
  private readonly charts = new Map<string, LineChart>();
  private cursorX: number | undefined;
  private cursorFrame: number | undefined;

  update(run: RunModel): void {
    const pictures = chartPictures(run);
    const domain = timeDomain(pictures);
    const spans = probeSpans(run);
    for (const [index, picture] of pictures.entries()) {
      const chart = this.chart(picture);
      if (this.element.children[index] !== chart.element) this.element.insertBefore(chart.element, this.element.children[index] ?? null);
      chart.update(picture, { spans, ...(domain ? { domain } : {}) });
    }
  }

  redraw(): void {
    for (const chart of this.charts.values()) chart.redraw();
  }

  dispose(): void {
    for (const chart of this.charts.values()) chart.dispose();
    if (this.cursorFrame !== undefined) cancelAnimationFrame(this.cursorFrame);
  }

  private chart(picture: ChartPicture): LineChart {
    const known = this.charts.get(picture.id);
    if (known) return known;
    const chart: LineChart = new LineChart(picture, (x) => (picture.x === 'time' ? this.moveCursor(x) : undefined));
    this.charts.set(picture.id, chart);
    return chart;
  }

  /** One drawing a frame, however fast the pointer moves. */
  private moveCursor(x: number | undefined): void {
    this.cursorX = x;
    this.cursorFrame ??= requestAnimationFrame(() => {
      this.cursorFrame = undefined;
      for (const chart of this.charts.values()) if (chart.isOverTime) chart.showCursor(this.cursorX);
    });
  }
}

function timeDomain(pictures: readonly ChartPicture[]): Domain | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const { x, series } of pictures) {
    if (x !== 'time') continue;
    for (const { points } of series) {
      min = Math.min(min, points[0]?.x ?? Infinity);
      max = Math.max(max, points.at(-1)?.x ?? -Infinity);
    }
  }
  return min < max ? { min, max } : undefined;
}

/** Probes that put load on the machine, as bands behind the charts. */
function probeSpans({ probes, elapsedMs }: RunModel): Span[] {
  return probes.flatMap(({ entry, invasive, startedMs, durationMs }) =>
    invasive && startedMs !== undefined ? [{ label: entry, from: startedMs / MS_PER_S, to: (durationMs === undefined ? elapsedMs : startedMs + durationMs) / MS_PER_S }] : [],
  );
}
