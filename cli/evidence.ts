import type { Command } from 'commander';
import { exportBundle, NotARunError, writeReport } from '../core/evidence/bundle';
import { type Verification, verifyBundle } from '../core/evidence/verify';
import { TransportError } from '../core/transport/contract';
import { readSigningKey } from '../core/transport/ssh2/identity';
import { askPassphrase } from './ask';
import { EXIT_INCONCLUSIVE, EXIT_OK, EXIT_REJECTED, EXIT_USAGE, UsageError } from './exit';
import { fileError, readText } from './files';

export function addEvidenceCommands(program: Command): void {
  program
    .command('export')
    .description('Write the sealed evidence bundle of a run.')
    .argument('<run>', 'run folder')
    .requiredOption('--to <file.zip>', 'where to write it')
    .option('--sign <key>', 'private SSH key (Ed25519, ECDSA, RSA) to sign it with')
    .action((run: string, { to, sign }: { to: string; sign?: string }) => written(to, exportSigned(run, to, sign)));
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
    .option('--allowed-signers <file>', 'it must be signed by a key of this file (the format of ssh-keygen)')
    .option('--format <format>', 'text or json', 'text')
    .action(verifyCommand);
}

async function exportSigned(run: string, to: string, identityFile: string | undefined): Promise<void> {
  await exportBundle(run, to, identityFile === undefined ? undefined : await readSigningKey(identityFile, { passphrase: askPassphrase }));
}

async function written(to: string, work: Promise<void>): Promise<void> {
  try {
    await work;
    process.stderr.write(`Wrote ${to}\n`);
  } catch (error) {
    if (error instanceof NotARunError) throw new UsageError(error.message);
    if (error instanceof TransportError) throw new UsageError(`${error.message} ${error.nextStep}`);
    throw fileError(`write ${to}`, error);
  }
}

async function verifyCommand(bundle: string, { format, allowedSigners }: { format: string; allowedSigners?: string }): Promise<void> {
  if (format !== 'text' && format !== 'json') throw new UsageError('--format is text or json.');
  const signers = allowedSigners === undefined ? undefined : readText(allowedSigners, `the allowed signers in ${allowedSigners}`);
  const verification = await verifyBundle(bundle, signers === undefined ? {} : { allowedSigners: signers }).catch((error: NodeJS.ErrnoException) => {
    throw fileError(`read ${bundle}`, error);
  });
  process.stdout.write(format === 'json' ? `${JSON.stringify(verification)}\n` : showVerification(verification));
  process.exitCode = exitCodeOf(verification);
}

function exitCodeOf({ state, isAccepted }: Verification): number {
  if (state === 'not-verified') return EXIT_USAGE;
  if (state === 'cannot-tell') return EXIT_INCONCLUSIVE;
  return isAccepted ? EXIT_OK : EXIT_REJECTED;
}

const MARKS = { ok: 'ok  ', failed: 'FAIL', 'cannot-tell': '?   ' } as const;

function showVerification({ state, verdict, status, runId, steps, doesNotProve }: Verification): string {
  const head = { verified: `VERIFIED, ${verdict ?? 'without a verdict'}${status === 'completed' ? '' : ` (run ${status})`}`, 'not-verified': 'NOT VERIFIED', 'cannot-tell': 'CANNOT TELL' }[state];
  return [
    ...steps.map((step) => `${MARKS[step.state]} ${step.name.padEnd(10)} ${step.message}`),
    '',
    `${head}${runId === undefined ? '' : `  (run ${runId})`}`,
    'This does not prove:',
    ...doesNotProve.map((item) => `- ${item}`),
    '',
  ].join('\n');
}
