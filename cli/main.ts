import { Command, CommanderError } from 'commander';
import { addCheckCommand } from './check';
import { addCompareCommand } from './compare';
import { addEvidenceCommands } from './evidence';
import { EXIT_USAGE } from './exit';
import { guardExitCode } from './last-resort';
import { addParseCommand } from './parse';
import { addRunCommand } from './run';

guardExitCode(process);

const program = new Command('gpu-acceptance')
  .description('Check briefs and cards, run a card on a rented GPU machine, and verify the evidence.')
  .exitOverride()
  .configureHelp({ sortSubcommands: true });

addParseCommand(program);
addCheckCommand(program);
addRunCommand(program);
addEvidenceCommands(program);
addCompareCommand(program);

program.parseAsync(process.argv).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
    return;
  }
  process.stderr.write(`gpu-acceptance: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = EXIT_USAGE;
});
