import { GPU_NAME, HOST, type Machine, pause, print } from '../machine';
import { option } from './output';

const FACTORS: Record<string, (n: number) => number> = {
  all_reduce: (n) => (2 * (n - 1)) / n,
  all_gather: (n) => (n - 1) / n,
  reduce_scatter: (n) => (n - 1) / n,
  alltoall: (n) => (n - 1) / n,
  broadcast: () => 1,
  reduce: () => 1,
  sendrecv: () => 1,
};

const LATENCY_US = 24;
const MOST_RUN_MS = 900;

/** A collective of nccl-tests 2.17: header, rank list, library log, rows whose numbers agree, footer. */
export async function ncclTests(machine: Machine, program: string, args: readonly string[]): Promise<number> {
  const name = program.replace(/_perf$/, '');
  const factor = FACTORS[name] ?? (() => 1);
  const value = (flag: string, fallback: string): string => option(args, flag) ?? fallback;
  const gpus = Number(value('-g', '1'));
  if (machine.scenario.driverMismatch) {
    await print(`${HOST}: Test CUDA failure common.cu:1181 'CUDA driver version is insufficient for CUDA runtime version'\n .. ${HOST} pid ${process.pid}: Test failure common.cu:1069\n`);
    return 2;
  }
  if (gpus > machine.gpus.length) {
    process.stderr.write(`Invalid number of GPUs: ${gpus} requested but only ${machine.gpus.length} were found.\nPlease check the number of processes and GPUs per process.\n`);
    return 5;
  }
  const [min, max, step] = [bytes(value('-b', '32M')), bytes(value('-e', '32M')), Number(value('-f', '2'))];
  await header(machine, program, gpus, min, max, step, value('-w', '5'), value('-n', '20'));
  if (process.env['NCCL_DEBUG'] === 'INFO') await libraryLog(machine, gpus);
  if (machine.scenario.collectiveHangs) return hang();
  return rows(machine, name, factor(gpus), min, max, step);
}

const bytes = (text: string): number => Number.parseInt(text, 10) * ({ K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }[text.at(-1) ?? ''] ?? 1);

async function header(machine: Machine, program: string, gpus: number, min: number, max: number, step: number, warmup: string, iterations: string): Promise<void> {
  const ranks = machine.gpus.slice(0, gpus).map(({ busId }, rank) => `#  Rank ${String(rank).padStart(2)} Group  0 Pid ${String(process.pid).padStart(6)} on ${HOST} device ${String(rank).padStart(2)} [${busId.slice(4, 11).toLowerCase()}] ${GPU_NAME}\n`);
  await print(`# nccl-tests version 2.17.6 nccl-headers=22703 nccl-library=22703\n# Collective test starting: ${program}\n# nThread 1 nGpus ${gpus} minBytes ${min} maxBytes ${max} step: ${step}(factor) warmup iters: ${warmup} iters: ${iterations} agg iters: 1 validation: 1 graph: 0\n#\n# Using devices\n${ranks.join('')}`);
  await pause(machine, 900);
}

async function libraryLog({ scenario }: Machine, gpus: number): Promise<void> {
  const info = (rank: number, text: string): string => `${HOST}:${process.pid}:${process.pid + 20 + rank} [${rank}] NCCL INFO ${text}\n`;
  const lines = ['NCCL version 2.27.3+cuda12.8\n', info(0, 'Bootstrap: Using eth0:10.20.0.4<0>')];
  // Somebody's old settings: what makes NCCL leave NVLink and shared memory.
  if (scenario.transport === 'tcp') lines.push(...['NCCL_IB_DISABLE', 'NCCL_P2P_DISABLE', 'NCCL_SHM_DISABLE'].map((name) => info(0, `${name} set by environment to 1.`)));
  lines.push(info(0, scenario.transport === 'tcp' ? 'NET/Socket : Using [0]eth0:10.20.0.4<0>' : 'NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.20.0.4<0>'));
  lines.push(info(0, `Using network ${scenario.transport === 'tcp' ? 'Socket' : 'IB'}`));
  for (let rank = 0; rank < gpus; rank++) lines.push(info(rank, `comm 0x55d0c0de${rank}000 rank ${rank} nRanks ${gpus} nNodes 1 localRanks ${gpus} localRank ${rank} MNNVL 0`));
  const channels = scenario.transport === 'tcp' ? 2 : 24;
  for (let rank = 0; rank < gpus; rank++) {
    for (let channel = 0; channel < channels; channel++) {
      const next = (rank + 1) % gpus;
      const route = `Channel ${String(channel).padStart(2, '0')}/0 : ${rank}[${rank}] -> ${next}[${next}]`;
      lines.push(info(rank, scenario.transport === 'tcp' ? `${route} [send] via NET/Socket/0` : `${route} via P2P/CUMEM`));
    }
    lines.push(info(rank, `${channels} coll channels, 0 collnet channels, ${scenario.transport === 'tcp' ? 0 : 16} nvls channels, 32 p2p channels, 32 p2p channels per peer`));
  }
  await print(lines.join(''));
}

/** Starts and then waits for a peer that never answers. */
function hang(): Promise<number> {
  return new Promise((resolve) => {
    setInterval(() => undefined, 60_000);
    process.once('SIGTERM', () => resolve(143));
  });
}

async function rows(machine: Machine, name: string, factor: number, min: number, max: number, step: number): Promise<number> {
  await print(`#\n#                                                              out-of-place                       in-place          \n#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong \n#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)        \n`);
  const cells: number[] = [];
  const half = (size: number): string => {
    const ceiling = (machine.scenario.busBandwidthGBps / (factor || 1)) * machine.random(0.992, 1.006);
    const timeUs = Number((LATENCY_US + size / ceiling / 1e3).toFixed(2));
    const algbw = size / timeUs / 1e3;
    cells.push(algbw * factor);
    return `${width(timeUs, 8)} ${width(algbw, 7)} ${width(algbw * factor, 7)} ${'0'.padStart(6)}`;
  };
  const redop = /reduce/.test(name) ? 'sum' : 'none';
  for (let size = min; size <= max; size *= step) {
    await print(`${String(size).padStart(12)}  ${String(size / 4).padStart(12)}     float ${redop.padStart(7)} ${(name === 'broadcast' || name === 'reduce' ? '0' : '-1').padStart(7)}`);
    await pause(machine, Math.min(MOST_RUN_MS, 120 + size / 1.2e7));
    await print(` ${half(size)} ${half(size)}\n`);
  }
  const average = cells.reduce((a, b) => a + b, 0) / cells.length;
  await print(`# Out of bounds values : 0 OK\n# Avg bus bandwidth    : ${Number(average.toPrecision(6))} \n#\n# Collective test concluded: ${name}_perf\n#\n\n`);
  return 0;
}

/** Wide numbers drop decimals, as the tool prints them. */
const width = (value: number, cells: number): string => value.toFixed(value >= 10_000 ? (value >= 100_000 ? 0 : 1) : 2).padStart(cells);
