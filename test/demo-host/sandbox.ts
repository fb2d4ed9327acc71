import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const PROGRAMS = ['nvidia-smi', 'dcgmi', 'dmesg', 'all_reduce_perf', 'all_gather_perf', 'reduce_scatter_perf', 'broadcast_perf', 'alltoall_perf', 'sendrecv_perf'];

/** A folder with the demo machine's programs, to be put first on a session's PATH, and its checkpoint storage. */
export class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'gpu-demo-'));
  readonly bin = join(this.folder, 'bin');
  readonly checkpoints = join(this.folder, 'checkpoints');

  /** `entry`: source of the tools, see {@link toolsEntry}. */
  constructor(entry: string) {
    mkdirSync(this.bin);
    mkdirSync(this.checkpoints);
    const program = join(this.folder, 'tools.cjs');
    buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' });
    for (const name of PROGRAMS) this.shim(name, `exec '${process.execPath}' '${program}' ${name} "$@"`);
    // The kernel log of the machine that this runs on is nobody's business.
    this.shim('journalctl', 'exit 1');
  }

  private shim(name: string, body: string): void {
    const path = join(this.bin, name);
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
  }

  environment(scenario: string, seed: number, speed: number): Record<string, string> {
    return {
      PATH: `${this.bin}:${process.env['PATH'] ?? '/usr/bin:/bin'}`,
      GPU_DEMO_SCENARIO: scenario,
      GPU_DEMO_SEED: String(seed),
      GPU_DEMO_SPEED: String(speed),
    };
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const toolsEntry = (root: string): string => join(root, 'test', 'demo-host', 'tools', 'main.ts');
