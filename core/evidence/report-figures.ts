import type { Measurement } from '../probes/contract';
import type { CriterionVerdict } from '../verdict/contract';
import { escapeMarkup as text } from './markup';

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

/** Bus bandwidth by message size with the card's thresholds; empty when nothing was measured. */
export function bandwidthChart(measurements: readonly Measurement[], criteria: readonly CriterionVerdict[]): string {
  const points = readPoints(measurements);
  if (points.length < 2) return '';
  const thresholds = criteria.filter(({ metric, thresholdValue }) => metric === 'nccl.busbw' && typeof thresholdValue === 'number');
  const top = Math.max(...points.map((point) => point.busBandwidthGBps), ...thresholds.map(({ thresholdValue }) => thresholdValue as number)) * 1.1;
  const [first, last] = [Math.log2(points[0]!.sizeBytes), Math.log2(points.at(-1)!.sizeBytes)];
  const x = (sizeBytes: number): number => LEFT + ((Math.log2(sizeBytes) - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
  const path = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${x(point.sizeBytes).toFixed(1)} ${y(point.busBandwidthGBps).toFixed(1)}`).join('');
  const lines = thresholds.map(({ id, thresholdValue, expected }) => {
    const at = y(thresholdValue as number).toFixed(1);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" class="threshold"/><text x="${LEFT + 6}" y="${(Number(at) - 5).toFixed(1)}">${text(`${id} ${expected}`)}</text>`;
  });
  const ticks = points.filter((_, index) => index % Math.ceil(points.length / 8) === 0).map((point) => `<text x="${x(point.sizeBytes).toFixed(1)}" y="${HEIGHT - 18}" text-anchor="middle">${sizeLabel(point.sizeBytes)}</text>`);
  const scale = [0, 0.5, 1].map((share) => `<text x="${LEFT - 8}" y="${(y(top * share) + 4).toFixed(1)}" text-anchor="end">${(top * share).toFixed(0)}</text>`);
  const best = Math.max(...points.map((point) => point.busBandwidthGBps));
  return `<section><h2>Collective bus bandwidth by message size</h2>
<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Bus bandwidth from ${sizeLabel(points[0]!.sizeBytes)} to ${sizeLabel(points.at(-1)!.sizeBytes)}, at most ${best.toFixed(1)} GB/s">
${lines.join('')}<path d="${path}" class="series"/>${ticks.join('')}${scale.join('')}</svg>
<figcaption>GB/s over message size, out of place. Highest: ${best.toFixed(1)} GB/s.</figcaption></figure></section>`;
}

function readPoints(measurements: readonly Measurement[]): Point[] {
  return measurements
    .filter(({ metric, labels, value }) => metric === 'nccl.busbw' && labels?.['place'] !== 'in' && typeof value === 'number' && Number(labels?.['sizeBytes']) > 0)
    .map(({ labels, value }) => ({ sizeBytes: Number(labels!['sizeBytes']), busBandwidthGBps: value as number }))
    .sort((a, b) => a.sizeBytes - b.sizeBytes);
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
