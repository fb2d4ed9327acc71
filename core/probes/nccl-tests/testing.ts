/** Tables that agree with themselves, as nccl-tests would print them. For tests only. */

export interface TableOptions {
  collective?: string;
  /** Bus bandwidth over algorithm bandwidth; default that of all_reduce. */
  factor?: number;
  sizes?: number[];
  ranks?: number;
  hosts?: number;
  busBandwidthGBps?: number;
  /** Wrong values out of place in the last row. */
  wrong?: number;
  footer?: boolean;
  prefix?: string;
}

const MIB = 1_048_576;
export const SIZES = [256 * MIB, 512 * MIB, 1024 * MIB];

export function table(options: TableOptions = {}): string {
  const { collective = 'all_reduce', sizes = SIZES, ranks = 8, footer = true, wrong = 0, prefix = '' } = options;
  const { rows, mean } = tableRows(options);
  const lines = [
    '# nccl-tests version 2.18.1 nccl-headers=22803 nccl-library=22803',
    `# Collective test starting: ${collective}_perf`,
    `# nThread 1 nGpus 1 minBytes ${sizes[0]} maxBytes ${sizes.at(-1)} step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0`,
    '#',
    '# Using devices',
    ...rankLines(ranks, options.hosts ?? 1),
    '#',
    '#                                                              out-of-place                       in-place          ',
    '#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong',
    '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)',
    ...rows,
    ...(footer ? [`# Out of bounds values : ${wrong > 0 ? '2 FAILED' : '0 OK'}`, `# Avg bus bandwidth    : ${Number(mean.toPrecision(6))} `, '#', `# Collective test concluded: ${collective}_perf`, '#', ''] : ['']),
  ];
  return lines.map((line) => prefix + line).join('\n');
}

function rankLines(ranks: number, hosts: number): string[] {
  const busId = (rank: number): string => (16 + (rank % 8)).toString(16);
  return Array.from({ length: ranks }, (_, rank) => `#  Rank ${String(rank).padStart(2)} Group  0 Pid  ${900 + rank} on node${Math.floor((rank * hosts) / ranks)} device ${String(rank % 8).padStart(2)} [0000:${busId(rank)}:00] NVIDIA H100 80GB HBM3`);
}

/** Only the rows, and the mean of their bus bandwidth cells. */
export function tableRows({ sizes = SIZES, ranks = 8, factor = (2 * (ranks - 1)) / ranks, busBandwidthGBps = 430, wrong = 0 }: TableOptions = {}): { rows: string[]; mean: number } {
  const cells: number[] = [];
  const rows = sizes.map((size, index) => {
    const algbw = ranks === 1 ? 900 : (busBandwidthGBps / factor) * ((index + 1) / sizes.length);
    const half = (check: number): string => {
      const busbw = algbw * factor;
      cells.push(Number(busbw.toFixed(2)));
      return `${(size / algbw / 1e3).toFixed(2).padStart(8)}  ${algbw.toFixed(2).padStart(6)}  ${busbw.toFixed(2).padStart(6)}  ${String(check).padStart(6)}`;
    };
    return `${String(size).padStart(12)}  ${String(size / 4).padStart(12)}     float     sum      -1 ${half(index === sizes.length - 1 ? wrong : 0)} ${half(0)}`;
  });
  return { rows, mean: cells.reduce((a, b) => a + b, 0) / cells.length };
}
