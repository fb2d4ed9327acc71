/** Numbers that the diagnostic puts into its info lines, such as `GPU 0 GPU to Host bandwidth:  13.15 GB/s`. */
export interface InfoNumber {
  /** `gpu_to_host_bandwidth` */
  name: string;
  value: number;
  unit: string;
  gpu?: string;
}

const UNITS: Readonly<Record<string, string>> = { 'GB/s': 'GB/s', 'MB/s': 'MB/s', us: 'us', ms: 'ms', gigaflops: 'GFLOP/s', GFLOPs: 'GFLOP/s', W: 'W', C: 'Cel', '%': '%' };
const NUMBER = /^(?<words>.*?)[:\s]\s*(?<value>\d+(?:\.\d+)?)\s*\(?(?<unit>GB\/s|MB\/s|gigaflops|GFLOPs|us|ms|W|C|%)(?![A-Za-z])/i;

/** 0x7ffffff0 and its 64-bit kin are blanks, not numbers (dcgmlib/dcgm_structs.h). */
const LARGEST_HONEST_VALUE = 2 ** 31 - 16;

/** DCGM 2 and 3 join the lines of several GPUs, and several of one GPU, with commas. */
export function readInfoNumbers(text: string): InfoNumber[] {
  return text.split(/,\s+(?=GPU\s)/).flatMap(readOne);
}

function readOne(text: string): InfoNumber[] {
  const clean = text.replace(/\s+/g, ' ').trim();
  const gpu = /^(?:GPU (\d+)\b)/.exec(clean)?.[1];
  const match = NUMBER.exec(clean.replace(/^(?:GPU \d+ )+/, ''));
  const { words, value, unit } = match?.groups ?? {};
  if (words === undefined || value === undefined || unit === undefined) return [];
  const number = Number(value);
  const known = UNITS[unit] ?? Object.entries(UNITS).find(([key]) => key.toLowerCase() === unit.toLowerCase())?.[1];
  const name = words.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  if (!known || name === '' || number >= LARGEST_HONEST_VALUE) return [];
  return [{ name, value: number, unit: known, ...(gpu === undefined ? {} : { gpu }) }];
}
