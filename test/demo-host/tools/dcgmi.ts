import { DCGM, DRIVER, GPU_NAME, type Machine, pause, print } from '../machine';

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
  if (args[0] === 'health') return show(`${JSON.stringify({ body: { 'Overall Health': { value: 'Healthy' } }, header: ['Health Monitor Report'] }, null, '\t')}\n`);
  await print('ERROR: Invalid parameter\n');
  return 254;
}

async function show(text: string): Promise<number> {
  await print(text);
  return 0;
}

const option = (args: readonly string[], ...names: string[]): string | undefined => {
  const index = args.findIndex((arg) => names.includes(arg));
  return index === -1 ? undefined : args[index + 1];
};

async function discovery(machine: Machine): Promise<number> {
  await pause(machine, 300);
  const border = '+--------+----------------------------------------------------------------------+\n';
  const row = (id: string, text: string): string => `| ${id.padEnd(6)} | ${text.padEnd(68)} |\n`;
  const gpus = machine.gpus.map(({ busId, uuid }, index) => row(String(index), `Name: ${GPU_NAME}`) + row('', `PCI Bus ID: ${busId}`) + row('', `Device UUID: ${uuid}`) + border).join('');
  const switches = `4 NvSwitches found.\n+-----------+\n| Switch ID |\n+-----------+\n${[0, 1, 2, 3].map((id) => `| ${String(id).padEnd(9)} |\n`).join('')}+-----------+\n`;
  return show(`${machine.gpus.length} GPUs found.\n${border}${row('GPU ID', 'Device Information')}${border}${gpus}${switches}`);
}

/** Tests by level, as DCGM 4 names them. */
const TESTS: { name: string; category: string; level: number; info?: (machine: Machine) => string[] }[] = [
  { name: 'software', category: 'Deployment', level: 1 },
  { name: 'memory', category: 'Hardware', level: 2, info: () => ['Allocated 83751862272 bytes (98.4%)'] },
  { name: 'diagnostic', category: 'Hardware', level: 3, info: ({ random }) => [`calculated at approximately ${random(52_000, 55_000).toFixed(2)} gigaflops during this test`] },
  { name: 'pcie', category: 'Integration', level: 2, info: ({ random }) => [`GPU to Host bandwidth:\t\t${random(53.1, 55.2).toFixed(2)} GB/s`, `Host to GPU bandwidth:\t\t${random(54.4, 55.9).toFixed(2)} GB/s`] },
  { name: 'targeted_power', category: 'Stress', level: 3 },
];
const TEST_MS = [0, 1_500, 4_000, 9_000];

async function diag(machine: Machine, args: readonly string[]): Promise<number> {
  const level = Number(option(args, '-r', '--run') ?? 1);
  await pause(machine, TEST_MS[level] ?? 1_500);
  const remap = machine.scenario.remapPendingGpu;
  const tests = TESTS.filter((test) => test.level <= level);
  const categories = [...new Set(tests.map(({ category }) => category))].map((category) => ({
    category,
    tests: tests.filter((test) => test.category === category).map((test) => {
      const isFaulty = (index: number): boolean => test.name === 'software' && index === remap;
      const results = machine.gpus.map((_, index) => ({
        entity_group: 'GPU',
        entity_group_id: 1,
        entity_id: index,
        ...(test.info ? { info: test.info(machine).map((text) => `GPU ${index} ${text}`) } : {}),
        status: isFaulty(index) ? 'Fail' : 'Pass',
        ...(isFaulty(index) ? { warnings: [{ error_category: 10, error_id: 80, error_severity: 6, warning: `Page Retirement/Row Remap: GPU ${index} has uncorrectable memory errors and row remappings are pending. Reset the GPU.` }] } : {}),
      }));
      return { name: test.name, results, test_summary: { status: results.some(({ status }) => status === 'Fail') ? 'Fail' : 'Pass' } };
    }),
  }));
  const report = {
    'DCGM Diagnostic': { test_categories: categories },
    entity_groups: [{ entity_group: 'GPU', entity_group_id: 1, entities: machine.gpus.map((_, entity_id) => ({ device_id: '2330', entity_id })) }],
    metadata: { 'Driver Version Detected': DRIVER, version: DCGM },
  };
  await print(`${JSON.stringify(report, null, 2)}\n`);
  return remap === undefined ? 0 : 226;
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
