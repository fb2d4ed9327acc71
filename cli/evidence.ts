import type { Command } from 'commander';
import { exportBundle, NotARunError, writeReport } from '../core/evidence/bundle';
import { type Verification, verifyBundle } from '../core/evidence/verify';
import { EXIT_INCONCLUSIVE, EXIT_OK, EXIT_REJECTED, EXIT_USAGE, UsageError } from './exit';

export function addEvidenceCommands(program: Command): void {
  program
    .command('export')
    .description('Write the sealed evidence bundle of a run.')
    .argument('<run>', 'run folder')
    .requiredOption('--to <file.zip>', 'where to write it')
    .action((run: string, { to }: { to: string }) => written(to, exportBundle(run, to)));
  program
    .command('report')
    .description('Write the HTML report of a run.')
    .argument('<run>', 'run folder')
    .requiredOption('--to <file.html>', 'where to write it')
    .action((run: string, { to }: { to: string }) => written(to, writeReport(run, to)));
  program
    .command('verify')
    .description('Check a bundle: integrity, and parsing and verdict again from its raw files. Uses no network.')
    .argument('<bundle>', 'bundle written by export')
    .option('--format <format>', 'text or json', 'text')
    .action(verifyCommand);
}

async function written(to: string, work: Promise<void>): Promise<void> {
  try {
    await work;
    process.stderr.write(`Wrote ${to}\n`);
  } catch (error) {
    if (error instanceof NotARunError) throw new UsageError(error.message);
    throw new UsageError(`Cannot write ${to}: ${(error as Error).message}`);
  }
}

async function verifyCommand(bundle: string, { format }: { format: string }): Promise<void> {
  if (format !== 'text' && format !== 'json') throw new UsageError('--format is text or json.');
  const verification = await verifyBundle(bundle).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read ${bundle}: ${error.message}`);
  });
  process.stdout.write(format === 'json' ? `${JSON.stringify(verification)}\n` : showVerification(verification));
  process.exitCode = exitCodeOf(verification);
}

function exitCodeOf({ state, verdict }: Verification): number {
  if (state === 'not-verified') return EXIT_USAGE;
  if (state === 'cannot-tell') return EXIT_INCONCLUSIVE;
  return verdict === 'accepted' ? EXIT_OK : EXIT_REJECTED;
}

const MARKS = { ok: 'ok  ', failed: 'FAIL', 'cannot-tell': '?   ' } as const;

function showVerification({ state, verdict, runId, steps, doesNotProve }: Verification): string {
  const head = { verified: `VERIFIED, ${verdict ?? 'without a verdict'}`, 'not-verified': 'NOT VERIFIED', 'cannot-tell': 'CANNOT TELL' }[state];
  return [
    ...steps.map((step) => `${MARKS[step.state]} ${step.name.padEnd(10)} ${step.message}`),
    '',
    `${head}${runId === undefined ? '' : `  (run ${runId})`}`,
    'This does not prove:',
    ...doesNotProve.map((item) => `- ${item}`),
    '',
  ].join('\n');
}
