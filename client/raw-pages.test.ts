import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRawPage } from './raw-pages';

describe('pages of raw output', () => {
  let folder: string;
  const write = (text: string | Buffer): string => {
    const path = join(folder, 'stdout');
    writeFileSync(path, text);
    return path;
  };
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'gpu-acceptance-raw-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gives a short file as one page, with or without a last line break', async () => {
    expect(await readRawPage(write('one\ntwo\n'))).toEqual({ text: 'one\ntwo\n', firstLine: 1, totalLines: 2, totalBytes: 8 });
    expect(await readRawPage(write('one\ntwo'))).toEqual({ text: 'one\ntwo\n', firstLine: 1, totalLines: 2, totalBytes: 7 });
  });

  it('gives the page that holds the wanted line', async () => {
    const path = write(Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}\n`).join(''));
    const page = await readRawPage(path, 1_001);
    expect(page).toMatchObject({ firstLine: 1_001, totalLines: 2_500 });
    expect(page.text.split('\n').slice(0, 2)).toEqual(['line 1001', 'line 1002']);
    expect((await readRawPage(path, 1_000)).firstLine).toBe(1);
    expect((await readRawPage(path, 2_500)).text.split('\n').at(-2)).toBe('line 2500');
  });

  it('gives the last page for a line past the end', async () => {
    const path = write('x\n'.repeat(1_500));
    expect((await readRawPage(path, 9_999)).firstLine).toBe(1_001);
  });

  it('cuts a long line and says so, across chunk borders', async () => {
    const { text, totalLines } = await readRawPage(write(`${'a'.repeat(200_000)}\nend\n`));
    expect(totalLines).toBe(2);
    expect(text).toBe(`${'a'.repeat(4_096)}… (195904 bytes more)\nend\n`);
  });

  it('has no line for an empty file and for one that is not there', async () => {
    expect(await readRawPage(write(''))).toMatchObject({ text: '', totalLines: 0 });
    expect(await readRawPage(join(folder, 'missing'))).toMatchObject({ text: '', totalLines: 0, totalBytes: 0 });
  });
});
