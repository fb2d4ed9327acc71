import { parseArgs } from 'node:util';
import { DemoHost } from './host';
import { isScenario, SCENARIOS } from './scenarios';
import { writeDemoWorkspace } from './workspace';

/** Starts a demo host and prints one JSON line with its address; ends on SIGTERM, SIGINT or the end of standard input. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { root: { type: 'string' }, scenario: { type: 'string', default: 'healthy' }, seed: { type: 'string', default: '1' }, speed: { type: 'string', default: '1' }, port: { type: 'string', default: '0' }, workspace: { type: 'string' }, 'known-hosts': { type: 'string', default: 'verified' } },
  });
  const { scenario } = values;
  if (!isScenario(scenario)) throw new Error(`There is no scenario "${scenario}". Scenarios: ${Object.keys(SCENARIOS).join(', ')}.`);
  const root = values.root ?? process.cwd();
  const host = await DemoHost.start({ root, scenario, seed: Number(values.seed), speed: Number(values.speed), port: Number(values.port), knownHosts: values['known-hosts'] === 'empty' ? 'empty' : 'verified' });
  const cards = values.workspace === undefined ? {} : writeDemoWorkspace(root, values.workspace, host.address);
  process.stdout.write(`${JSON.stringify({ ...host.address, ...cards })}\n`);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    host.stop().then(() => process.exit(0), () => process.exit(1));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdin.on('end', stop).on('error', stop).resume();
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
