import { DCGM, GPU_NAME, type Machine, pause, print } from '../machine';
import { diag } from './dcgmi-diag';
import { option, show, tableRow } from './output';

const NO_DRIVER = 'Error: Unable to connect to host engine. Host engine connection invalid/disconnected.\n';
const NO_ENGINE_EXIT = 235;

export async function dcgmi(machine: Machine, args: readonly string[]): Promise<number> {
  if (args[0] === '--version') return show(`dcgmi  version: ${DCGM}\n`);
  // Without a working driver the host engine does not stay up.
  if (machine.scenario.driverMismatch) {
    await print(NO_DRIVER);
    return NO_ENGINE_EXIT;
  }
  if (args[0] === '-v') return show(`Version : ${DCGM}\nBuild ID : 12\nBuild Date : 2025-05-12\nBuild Type : Release\n\nHostengine build info:\nVersion : ${DCGM}\nBuild ID : 12\n`);
  if (args[0] === 'discovery') return discovery(machine);
  if (args[0] === 'diag') return diag(machine, args.slice(1));
  if (args[0] === 'dmon') return dmon(machine, args.slice(1));
  if (args[0] === 'health') return health(machine, args.slice(1));
  if (args[0] === 'nvlink') return nvlink(machine);
  await print('ERROR: Invalid parameter\n');
  return 254;
}

async function discovery(machine: Machine): Promise<number> {
  await pause(machine, 300);
  const border = '+--------+----------------------------------------------------------------------+\n';
  const row = (id: string, text: string): string => `| ${id.padEnd(6)} | ${text.padEnd(68)} |\n`;
  const gpus = machine.gpus.map(({ busId, uuid }, index) => row(String(index), `Name: ${GPU_NAME}`) + row('', `PCI Bus ID: ${busId}`) + row('', `Device UUID: ${uuid}`) + border).join('');
  const switches = `4 NvSwitches found.\n+-----------+\n| Switch ID |\n+-----------+\n${[0, 1, 2, 3].map((id) => `| ${String(id).padEnd(9)} |\n`).join('')}+-----------+\n`;
  return show(`${machine.gpus.length} GPUs found.\n${border}${row('GPU ID', 'Device Information')}${border}${gpus}${switches}`);
}

/** Healthy unless a row remap waits: then the memory watch warns, as on a real machine, and the exit code is 0 all the same. */
function health({ scenario }: Machine, args: readonly string[]): Promise<number> {
  if (args.includes('-s')) return show('Health monitor systems set successfully.\n');
  const overall = scenario.remapPendingGpu === undefined ? 'Healthy' : 'Warning';
  const gpu = scenario.remapPendingGpu === undefined ? {} : { GPU: { children: { [scenario.remapPendingGpu]: { children: { Memory: { value: 'Warning' } }, value: 'Warning' } } } };
  if (args.includes('-j')) return show(`${JSON.stringify({ body: { 'Overall Health': { value: overall }, ...gpu }, header: ['Health Monitor Report'] }, null, '\t')}\n`);
  const border = `+${'-'.repeat(27)}+${'-'.repeat(48)}+\n`;
  return show(`+${'='.repeat(76)}+\n|${' Health Monitor Report'.padEnd(76)}|\n+${'='.repeat(27)}+${'='.repeat(48)}+\n${tableRow('Overall Health', overall)}${border}`);
}

function nvlink({ gpus }: Machine): Promise<number> {
  const links = gpus.map((_, index) => `    gpuId ${index}:\n        ${Array.from({ length: 18 }, () => 'U').join(' ')}\n`).join('');
  const switches = [0, 1, 2, 3].map((id) => `    physicalId ${id}:\n        ${Array.from({ length: 64 }, () => 'U').join(' ')}\n`).join('');
  return show(`+----------------------+\n|  NvLink Link Status  |\n+----------------------+\nGPUs:\n${links}NvSwitches:\n${switches}\nKey: Up=U, Down=D, Disabled=X, Not Supported=_\n`);
}

/** Columns by field id: tag, and a value that follows the load of the machine. */
const FIELDS: Record<string, { tag: string; value: (load: number, machine: Machine, gpu: number) => string }> = {
  203: { tag: 'GPUTL', value: (load, { random }) => Math.min(100, load * 97 + random(0, 3)).toFixed(0) },
  204: { tag: 'MCUTL', value: (load, { random }) => Math.min(100, load * 62 + random(0, 5)).toFixed(0) },
  150: { tag: 'TMPTR', value: (load, { gpus }, gpu) => (gpus[gpu]!.temperatureCel + 31 * load).toFixed(0) },
  155: { tag: 'POWER', value: (load, { gpus, random }, gpu) => (gpus[gpu]!.powerW + 560 * load + random(-6, 6)).toFixed(3) },
  100: { tag: 'SMCLK', value: (load, { random }) => (load > 0.85 ? 1980 - 15 * Math.floor(random(0, 6)) : 1980).toFixed(0) },
  101: { tag: 'MMCLK', value: () => '2619' },
};
const ROWS_PER_HEADER = 14;

async function dmon(machine: Machine, args: readonly string[]): Promise<number> {
  const ids = (option(args, '-e', '--field-id') ?? '').split(',');
  const fields = ids.map((id) => FIELDS[id]);
  if (fields.some((field) => field === undefined)) {
    await print('Error setting watches. Result: -6: Unknown field identifier\n');
    return 250;
  }
  const intervalMs = Number(option(args, '-d', '--delay') ?? 1000);
  const count = Number(option(args, '-c', '--count') ?? Number.POSITIVE_INFINITY);
  const header = `#Entity         ${fields.map((field) => field!.tag.padEnd(12)).join('')}\nID\n`;
  const stop = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  }).then(() => true);
  let rows = 0;
  for (let sample = 0; sample < count; sample++) {
    // Warm-up, then steady load with a slow wave, as a collective over growing sizes gives.
    const load = Math.min(1, sample / 5) * (0.86 + 0.1 * Math.sin(sample / 4));
    for (const [gpu] of machine.gpus.entries()) {
      if (rows++ % ROWS_PER_HEADER === 0) await print(header);
      await print(`${`GPU ${gpu}`.padEnd(16)}${fields.map((field) => field!.value(load, machine, gpu).padEnd(12)).join('')}\n`);
    }
    if (await Promise.race([stop, pause(machine, intervalMs)])) {
      await print('dmon was stopped due to receiving a signal.\n');
      return 0;
    }
  }
  return 0;
}
