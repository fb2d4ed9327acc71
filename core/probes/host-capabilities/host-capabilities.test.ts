import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParseResult } from '../contract';
import { probe as kernelXid } from '../kernel-xid/index';
import { listOf, uuidOf } from '../nvidia-smi/testing/fixtures';
import { probe as list } from '../nvidia-smi-list/index';
import { probe as nvlink } from '../nvidia-smi-nvlink/index';
import { probe as query } from '../nvidia-smi-query/index';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { describeProvability, probe, toHostCapabilities } from './index';
import { capabilityScript } from './script';

const ANSWER = `@capabilities 1
@fact root no
@fact kernel Linux 6.8.0-60-generic
@fact machine x86_64
@fact virtual-machine kvm
@tool nvidia-smi /usr/bin/nvidia-smi
@tool dcgmi /usr/bin/dcgmi
@tool python3 /usr/bin/python3
@tool all_reduce_perf /opt/nccl-tests/build/all_reduce_perf
@tool srun /opt/slurm/bin/srun
@tool dmesg /usr/bin/dmesg
@begin kernel-log-dmesg

@end kernel-log-dmesg 1
@begin smi-list
${listOf(2)}
@end smi-list 0
@begin smi-banner
| NVIDIA-SMI 610.43.02              KMD Version: 610.43.02      CUDA UMD Version: 13.3     |

@end smi-banner 0
@begin smi-help
List of valid properties to query for the switch "--query-gpu":
"name" or "gpu_name"
The official product name of the GPU.
"clocks_event_reasons.active" or "clocks_throttle_reasons.active"

@end smi-help 0
@begin smi-apps
${uuidOf(1)}, 4711

@end smi-apps 0
@begin smi-mig
0, Disabled
1, [N/A]

@end smi-mig 0
@begin dcgmi-version

dcgmi  version: 4.2.3

@end dcgmi-version 0
@begin python-packages
python 3.12.3
torch 2.7.1
nvidia-nccl-cu12 2.26.2

@end python-packages 0
@done
`;

describe('the answer of a machine', () => {
  it('becomes the capabilities that other probes plan with', () => {
    const result = parseText(probe, ANSWER);
    expect(result.outcome).toBe('measured');
    expect(toHostCapabilities(result)).toEqual({
      tools: {
        'nvidia-smi': { path: '/usr/bin/nvidia-smi', version: '610.43.02' },
        dcgmi: { path: '/usr/bin/dcgmi', version: '4.2.3' },
        python3: { path: '/usr/bin/python3', version: '3.12.3' },
        all_reduce_perf: { path: '/opt/nccl-tests/build/all_reduce_perf' },
        srun: { path: '/opt/slurm/bin/srun' },
        dmesg: { path: '/usr/bin/dmesg' },
      },
      isRoot: false,
      virtualMachine: 'kvm',
      driverVersion: '610.43.02',
      cudaVersion: '13.3',
      dcgmVersion: '4.2.3',
      ncclVersion: '2.26.2',
      gpuCount: 2,
      migEnabled: false,
      queryGpuFields: ['name', 'gpu_name', 'clocks_event_reasons.active', 'clocks_throttle_reasons.active'],
      kernelLogReadable: false,
      busyGpus: [1],
      slurm: true,
    });
  });

  it('says for each probe whether it can be proved here, and why not', () => {
    const host = toHostCapabilities(parseText(probe, ANSWER));
    const answers = describeProvability(host, [
      { entry: 'gpus', probe: list },
      { entry: 'xid', probe: kernelXid },
      { entry: 'fields', probe: query, parameters: { fields: ['no.such.field'] } },
      { entry: 'saved', probe: { ...list, id: 'saved-only', plan: undefined } },
    ]);
    expect(answers.map(({ entry, provable, reason }) => [entry, provable, reason?.code])).toEqual([
      ['gpus', true, undefined],
      ['xid', false, 'kernel.not-readable'],
      ['fields', false, 'nvidia-smi.invalid-field'],
      ['saved', false, 'probe.saved-output-only'],
    ]);
  });

  it('knows MIG from a listed device when the driver has no such field', () => {
    const answer = ANSWER.replace(listOf(2), `${listOf(1)}  MIG 1g.5gb      Device  0: (UUID: MIG-0d9c6a1e-5b1f-5f3c-9a57-0f9e8d7c6b5a)\n`).replace('0, Disabled\n1, [N/A]', 'Field "mig.mode.current" is not a valid field to query.');
    const host = toHostCapabilities(parseText(probe, answer));
    expect(host).toMatchObject({ gpuCount: 1, migEnabled: true });
    expect(nvlink.plan?.({}, host)).toMatchObject({ kind: 'unprovable' });
  });

  it('carries the fault that nvidia-smi names', () => {
    const answer = ANSWER.replace(listOf(2), 'Failed to initialize NVML: Driver/library version mismatch\n');
    expect(parseText(probe, answer)).toMatchObject({ outcome: 'failed', reasons: [{ code: 'nvidia-smi.driver-mismatch', line: 16 }] });
  });

  it('is not whole without its last line, and unknown is not "no"', () => {
    const half = parseText(probe, ANSWER.slice(0, ANSWER.indexOf('@begin smi-banner')));
    expect(half).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'host.cut' }] });
    const host = toHostCapabilities(half);
    expect(host.gpuCount).toBe(2);
    expect(host.driverVersion).toBeUndefined();
    expect(host.busyGpus).toBeUndefined();
  });

  it('skips what a login shell prints before', () => {
    expect(parseText(probe, `Welcome!\n@done\n${ANSWER}`).outcome).toBe('measured');
    expect(parseText(probe, 'Welcome!\n@done\n').outcome).toBe('inconclusive');
  });

  it('never becomes cleaner when it is damaged', () => {
    expectNeverCleaner(probe, ANSWER.replace(listOf(2), 'No devices were found\n'));
    expectNeverCleaner(probe, ANSWER.replace('@end smi-banner 0', '@end smi-banner timeout'));
  });
});

describe('the script', () => {
  let folder = '';
  const fake = (name: string, body: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gpu-acceptance-host-'));
    // Hangs on the banner as a wedged driver does, deaf to TERM; reads its standard input, which must not be the script.
    fake('nvidia-smi', `cat >/dev/null\ncase "$*" in\n-L) printf '%s' '${listOf(2)}' ;;\n*compute-apps*) ;;\n--help-query-gpu) echo '"index"' ;;\n'') trap '' TERM; exec sleep 60 ;;\n*) exit 6 ;;\nesac`);
    fake('dcgmi', "echo 'dcgmi  version: 3.3.9'");
    fake('python3', 'exit 127');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(): Promise<{ result: ParseResult; stderr: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn('sh', ['-s'], { env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder }, cwd: folder });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.on('error', reject);
      child.on('close', (exitCode) => resolve({ result: parseText(probe, stdout, { exitCode, stderr }), stderr }));
      child.stdin.end(capabilityScript(1));
    });
  }

  it('looks at this machine to the end, although one tool hangs, and writes no file', async () => {
    const before = readdirSync(folder);
    const { result, stderr } = await run();
    const host = toHostCapabilities(result);
    expect(stderr).toBe('');
    expect(result.outcome).toBe('inconclusive');
    expect(result.reasons.map(({ code }) => code)).toEqual(['host.timeout']);
    expect(host.tools['nvidia-smi']?.path).toBe(join(folder, 'nvidia-smi'));
    expect(host).toMatchObject({ gpuCount: 2, dcgmVersion: '3.3.9', queryGpuFields: ['index'], busyGpus: [] });
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is planned over standard input and is not invasive', () => {
    expect(probe.plan?.({}, { tools: {}, isRoot: false })).toMatchObject({ kind: 'command', argv: ['sh', '-s'], invasive: false });
  });
});
