import { DCGM, DRIVER, type Machine, pause, print } from '../machine';
import { option, tableRow } from './output';

/** Tests by level, as DCGM 4 names them. */
const TESTS: { name: string; category: string; level: number; info?: (machine: Machine) => string[] }[] = [
  { name: 'software', category: 'Deployment', level: 1 },
  { name: 'memory', category: 'Hardware', level: 2, info: () => ['Allocated 83751862272 bytes (98.4%)'] },
  { name: 'diagnostic', category: 'Hardware', level: 3, info: ({ random }) => [`calculated at approximately ${random(52_000, 55_000).toFixed(2)} gigaflops during this test`] },
  { name: 'pcie', category: 'Integration', level: 2, info: ({ random }) => [`GPU to Host bandwidth:\t\t${random(53.1, 55.2).toFixed(2)} GB/s`, `Host to GPU bandwidth:\t\t${random(54.4, 55.9).toFixed(2)} GB/s`] },
  { name: 'targeted_power', category: 'Stress', level: 3 },
];
const TEST_MS = [0, 1_500, 4_000, 9_000];
const LEVELS: Record<string, number> = { quick: 1, short: 1, medium: 2, long: 3 };
/** dcgmi ends with the low byte of NVVS_ERROR (-30). */
const DIAG_FAILED_EXIT = 226;

interface Result {
  gpu: number;
  status: 'Pass' | 'Fail';
  info: string[];
  warnings: { error_category: number; error_id: number; error_severity: number; warning: string }[];
}

type Category = { category: string; tests: { name: string; status: Result['status']; results: Result[] }[] };

/** The report is printed when the last test has ended: as JSON with `-j`, as a table without. */
export async function diag(machine: Machine, args: readonly string[]): Promise<number> {
  const wanted = option(args, '-r', '--run') ?? '1';
  const level = LEVELS[wanted] ?? Number(wanted);
  await pause(machine, TEST_MS[level] ?? TEST_MS[1]!);
  const categories = runTests(machine, level);
  await print(args.includes('-j') || args.includes('--json') ? jsonReport(machine, categories) : textReport(machine, categories));
  return categories.some(({ tests }) => tests.some(({ status }) => status === 'Fail')) ? DIAG_FAILED_EXIT : 0;
}

function runTests(machine: Machine, level: number): Category[] {
  const tests = TESTS.filter((test) => test.level <= level);
  return [...new Set(tests.map(({ category }) => category))].map((category) => ({
    category,
    tests: tests
      .filter((test) => test.category === category)
      .map(({ name, info }) => {
        const results = machine.gpus.map((_, gpu): Result => resultOf(name, gpu, machine, info?.(machine) ?? []));
        return { name, results, status: results.some(({ status }) => status === 'Fail') ? 'Fail' : 'Pass' };
      }),
  }));
}

function resultOf(test: string, gpu: number, { scenario }: Machine, info: string[]): Result {
  if (test !== 'software' || gpu !== scenario.remapPendingGpu) return { gpu, status: 'Pass', info, warnings: [] };
  const warning = `Page Retirement/Row Remap: GPU ${gpu} has uncorrectable memory errors and row remappings are pending. Reset the GPU.`;
  return { gpu, status: 'Fail', info, warnings: [{ error_category: 10, error_id: 80, error_severity: 6, warning }] };
}

function jsonReport({ gpus }: Machine, categories: Category[]): string {
  const entity = { entity_group: 'GPU', entity_group_id: 1 };
  const report = {
    'DCGM Diagnostic': {
      test_categories: categories.map(({ category, tests }) => ({
        category,
        tests: tests.map(({ name, status, results }) => ({
          name,
          results: results.map(({ gpu, info, warnings, ...result }) => ({ ...entity, entity_id: gpu, ...(info.length > 0 ? { info: info.map((text) => `GPU ${gpu} ${text}`) } : {}), status: result.status, ...(warnings.length > 0 ? { warnings } : {}) })),
          test_summary: { status },
        })),
      })),
    },
    entity_groups: [{ ...entity, entities: gpus.map((_, entity_id) => ({ device_id: '2330', entity_id })) }],
    metadata: { 'Driver Version Detected': DRIVER, version: DCGM },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

const VALUE_WIDTH = 45;

/** Two columns; long values are cut hard into rows without a name. */
function textReport({ gpus }: Machine, categories: Category[]): string {
  const border = (fill: string): string => `+${fill.repeat(27)}+${fill.repeat(48)}+\n`;
  const section = (name: string): string => `|-----  ${name}  ${'-'.repeat(18 - name.length)}+${'-'.repeat(48)}|\n`;
  const row = (name: string, value: string): string => (value.match(new RegExp(`.{1,${VALUE_WIDTH}}`, 'g')) ?? ['']).map((part, index) => tableRow(index === 0 ? name : '', part)).join('');
  const tests = categories.flatMap(({ category, tests: ofCategory }) => [
    section(category),
    ...ofCategory.flatMap(({ name, status, results }) => [
      row(name, status),
      ...results.map(({ gpu, status: ofGpu }) => row('', `GPU${gpu}: ${ofGpu}`)),
      ...results.flatMap(({ gpu, warnings }) => warnings.map(({ warning }) => row(`Warning: GPU${gpu}`, warning))),
    ]),
  ]);
  const metadata = [row('DCGM Version', DCGM), row('Driver Version Detected', DRIVER), row('GPU Device IDs Detected', gpus.map(() => '2330').join(', '))];
  return `Successfully ran diagnostic for group.\n${border('-')}${tableRow('Diagnostic', 'Result')}${border('=')}${section('Metadata')}${metadata.join('')}${tests.join('')}${border('-')}`;
}
