import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const HASH = 'a3'.repeat(32);
const line = (value: object): string => `gpu-acceptance-checkpoint ${JSON.stringify(value)}\n`;
const write = line({ phase: 'write', bytes: 1024, seconds: 0.5, sha256: HASH });
const restore = (over: object = {}): string => line({ phase: 'restore', bytes: 1024, seconds: 0.25, sha256: HASH, ...over });
const end = line({ phase: 'end' });
const outcome = (text: string, how = {}): string => parseText(probe, text, how).outcome;

describe('checkpoint-restore', () => {
  it('is measured when the same bytes come back', () => {
    const result = parseText(probe, write + restore() + end, { exitCode: 0 });
    expect(result.outcome).toBe('measured');
    expect(result.measurements).toContainEqual({ metric: 'checkpoint.restored', value: 'match', line: 2 });
  });

  it('fails on other bytes and on another size', () => {
    expect(outcome(write + restore({ sha256: 'b4'.repeat(32) }) + end)).toBe('failed');
    expect(outcome(write + restore({ bytes: 1023 }) + end)).toBe('failed');
  });

  it.each([
    ['nothing was written', ''],
    ['it was not restored', write],
    ['the end is missing', write + restore()],
    ['a hash is missing', write + restore({ sha256: '' }) + end],
    ['it reports an error', line({ phase: 'error', message: 'The directory /x does not exist.' })],
  ])('is inconclusive when %s', (_, text) => {
    expect(outcome(text)).toBe('inconclusive');
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, write + restore({ sha256: 'b4'.repeat(32) }) + end)).toBeGreaterThan(100);
  });

  it('has a script that works and leaves nothing behind', () => {
    const directory = mkdtempSync(join(tmpdir(), 'checkpoint-'));
    const script = readFileSync(new URL('./checkpoint.py', import.meta.url), 'utf8');
    try {
      const good = spawnSync('python3', ['-', directory, '3000000', '5'], { input: script, encoding: 'utf8' });
      expect(parseText(probe, good.stdout, { exitCode: good.status, stderr: good.stderr })).toMatchObject({ outcome: 'measured', reasons: [] });
      expect(readdirSync(directory)).toEqual([]);
      const missing = spawnSync('python3', ['-', join(directory, 'none'), '3000', '5'], { input: script, encoding: 'utf8' });
      expect(parseText(probe, missing.stdout, { exitCode: missing.status })).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'checkpoint.error' }, { code: 'checkpoint.exit-code' }] });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
