import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkFile } from './run';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'workloads');

describe('complete briefs of other kinds of work', () => {
  it.each(readdirSync(FOLDER))('%s is clean', (name) => {
    const report = checkFile(readFileSync(join(FOLDER, name), 'utf8'), { fileName: name, today: '2026-12-01' });
    expect(report.failures).toEqual([]);
    expect(report.findings.filter(({ severity }) => severity !== 'information').map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });
});
