import { createReadStream } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { StreamEnd } from '../core/probes/contract';
import { createByteParser } from '../core/probes/parse';
import { allProbes, findProbe } from '../core/probes/registry';
import { UsageError } from './exit';
import { fileError, readText } from './files';

interface ParseFlags {
  probe: string;
  exitCode?: number;
  stderr?: string;
  previous?: string;
}

export function addParseCommand(program: Command): void {
  program
    .command('parse')
    .description('Parse saved tool output and print one JSON object.')
    .argument('<file>', 'saved output, or - for standard input')
    .requiredOption('--probe <id>', 'which probe the output belongs to')
    .option('--exit-code <n>', 'exit code of the tool', parseExitCode)
    .option('--stderr <file>', 'saved standard error of the tool')
    .option('--previous <file>', 'an earlier scrape, for probes that judge the window between two')
    .action(parseCommand);
}

async function parseCommand(file: string, flags: ParseFlags): Promise<void> {
  const probe = findProbe(flags.probe);
  if (!probe) {
    const known = allProbes().map(({ id }) => id).join(', ');
    throw new UsageError(`There is no probe "${flags.probe}". Probes: ${known}.`);
  }
  const end: StreamEnd = {
    ...(flags.exitCode === undefined ? {} : { exitCode: flags.exitCode }),
    ...(flags.stderr === undefined ? {} : { stderr: readText(flags.stderr) }),
  };
  const parser = createByteParser(probe, flags.previous === undefined ? {} : { previous: readText(flags.previous) });
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) parser.write(chunk as Uint8Array);
  } catch (error) {
    throw fileError(`read ${file}`, error);
  }
  process.stdout.write(`${JSON.stringify(parser.end(end))}\n`);
}

function parseExitCode(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('An exit code is a whole number from 0 to 255.');
  return Number(text);
}
