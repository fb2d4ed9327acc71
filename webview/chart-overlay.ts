import type { Chart, Plugin } from 'chart.js';
import type { PictureThreshold } from './chart-catalog';

/** What is drawn over and under the lines of a chart. */
export interface Overlay {
  thresholds: readonly PictureThreshold[];
  /** Probes that ran meanwhile, in values of the x axis. */
  spans: readonly Span[];
  cursorX?: number;
}

export interface Span {
  label: string;
  from: number;
  to: number;
}

export interface OverlayColors {
  ink: string;
  span: string;
  threshold: string;
  background: string;
}

const FONT = '10px sans-serif';
/** A span narrower than this has no room for its name. */
const NAMED_SPAN_PX = 34;
const LABEL_HEIGHT_PX = 12;

/** `read` is asked at each drawing: what it returns changes without a new chart. */
export function overlayPlugin(read: () => { overlay: Overlay; colors: OverlayColors }): Plugin<'line'> {
  return {
    id: 'overlay',
    beforeDatasetsDraw: (chart) => {
      const { overlay, colors } = read();
      for (const [index, span] of overlay.spans.entries()) drawSpan(chart, span, index, colors);
      for (const threshold of overlay.thresholds) shadeFailing(chart, threshold, colors);
    },
    afterDatasetsDraw: (chart) => {
      const { overlay, colors } = read();
      for (const threshold of overlay.thresholds) drawThreshold(chart, threshold, colors);
      if (overlay.cursorX !== undefined) drawCursor(chart, overlay.cursorX, colors);
    },
  };
}

function inArea(chart: Chart, draw: (context: CanvasRenderingContext2D) => void): void {
  const { ctx, chartArea } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
  ctx.clip();
  ctx.font = FONT;
  draw(ctx);
  ctx.restore();
}

function drawSpan(chart: Chart, { label, from, to }: Span, index: number, { ink, span }: OverlayColors): void {
  const { chartArea, scales } = chart;
  const left = Math.max(chartArea.left, scales['x']!.getPixelForValue(from));
  const right = Math.min(chartArea.right, scales['x']!.getPixelForValue(to));
  if (right <= left) return;
  inArea(chart, (context) => {
    context.fillStyle = span;
    context.globalAlpha = index % 2 === 0 ? 0.1 : 0.05;
    context.fillRect(left, chartArea.top, right - left, chartArea.height);
    if (right - left < NAMED_SPAN_PX) return;
    context.beginPath();
    context.rect(left, chartArea.bottom - LABEL_HEIGHT_PX, right - left - 2, LABEL_HEIGHT_PX);
    context.clip();
    context.globalAlpha = 0.85;
    context.fillStyle = ink;
    context.fillText(label, left + 3, chartArea.bottom - 3);
  });
}

function shadeFailing(chart: Chart, { value, failing, at }: PictureThreshold, { threshold }: OverlayColors): void {
  if (failing === undefined || at !== undefined) return;
  const { chartArea, scales } = chart;
  const y = scales['y']!.getPixelForValue(value);
  const [top, bottom] = failing === 'above' ? [chartArea.top, y] : [y, chartArea.bottom];
  inArea(chart, (context) => {
    context.fillStyle = threshold;
    context.globalAlpha = 0.07;
    context.fillRect(chartArea.left, top, chartArea.width, bottom - top);
  });
}

function drawThreshold(chart: Chart, { label, value, at }: PictureThreshold, { threshold, background }: OverlayColors): void {
  const { chartArea, scales } = chart;
  const y = scales['y']!.getPixelForValue(value);
  inArea(chart, (context) => {
    context.strokeStyle = threshold;
    context.lineWidth = 1.25;
    context.setLineDash([7, 4]);
    context.beginPath();
    context.moveTo(chartArea.left, y);
    context.lineTo(chartArea.right, y);
    context.stroke();
    context.setLineDash([]);
    const width = context.measureText(label).width + 6;
    const textTop = y - LABEL_HEIGHT_PX - 2 < chartArea.top ? y + 3 : y - LABEL_HEIGHT_PX - 2;
    context.globalAlpha = 0.8;
    context.fillStyle = background;
    context.fillRect(chartArea.left + 2, textTop, width, LABEL_HEIGHT_PX);
    context.globalAlpha = 1;
    context.fillStyle = threshold;
    context.fillText(label, chartArea.left + 5, textTop + 9);
  });
  if (at !== undefined) drawMark(chart, scales['x']!.getPixelForValue(at), y, threshold);
}

/** The size that is judged is often the last one: its mark may reach over the edge. */
function drawMark({ ctx }: Chart, x: number, y: number, color: string): void {
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(x, y, 4, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.restore();
}

function drawCursor(chart: Chart, x: number, { ink }: OverlayColors): void {
  const pixel = chart.scales['x']!.getPixelForValue(x);
  inArea(chart, (context) => {
    context.strokeStyle = ink;
    context.globalAlpha = 0.6;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(pixel, chart.chartArea.top);
    context.lineTo(pixel, chart.chartArea.bottom);
    context.stroke();
  });
}
