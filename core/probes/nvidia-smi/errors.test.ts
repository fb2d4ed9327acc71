import { describe, expect, it } from 'vitest';
import type { ParseResult, StreamEnd } from '../contract';
import { probe as list } from '../nvidia-smi-list/index';
import { probe as nvlink } from '../nvidia-smi-nvlink/index';
import { probe as query } from '../nvidia-smi-query/index';
import { probe as topo } from '../nvidia-smi-topo/index';
import { parseText } from '../parse';
import { listOf } from './testing/fixtures';

const read = (text: string, end: StreamEnd = {}): ParseResult => parseText(list, text, end);
const codes = (result: ParseResult): string[] => result.reasons.map(({ code }) => code);

describe('error texts instead of data', () => {
  const FAULTS: [text: string, code: string][] = [
    ['Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.90', 'nvidia-smi.driver-mismatch'],
    ["NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.", 'nvidia-smi.driver-not-loaded'],
    ['No devices were found', 'nvidia-smi.no-devices'],
    ['Unable to determine the device handle for GPU 0000:3D:00.0: GPU is lost.  Reboot the system to recover this GPU', 'nvidia-smi.gpu-lost'],
    ['Unable to determine the device handle for GPU0000:3D:00.0: Unknown Error', 'nvidia-smi.device-handle'],
    ['Unable to determine the device handle for GPU5: 0000:3D:00.0: Not Found', 'nvidia-smi.device-handle'],
    ['Unable to determine the device handle for gpu 00000000:3D:00.0: GPU requires reset', 'nvidia-smi.device-handle'],
    ['Unable to detect the device handle for GPU0000:3D:00.0: Unknown Error', 'nvidia-smi.device-handle'],
    ["NVIDIA-SMI has failed because it couldn't communicate with NVIDIA driver. Make sure that latest NVIDIA driver is installed and running.", 'nvidia-smi.driver-not-loaded'],
    ['No devices found.', 'nvidia-smi.no-devices'],
    ['The GPU has fallen off the bus or has otherwise become inaccessible', 'nvidia-smi.gpu-lost'],
  ];
  const DOUBTS: [text: string, code: string][] = [
    ['Failed to initialize NVML: Unknown Error', 'nvidia-smi.nvml-unknown-error'],
    ['Failed to initialize NVML: Insufficient Permissions', 'nvidia-smi.permission'],
    ['NVIDIA-SMI has failed because you do not have permissions to communicate with the NVIDIA driver.', 'nvidia-smi.permission'],
    ['Failed to properly shut down NVML: N/A', 'nvidia-smi.error'],
    ['Unable to determine the device handle for GPU 00000000:01:00.0:\nNot Supported', 'nvidia-smi.device-handle'],
    ['bash: line 1: nvidia-smi: command not found', 'nvidia-smi.not-installed'],
    ["NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.", 'nvidia-smi.nvml-missing'],
    ['Field "retired_pages.sbe.count" is not a valid field to query.', 'nvidia-smi.invalid-field'],
    ['Segmentation fault (core dumped)', 'nvidia-smi.unknown-line'],
  ];

  it.each(FAULTS)('calls %j a fault, whichever probe reads it', (text, code) => {
    for (const probe of [list, query, topo, nvlink]) {
      const result = parseText(probe, text);
      expect(result.outcome).toBe('failed');
      expect(codes(result)).toContain(code);
      expect(result.reasons[0]?.line).toBe(1);
      expect(result.measurements).toEqual([]);
    }
  });

  it.each(DOUBTS)('calls %j inconclusive, whichever probe reads it', (text, code) => {
    for (const probe of [list, query, topo, nvlink]) {
      const result = parseText(probe, text);
      expect(result.outcome).toBe('inconclusive');
      expect(codes(result)).toContain(code);
    }
  });

  it('keeps the library version apart from the driver version', () => {
    const { context } = read('Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.90\n');
    expect(context).toMatchObject({ nvmlLibraryVersion: '550.90' });
  });
});

describe('errors beside healthy data', () => {
  it('finds a lost GPU in the lines between healthy ones', () => {
    const lines = listOf(4).split('\n');
    lines.splice(2, 1, 'Unable to determine the device handle for GPU2: 0000:5F:00.0: GPU is lost.  Reboot the system to recover this GPU');
    const result = read(lines.join('\n'));
    expect(result.outcome).toBe('failed');
    expect(result.measurements).toContainEqual({ metric: 'gpu.count', value: 3 });
  });

  it('finds it on standard error, although the exit code is 0', () => {
    const stderr = 'Unable to determine the device handle for GPU 0000:5F:00.0: Unknown Error\n';
    expect(read(listOf(3), { exitCode: 0, stderr }).outcome).toBe('failed');
  });

  it('doubts indices with a gap even without an error text', () => {
    const lines = listOf(4).split('\n');
    lines.splice(1, 1);
    expect(read(lines.join('\n'))).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'nvidia-smi.missing-gpu' }] });
  });

  it('keeps complete data beside a corrupted infoROM, and warns', () => {
    const text = `${listOf(2)}WARNING: infoROM is corrupted at gpu 0000:5F:00.0\n`;
    const result = read(text, { exitCode: 14 });
    expect(result.outcome).toBe('measured');
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'nvidia-smi.inforom-corrupted', severity: 'warning' }));
  });

  it('tells other standard error without judging by it', () => {
    expect(read(listOf(1), { stderr: "Warning: Permanently added 'gpu-7' (ED25519) to the list of known hosts.\n" }).outcome).toBe('measured');
  });
});

describe('exit codes', () => {
  it.each([[0, 'measured'], [15, 'failed'], [16, 'failed'], [18, 'failed'], [9, 'failed'], [4, 'inconclusive'], [127, 'inconclusive'], [124, 'inconclusive'], [255, 'inconclusive'], [77, 'inconclusive']] as const)(
    'judges %i beside whole output as %s',
    (exitCode, outcome) => {
      expect(read(listOf(2), { exitCode }).outcome).toBe(outcome);
    },
  );

  it('never measures an output whose process was killed', () => {
    expect(read(listOf(2), { exitCode: null, signal: 'SIGKILL' }).outcome).toBe('inconclusive');
    expect(read(listOf(2), { exitCode: 0, cut: 'timeout' }).outcome).toBe('inconclusive');
  });
});
