import { describe, expect, it } from 'vitest';
import { listOf, MIG_LIST, uuidOf } from '../nvidia-smi/testing/fixtures';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

describe('nvidia-smi -L', () => {
  it('counts GPUs and gives their names with their lines', () => {
    const { outcome, measurements } = parseText(probe, listOf(3));
    expect(outcome).toBe('measured');
    expect(measurements).toContainEqual({ metric: 'gpu.count', value: 3 });
    expect(measurements).toContainEqual({ metric: 'gpu.uuid', value: uuidOf(2), labels: { gpu: '2' }, line: 3 });
    expect(measurements).toContainEqual({ metric: 'mig.count', value: 0 });
  });

  it('counts MIG devices apart from GPUs, in both spellings of their ids', () => {
    const { outcome, measurements } = parseText(probe, MIG_LIST);
    expect(outcome).toBe('measured');
    expect(measurements).toContainEqual({ metric: 'gpu.count', value: 2 });
    expect(measurements).toContainEqual({ metric: 'mig.count', value: 2 });
    expect(measurements).toContainEqual({ metric: 'mig.profile', value: '1c.2g.10gb', labels: { gpu: '0', device: '1' }, line: 3 });
  });

  it('reads copies without indentation, behind a prompt, and the UUID of a Jetson module', () => {
    expect(parseText(probe, `$ nvidia-smi -L\n${MIG_LIST.replace(/^ +/gm, '')}`)).toMatchObject({ outcome: 'measured', reasons: [] });
    const jetson = parseText(probe, 'GPU 0: Orin (nvgpu) (UUID: 0a1b2c3d-4e5f-5a6b-8c7d-9e0f1a2b3c4d)\n');
    expect(jetson.outcome).toBe('measured');
    expect(jetson.measurements).toContainEqual({ metric: 'gpu.uuid', value: '0a1b2c3d-4e5f-5a6b-8c7d-9e0f1a2b3c4d', labels: { gpu: '0' }, line: 1 });
  });

  it('measures no UUID that somebody masked, and says so', () => {
    const masked = parseText(probe, listOf(2).replace(/GPU-[0-9a-f-]+/g, (uuid) => uuid.replace(/[0-9a-f]/g, 'x')));
    expect(masked).toMatchObject({ outcome: 'measured', reasons: [{ code: 'nvidia-smi.masked-uuid', line: 1 }, { code: 'nvidia-smi.masked-uuid', line: 2 }] });
    expect(masked.measurements.map(({ metric }) => metric)).not.toContain('gpu.uuid');
    expect(parseText(probe, listOf(1).replace(/GPU-[0-9a-f-]+/, 'GPU-4b'))).toMatchObject({ outcome: 'inconclusive' });
  });

  it('doubts a GPU that is listed twice and a line that is cut', () => {
    expect(parseText(probe, listOf(2) + listOf(1)).outcome).toBe('inconclusive');
    expect(parseText(probe, listOf(2).slice(0, -20)).outcome).toBe('inconclusive');
  });

  it('is inconclusive on nothing at all', () => {
    expect(parseText(probe, '').outcome).toBe('inconclusive');
  });

  it('gives each measurement as soon as its line has come', () => {
    const seen: string[] = [];
    const parser = probe.createParser({ onMeasurement: ({ metric }) => seen.push(metric) });
    parser.line(listOf(1).trimEnd(), 1);
    expect(seen).toEqual(['gpu.name', 'gpu.uuid']);
  });

  it('never becomes cleaner when it is damaged', () => {
    const lost = `${listOf(2)}Unable to determine the device handle for GPU2: 0000:5F:00.0: GPU is lost.  Reboot the system to recover this GPU\n`;
    // A list does not say how long it is: cut before the fault it looks like a smaller machine, which the card's count finds.
    expectNeverCleaner(probe, lost, { exitCode: 15 });
    expectNeverCleaner(probe, lost, {}, { endUnknowable: true });
    expectNeverCleaner(probe, MIG_LIST);
    expectNeverCleaner(probe, 'No devices were found\n');
  });

  it('plans one read-only command, or says that the tool is missing', () => {
    const host = { tools: { 'nvidia-smi': { path: '/usr/bin/nvidia-smi' } }, isRoot: false };
    expect(probe.plan?.({}, host)).toMatchObject({ kind: 'command', argv: ['/usr/bin/nvidia-smi', '-L'], invasive: false });
    expect(probe.plan?.({}, { tools: {}, isRoot: true })).toMatchObject({ kind: 'unprovable', reason: { code: 'host.tool-missing' } });
  });
});
