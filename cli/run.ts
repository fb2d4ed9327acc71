import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readCard } from '../core/document/read';
import { CannotRunError, type ConsentRequest, type PlannedProbe, type RunHooks, type RunOutcome, type RunRequest } from '../core/run/contract';
import { STAGE_IDS, type RunEvent, type StageId } from '../core/run/events';
import { describeCommand } from '../core/run/probe-runner';
import { hostLabel, prepareRun } from '../core/run/prepare';
import { runCard, type RunDependencies } from '../core/run/run-card';
import { connectSsh2 } from '../core/transport/ssh2/connect';
import { askHidden, askPassphrase } from './ask';
import { EXIT_INCONCLUSIVE, EXIT_OK, EXIT_REJECTED, EXIT_USAGE, UsageError } from './exit';
import { readText } from './files';
import { showProgress, showVerdict } from './show-run';
import { TOOL_VERSION } from './version';

interface RunFlags {
  target?: string;
  stage?: string[];
  probe?: string[];
  out: string;
  format: string;
  yes?: boolean;
  allowInvasive?: boolean;
  identity?: string;
  knownHosts?: string[];
  acceptNewHostKey?: boolean;
}

export function addRunCommand(program: Command): void {
  program
    .command('run')
    .description('Run a card on its target, stream progress, and write the evidence.')
    .argument('<card>', 'acceptance card')
    .option('--target <name>', "which of the card's targets")
    .option('--stage <stage...>', `only these stages: ${STAGE_IDS.join(', ')}`)
    .option('--probe <entry...>', 'only these probe entries: NAME or STAGE/NAME')
    .option('--out <dir>', 'folder for run folders', join('.gpu-acceptance', 'runs'))
    .option('--format <format>', 'text or json', 'text')
    .option('--yes', 'connect to the host and run the commands that only read')
    .option('--allow-invasive', "also run commands that take real capacity, within the card's drain authorisation")
    .option('--identity <file>', "private key instead of the target's")
    .option('--known-hosts <file...>', 'known_hosts files instead of the usual ones')
    .option('--accept-new-host-key', 'accept and remember the key of a host that was never seen; a changed key is always refused')
    .action(runCommand);
}

async function runCommand(cardPath: string, flags: RunFlags): Promise<void> {
  if (flags.format !== 'text' && flags.format !== 'json') throw new UsageError('--format is text or json.');
  const request = makeRequest(cardPath, flags);
  // Should this program end without having come to a conclusion, it must not look like an acceptance.
  process.exitCode = EXIT_INCONCLUSIVE;
  try {
    if (!flags.yes) return refuseWithoutYes(request);
    const outcome = await runCancellable(request, flags);
    process.stdout.write(flags.format === 'json' ? `${JSON.stringify(outcome)}\n` : showVerdict(outcome));
    process.exitCode = exitCodeOf(outcome);
  } catch (error) {
    if (error instanceof CannotRunError) throw new UsageError(`${error.message}\n${error.nextStep}`);
    throw error;
  }
}

function exitCodeOf({ status, verdict }: RunOutcome): number {
  if (status === 'failed') return EXIT_USAGE;
  if (verdict.state === 'accepted') return status === 'completed' ? EXIT_OK : EXIT_INCONCLUSIVE;
  return verdict.state === 'rejected' ? EXIT_REJECTED : EXIT_INCONCLUSIVE;
}

function makeRequest(cardPath: string, flags: RunFlags): RunRequest {
  const cardText = readText(cardPath);
  const briefPath = readCard(cardText).value?.brief;
  const stages = flags.stage?.map((stage) => {
    if (!STAGE_IDS.includes(stage as StageId)) throw new UsageError(`There is no stage "${stage}". Stages: ${STAGE_IDS.join(', ')}.`);
    return stage as StageId;
  });
  return {
    cardPath,
    cardText,
    ...(briefPath === undefined ? {} : { brief: { path: briefPath, text: readText(resolve(dirname(cardPath), briefPath)) } }),
    ...(flags.target === undefined ? {} : { target: flags.target }),
    ...(stages ? { stages } : {}),
    ...(flags.probe ? { entries: flags.probe } : {}),
    outDir: flags.out,
    by: 'cli',
    toolVersion: TOOL_VERSION,
    ...(flags.knownHosts ? { knownHostsFiles: flags.knownHosts } : {}),
  };
}

/** Says what would happen. Nothing is sent to the host. */
function refuseWithoutYes(request: RunRequest): void {
  const prepared = prepareRun(request);
  const lines = prepared.entries.map(({ stage, name, probe }) => `  ${stage}: ${name}${name === probe.id ? '' : ` (${probe.id})`}`);
  process.stderr.write(
    [
      `Nothing was run. This card would connect to ${hostLabel(prepared.endpoint)}, look what the machine can do (reading only), and run these probes:`,
      ...lines,
      'Add --yes to run the commands that only read, and --allow-invasive for those that take real capacity.',
      '',
    ].join('\n'),
  );
  process.exitCode = EXIT_USAGE;
}

async function runCancellable(request: RunRequest, flags: RunFlags): Promise<RunOutcome> {
  const cancel = new AbortController();
  const onInterrupt = (): void => {
    if (cancel.signal.aborted) process.exit(130);
    process.stderr.write('\nCancelling: ending the command on the machine. Press Ctrl-C again to leave at once.\n');
    cancel.abort();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  try {
    return await runCard({ ...request, signal: cancel.signal }, makeHooks(flags), connectWith(flags.identity));
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}

/** The card stays as it is in the evidence; which key this computer uses is its own business. */
function connectWith(identity: string | undefined): RunDependencies {
  if (identity === undefined) return {};
  return { connect: (endpoint, prompts, options) => connectSsh2({ ...endpoint, authentication: 'key', identityFile: resolve(identity) }, prompts, options) };
}

function makeHooks(flags: RunFlags): RunHooks {
  return {
    approveHost: async ({ hostLabel: host }) => {
      process.stderr.write(`Connecting to ${host}\n`);
      return true;
    },
    consent: async (request) => {
      showPlan(request, flags.allowInvasive === true);
      return { readOnly: true, invasive: flags.allowInvasive === true };
    },
    acceptFirstSeenKey: async ({ endpoint, fingerprint, keyType, note }) => {
      process.stderr.write(`First seen: ${keyType} ${fingerprint} of ${hostLabel(endpoint)}\n${note === undefined ? '' : `${note}\n`}`);
      if (flags.acceptNewHostKey) return true;
      process.stderr.write('Compare it with the fingerprint from your provider. Add --accept-new-host-key to accept it.\n');
      return false;
    },
    password: async (endpoint) => process.env['GPU_ACCEPTANCE_PASSWORD'] ?? askHidden(`Password for ${hostLabel(endpoint)}: `),
    passphrase: askPassphrase,
    onEvent: (event: RunEvent) => process.stderr.write(showProgress(event)),
  };
}

function showPlan({ probes, invasive, expectedDurationMs, occupancy }: ConsentRequest, allowed: boolean): void {
  const isInvasive = (planned: PlannedProbe): boolean => invasive.includes(planned as never);
  process.stderr.write(`Commands (about ${Math.ceil(expectedDurationMs / 1000)} s):\n`);
  for (const planned of probes) {
    if (planned.plan.kind !== 'command' && planned.plan.kind !== 'scrape') continue;
    const note = isInvasive(planned) ? (allowed ? ' [takes capacity]' : ' [takes capacity, not run without --allow-invasive]') : '';
    process.stderr.write(`  ${planned.entry}: ${describeCommand(planned.plan).join(' ')}${note}\n`);
  }
  if (occupancy !== undefined) process.stderr.write(`${occupancy} Their work and these measurements spoil each other: a missed bandwidth or time is inconclusive.\n`);
}
