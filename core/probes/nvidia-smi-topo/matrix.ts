/**
 * Reading of the matrix that `nvidia-smi topo -m` prints. Format facts (nvidia-smi manual page and captures of drivers 470 to
 * 595): tab separated, first title cell empty, a blank around `X`, two tabs in front of a last column; copies often have
 * blanks instead of tabs. Device columns come first, then up to three columns about NUMA.
 */

export const TAIL_TITLES = ['CPU Affinity', 'NUMA Affinity', 'GPU NUMA ID'] as const;

export interface MatrixHeader {
  devices: readonly string[];
  tails: readonly string[];
  /** Where each of `tails` begins in the line; only copies with blanks instead of tabs have it. */
  tailStarts?: readonly number[];
}

export interface MatrixRow {
  device: string;
  /** One per device of the header; `X` stands on the diagonal. */
  links: readonly string[];
  cpuAffinity?: string;
  numaAffinity?: string;
  gpuNumaId?: string;
  /** The tail could not be told apart, so it was not read. */
  isTailUnclear: boolean;
}

export type RowReading = { row: MatrixRow } | { problem: string };

const GPU = /^GPU\d{1,3}$/;
/** `NIC0` of newer drivers, or the name of the RDMA device (`mlx5_0`, `ibp27s0`, `rocep1s0`, `mlx5_bond_0`). */
const NIC = /^(?:NIC\d{1,3}|[a-z][a-z0-9_-]{2,30})$/;
/** The legend's words; SOC is what drivers before 2018 called SYS. */
const LINK = /^(?:NV\d{1,3}|SYS|NODE|PHB|PXB|PIX|SOC)$/;
/** Copies can lose what stands between the titles. */
const TITLES = new RegExp(TAIL_TITLES.join('|'), 'g');
const CPU_LIST = /^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/;
const ID_LIST = /^(?:N\/A|\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)$/;

export const isGpu = (device: string): boolean => GPU.test(device);

/** Undefined unless the line names devices, a GPU among them, and then the CPU affinity: `topo -p2p` has no such column. */
export function parseHeader(text: string): MatrixHeader | undefined {
  const at = text.search(/\bCPU Affinity\b/);
  if (at === -1) return undefined;
  const devices = text.slice(0, at).trim().split(/\s+/);
  const titles = [...text.slice(at).matchAll(TITLES)];
  const tails = titles.map(([title]) => title);
  const isKnown = devices.every((device) => GPU.test(device) || NIC.test(device)) && devices.some(isGpu) && new Set(devices).size === devices.length;
  const isTailKnown = text.slice(at).replace(TITLES, '').trim() === '' && tails.every((title, index) => title === TAIL_TITLES[index]);
  if (!isKnown || !isTailKnown) return undefined;
  return { devices, tails, ...(text.includes('\t') ? {} : { tailStarts: titles.map(({ index }) => at + index) }) };
}

/** Undefined for a line that does not start with a device name. */
export function parseRow(text: string, header: MatrixHeader): RowReading | undefined {
  const isTabbed = text.includes('\t');
  const cells = (isTabbed ? text.split('\t') : text.trim().split(/\s+/)).map((cell) => cell.trim());
  const [device = '', ...rest] = cells;
  if (!header.devices.includes(device)) return undefined;
  const links = rest.slice(0, header.devices.length);
  if (links.length < header.devices.length) return { problem: `the row of ${device} has ${links.length} of ${header.devices.length} cells` };
  const self = header.devices.indexOf(device);
  const bad = links.findIndex((link, index) => (index === self ? link !== 'X' : !LINK.test(link)));
  if (bad !== -1) return { problem: `the cell ${device}–${header.devices[bad]} holds ${JSON.stringify((links[bad] ?? '').slice(0, 30))}, which is no link type` };
  const tail = rest.slice(header.devices.length);
  return { row: { device, links, ...parseTail(alignTail(tail, text, header) ?? tail, header, isTabbed) } };
}

type Tail = Omit<MatrixRow, 'device' | 'links'>;

/** The words of a row that has fewer than its header, by the place of their titles. Undefined when that place is not exact. */
function alignTail(words: readonly string[], text: string, { tails, tailStarts }: MatrixHeader): string[] | undefined {
  if (!tailStarts || words.length === 0 || words.length >= tails.length) return undefined;
  const cells = tailStarts.map((start) => (/\s/.test(text[start - 1] ?? '') ? (/^\S*/.exec(text.slice(start))?.[0] ?? '') : ''));
  return cells.filter((cell) => cell !== '').join(' ') === words.join(' ') ? cells : undefined;
}

/** With tabs the first cell is the CPU affinity even when others are empty; otherwise every title needs its word. */
function parseTail(cells: readonly string[], header: MatrixHeader, isTabbed: boolean): Tail {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0) return { isTailUnclear: false };
  if (cells.length === header.tails.length && !isTabbed) return namedTail(cells);
  if (filled.length === header.tails.length) return namedTail(filled);
  const [first = ''] = cells;
  const isUnclear = !isTabbed || filled.length > header.tails.length || (first !== '' && !isCpuAffinity(first));
  return isUnclear ? { isTailUnclear: true } : { isTailUnclear: false, ...given('cpuAffinity', first) };
}

function namedTail([cpu = '', numa = '', gpuNuma = '']: readonly string[]): Tail {
  if ((cpu !== '' && !isCpuAffinity(cpu)) || !ID_LIST.test(numa || '0') || !ID_LIST.test(gpuNuma || '0')) return { isTailUnclear: true };
  return { isTailUnclear: false, ...given('cpuAffinity', cpu), ...given('numaAffinity', numa), ...given('gpuNumaId', gpuNuma) };
}

const isCpuAffinity = (text: string): boolean => text === 'N/A' || CPU_LIST.test(text);

function given<Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> {
  return value === undefined || value === '' || value === 'N/A' ? {} : ({ [key]: value } as Record<Key, string>);
}
