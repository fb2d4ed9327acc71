import { basename } from 'node:path';
import { readMachine } from '../machine';
import { dcgmi } from './dcgmi';
import { dmesg } from './kernel-log';
import { ncclTests } from './nccl-tests';
import { nvidiaSmi } from './nvidia-smi';

/** All tools of the demo machine in one program; the first argument is the name it was called by. */
async function main([called = '', ...args]: string[]): Promise<number> {
  const program = basename(called);
  const machine = readMachine(process.env);
  if (program === 'nvidia-smi') return nvidiaSmi(machine, args);
  if (program === 'dcgmi') return dcgmi(machine, args);
  if (program === 'dmesg') return dmesg(machine);
  if (program.endsWith('_perf')) return ncclTests(machine, program, args);
  process.stderr.write(`The demo host has no ${program}.\n`);
  return 127;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
