import { describe, expect, it } from 'vitest';
import type { ParseResult } from '../contract';
import { KERNEL_LOG } from '../nvidia-smi/testing/fixtures';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const xids = ({ measurements }: ParseResult): (number | string)[] => measurements.filter(({ metric }) => metric === 'gpu.xid').map(({ value }) => value);
const QUIET = KERNEL_LOG.split('\n').slice(0, 3).join('\n');

describe('Xid errors in the kernel log', () => {
  it('measures one value per line, with the GPU and the line', () => {
    const result = parseText(probe, KERNEL_LOG);
    expect(result.outcome).toBe('failed');
    expect(result.measurements).toContainEqual({ metric: 'gpu.xid', value: 31, labels: { pci: '0000:4e:00' }, line: 4 });
    expect(result.measurements).toContainEqual({ metric: 'gpu.xid.count', value: 2 });
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'kernel.xid', severity: 'error', line: 5 }));
  });

  it('measures a readable log without any as 0 of them', () => {
    const result = parseText(probe, QUIET);
    expect(result).toMatchObject({ outcome: 'measured', reasons: [] });
    expect(result.measurements).toContainEqual({ metric: 'gpu.xid.count', value: 0 });
  });

  it.each([
    ['2026-03-02T10:11:12+0100 node7 kernel: NVRM: Xid (PCI:0000:4e:00): 13, pid=1, Graphics Exception', 13, 'measured'],
    ['Mar  2 10:11:12 node7 kernel: NVRM: Xid (PCI:0000:4e:00): 95, pid=1, Uncontained', 95, 'failed'],
    ['Mar  2 10:11:12 node7 kernel: [ 966.50] NVRM: Xid (0000:4e:00): 63, Row Remapper', 63, 'measured'],
    ['[  966.50] NVRM: Xid (004e:00): 13, 0001 00000000 0000502d', 13, 'measured'],
    ['[Mon Mar  2 10:11:12 2026] NVRM: Xid (PCI:0008:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)', 154, 'failed'],
    ['[Mon Mar  2 10:11:12 2026] NVRM: Xid (PCI:0008:01:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)', 154, 'measured'],
    ['[  5.000001] NVRM: Xid (PCI:0000:4e:00): 149, NETIR_LINK_EVT Fatal XC0 i0 Link 05', 149, 'failed'],
    ['[  5.000001] NVRM: Xid (PCI:0000:4e:00): 149, NETIR_LINK_EVT Nonfatal XC0 i0 Link 05', 149, 'measured'],
    ['kern  :err   : [  5.000001] NVRM: Xid (PCI:0000:4e:00): 999, something new', 999, 'measured'],
  ])('reads %j', (text, code, outcome) => {
    const result = parseText(probe, `${QUIET}\n${text}\n`);
    expect(xids(result)).toEqual([code]);
    expect(result.outcome).toBe(outcome);
  });

  it.each([
    '[  5.1] NVRM: GPU 0000:4e:00.0: GPU has fallen off the bus.',
    'Mar  2 10:11:12 node7 kernel: NVRM: nvAssertOkFailedNoLog: Assertion failed: GPU lost from the bus [NV_ERR_GPU_IS_LOST] (0x0000000F) returned from status @ file.c:7',
    '[  5.1]                NVRM: BAR1 is 0M @ 0x0 (PCI:0000:4e:00.0)',
    '[  5.1] NVRM: No NVIDIA graphics adapter probed!',
    '[  5.1] NVRM: None of the NVIDIA devices were initialized.',
    '[  5.1] NVRM: gpuWaitForGfwBootComplete_TU102: failed to wait for GFW_BOOT: (progress 0x3)',
    '[  5.1] NVRM: API mismatch: the client has the version 570.1, but',
    '[  5.1] NVRM: GPU 0000:4e:00.0: RmInitAdapter failed! (0x62:0x40:2393)',
    '[  5.1] nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 24007, Fatal, Link 40 sourcing',
  ])('calls %j a fault without an Xid', (text) => {
    const result = parseText(probe, `${QUIET}\n${text}\n`);
    expect(result.outcome).toBe('failed');
    expect(xids(result)).toEqual([]);
  });

  const sxid = (detail: string, code = 22013): string => `[  7.4] nvidia-nvswitch2: SXid (PCI:0000:a5:00.0): ${code}, ${detail}\n`;
  const DETAILS = sxid('Severity 0 Engine instance 17 Sub-engine instance 00') + sxid('Data {0x00000011, 0x00000011, 0x00000000}');

  it('counts an SXid and the lines below it once', () => {
    const log = `${QUIET}\n${sxid('Non-fatal, Link 17 DLPL buffer (First)')}${DETAILS}${sxid('Non-fatal, Link 17 DLPL buffer')}${DETAILS}`;
    const result = parseText(probe, log);
    expect(result.outcome).toBe('measured');
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'nvswitch.sxid.count', value: 2 }));
    expect(result.measurements.filter(({ metric }) => metric === 'nvswitch.sxid').map(({ line }) => line)).toEqual([4, 7]);
  });

  it('does not let a fatal SXid pass as the lines of one before it that was not', () => {
    const fatal = `${QUIET}\n${sxid('Non-fatal, Link 17 DLPL buffer')}${DETAILS}${sxid('Fatal, Link 17 DLPL buffer')}${DETAILS.replace('Severity 0', 'Severity 1')}`;
    expect(expectNeverCleaner(probe, fatal, {}, { endUnknowable: true })).toBeGreaterThan(400);
    const withoutItsFirstLine = fatal.replace(/.*Fatal, Link.*\n/, '');
    expect(parseText(probe, withoutItsFirstLine).outcome).toBe('failed');
  });

  it.each([
    ['Severity 1 Engine instance 17 Sub-engine instance 00', 'failed', 'kernel.sxid'],
    ['Severity 0 Engine instance 17 Sub-engine instance 00', 'inconclusive', 'kernel.sxid-incomplete'],
    ['Data {0x00000011, 0x00000000}', 'inconclusive', 'kernel.sxid-incomplete'],
  ])('does not lose an SXid of which only "%s" is left', (detail, outcome, code) => {
    const result = parseText(probe, `${QUIET}\n${sxid('Non-fatal, Link 3 RX', 20011)}${sxid(detail)}`);
    expect(result.outcome).toBe(outcome);
    expect(result.reasons.filter(({ severity }) => severity === 'error').map((reason) => reason.code)).toEqual([code]);
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'nvswitch.sxid.count', value: 2 }));
  });

  it('takes a non-fatal switch error as a value', () => {
    const result = parseText(probe, `${QUIET}\n[  5.1] nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Non-fatal, Link 28 RX Short Error Rate\n`);
    expect(result.outcome).toBe('measured');
    expect(result.measurements).toContainEqual({ metric: 'nvswitch.sxid', value: 20009, labels: { pci: '0000:c3:00.0' }, line: 4 });
  });

  it.each([
    ['an empty log', ''],
    ['a refusal', 'dmesg: read kernel buffer failed: Operation not permitted\n'],
    ['a journal without files', 'No journal files were found.\n-- No entries --\n'],
    ['a journal that hides system messages', `Hint: You are currently not seeing messages from other users and the system.\n${QUIET}\n`],
    ['an Xid in an unknown form', `${QUIET}\n[ 5.1] NVRM: Xid <PCI 4e>: 79\n`],
    ['an SXid in an unknown form', `${QUIET}\n[ 5.1] nvidia-nvswitch1: SXid (PCI:0000:a5:00.0): unreadable, Fatal\n`],
    ['text of something else', 'hello\nworld\n'],
  ])('is inconclusive with %s', (_what, text) => {
    expect(parseText(probe, text).outcome).toBe('inconclusive');
  });

  it('reads a refusal on standard error and the exit code', () => {
    expect(parseText(probe, '', { exitCode: 1, stderr: 'dmesg: read kernel buffer failed: Operation not permitted' }).outcome).toBe('inconclusive');
    expect(parseText(probe, QUIET, { exitCode: 1 }).outcome).toBe('inconclusive');
  });

  it('warns when the log does not reach back to the start', () => {
    expect(parseText(probe, '[ 5000.1] usb 1-1: new device\n').reasons).toContainEqual(expect.objectContaining({ code: 'kernel.log-short' }));
  });

  it('never becomes cleaner when it is damaged', () => {
    // A log does not say where it ends; the run's exit code and its `cut` do.
    expectNeverCleaner(probe, KERNEL_LOG, {}, { endUnknowable: true });
    expectNeverCleaner(probe, 'dmesg: read kernel buffer failed: Operation not permitted\n');
  });

  it('plans the tool that could read the log', () => {
    const host = { tools: { dmesg: { path: '/bin/dmesg' }, journalctl: { path: '/bin/journalctl' } }, isRoot: true, kernelLogReadable: true };
    expect(probe.plan?.({}, host)).toMatchObject({ argv: ['/bin/dmesg'], invasive: false });
    expect(probe.plan?.({}, { ...host, kernelLogSource: 'journal' })).toMatchObject({ argv: ['/bin/journalctl', '-k', '-b', '--no-pager', '-o', 'short-iso'] });
    expect(probe.plan?.({}, { ...host, kernelLogReadable: false })).toMatchObject({ kind: 'unprovable', reason: { code: 'kernel.not-readable' } });
  });
});
