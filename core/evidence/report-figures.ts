import type { Measurement } from '../probes/contract';
import type { CriterionVerdict } from '../verdict/contract';
import { escapeMarkup as text } from './markup';
import type { StoredMeasurement } from './report';

const WIDTH = 760;
const HEIGHT = 260;
const LEFT = 64;
const BOTTOM = 40;
const TOP = 16;
const RIGHT = 16;

interface Point {
  sizeBytes: number;
  busBandwidthGBps: number;
}

interface Series {
  /** `all_reduce`; with the probe run where several measured the same. */
  name: string;
  points: Point[];
}

/** Bus bandwidth by message size, a line for each collective of each probe, with the card's thresholds; empty when nothing was measured. */
export function bandwidthChart(measurements: readonly StoredMeasurement[], criteria: readonly CriterionVerdict[]): string {
  const series = readSeries(measurements);
  const points = series.flatMap((one) => one.points);
  if (points.length === 0) return '';
  const thresholds = criteria.filter(({ metric, thresholdValue }) => metric === 'nccl.busbw' && typeof thresholdValue === 'number');
  const [first, last] = [extreme(points, Math.min), extreme(points, Math.max)];
  const best = points.reduce((highest, { busBandwidthGBps }) => Math.max(highest, busBandwidthGBps), 0);
  const scale = scaleOf(first, last, thresholds.reduce((highest, { thresholdValue }) => Math.max(highest, thresholdValue as number), best) * HEADROOM);
  const lines = series.map(({ points: own }, index) => `<path d="${own.map((point, at) => `${at === 0 ? 'M' : 'L'}${scale.x(point.sizeBytes).toFixed(1)} ${scale.y(point.busBandwidthGBps).toFixed(1)}`).join('')}" class="series s${index % SERIES_STYLES}"/>`);
  const legend = series.length < 2 ? '' : `<ul class="legend">${series.map(({ name }, index) => `<li><svg viewBox="0 0 24 8" aria-hidden="true"><path d="M0 4L24 4" class="series s${index % SERIES_STYLES}"/></svg> ${text(name)}</li>`).join('')}</ul>`;
  return `<section><h2>Collective bus bandwidth by message size</h2>
<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Bus bandwidth from ${sizeLabel(first)} to ${sizeLabel(last)}, at most ${best.toFixed(1)} GB/s">
${thresholds.map((criterion) => thresholdLine(criterion, scale)).join('')}${lines.join('')}${axes(points, scale)}</svg>${legend}
<figcaption>GB/s over message size, out of place. Highest: ${best.toFixed(1)} GB/s.</figcaption></figure></section>`;
}

/** Room above the highest value. */
const HEADROOM = 1.1;
/** As many as the style sheet tells apart. */
const SERIES_STYLES = 4;
const MOST_TICKS = 8;

interface Scale {
  top: number;
  x(sizeBytes: number): number;
  y(value: number): number;
}

function scaleOf(firstBytes: number, lastBytes: number, top: number): Scale {
  const [first, last] = [Math.log2(firstBytes), Math.log2(lastBytes)];
  return {
    top,
    x: (sizeBytes) => LEFT + ((Math.log2(sizeBytes) - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT),
    y: (value) => HEIGHT - BOTTOM - (value / (top || 1)) * (HEIGHT - BOTTOM - TOP),
  };
}

function thresholdLine({ id, thresholdValue, expected }: CriterionVerdict, scale: Scale): string {
  const at = scale.y(thresholdValue as number);
  return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}" class="threshold"/><text x="${LEFT + 6}" y="${(at - 5).toFixed(1)}">${text(`${id} ${expected}`)}</text>`;
}

function axes(points: readonly Point[], { top, x, y }: Scale): string {
  const sizes = [...new Set(points.map(({ sizeBytes }) => sizeBytes))].sort((a, b) => a - b);
  const ticks = sizes.filter((_, index) => index % Math.ceil(sizes.length / MOST_TICKS) === 0).map((size) => `<text x="${x(size).toFixed(1)}" y="${HEIGHT - 18}" text-anchor="middle">${sizeLabel(size)}</text>`);
  const values = [0, 0.5, 1].map((share) => `<text x="${LEFT - 8}" y="${(y(top * share) + 4).toFixed(1)}" text-anchor="end">${(top * share).toFixed(0)}</text>`);
  return [...ticks, ...values].join('');
}

const extreme = (points: readonly Point[], of: (a: number, b: number) => number): number => points.map(({ sizeBytes }) => sizeBytes).reduce((a, b) => of(a, b));

/** A series that has one size only is no line. */
function readSeries(measurements: readonly StoredMeasurement[]): Series[] {
  const found = new Map<string, { collective: string; entry: string; points: Point[] }>();
  for (const { metric, labels, value, probeRun } of measurements) {
    const sizeBytes = Number(labels?.['sizeBytes']);
    if (metric !== 'nccl.busbw' || labels?.['place'] === 'in' || typeof value !== 'number' || !(sizeBytes > 0)) continue;
    const collective = [labels?.['collective'] ?? 'collective', labels?.['type'], labels?.['redop']].filter((word) => word !== undefined).join(' ');
    const key = `${probeRun}|${collective}`;
    if (!found.has(key)) found.set(key, { collective, entry: probeRun, points: [] });
    found.get(key)!.points.push({ sizeBytes, busBandwidthGBps: value });
  }
  const all = [...found.values()].filter(({ points }) => points.length > 1);
  return all.map(({ collective, entry, points }) => ({
    name: all.some((other) => other.entry !== entry && other.collective === collective) ? `${collective}, ${entry}` : collective,
    points: points.sort((a, b) => a.sizeBytes - b.sizeBytes),
  }));
}

function sizeLabel(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(bytes) / 10)));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}

/** The topology matrix as the machine gave it; empty when it was not measured. */
export function topologyTable(measurements: readonly Measurement[]): string {
  const links = new Map<string, string>();
  const names = new Set<string>();
  for (const { metric, labels, value } of measurements) {
    const { from, to } = labels ?? {};
    if (metric !== 'topology.link' || from === undefined || to === undefined) continue;
    names.add(from).add(to);
    links.set(`${from}|${to}`, String(value));
  }
  if (names.size === 0) return '';
  const order = [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const cell = (from: string, to: string): string => (from === to ? '·' : (links.get(`${from}|${to}`) ?? links.get(`${to}|${from}`) ?? ''));
  const rows = order.map((from) => `<tr><th scope="row">${text(from)}</th>${order.map((to) => `<td>${text(cell(from, to))}</td>`).join('')}</tr>`);
  return `<section><h2>Topology</h2><table class="matrix"><thead><tr><td></td>${order.map((name) => `<th scope="col">${text(name)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}
