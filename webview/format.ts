/** Numbers and times as the page shows them. */

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function formatBytes(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${SIZES[power]}`;
}

/** Four significant digits, with a separator for thousands and without an exponent: `1,980`, `473.7`, `0.0175`. */
export function formatNumber(value: number): string {
  const rounded = Number(value.toPrecision(4));
  return Math.abs(rounded) < 1e-4 && rounded !== 0 ? rounded.toExponential(2) : rounded.toLocaleString('en', { maximumFractionDigits: 6 });
}

/** `0:17`, `12:05`, `1:02:40`. */
export function formatElapsed(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = String(seconds).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** A duration for reading: `0.4 s`, `17 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `GPU 2` before `GPU 10`. */
export const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The words that many names begin with (`GPU ` of `GPU 0`, `GPU 1`, …); empty for a few. */
export function sharedPrefix(names: readonly string[]): string {
  const [first = ''] = names;
  const prefix = first.slice(0, first.lastIndexOf(' ') + 1);
  return names.length > 3 && names.every((name) => name.startsWith(prefix)) ? prefix : '';
}
