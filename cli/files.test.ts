import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from './exit';
import { fileError, readText } from './files';

const folder = mkdtempSync(join(tmpdir(), 'cli-files-'));
const message = (path: string, what?: string): string => {
  try {
    return readText(path, what);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
};

describe('files of the command line', () => {
  it('reads a text', () => {
    writeFileSync(join(folder, 'a.txt'), 'höhe\n');
    expect(readText(join(folder, 'a.txt'))).toBe('höhe\n');
  });

  it('says in words why a file cannot be read, and what to do', () => {
    expect(message(folder)).toBe(`Cannot read ${folder}: it is a folder. Name a file in it.`);
    expect(message(join(folder, 'none'), 'the key')).toBe('Cannot read the key: it does not exist. Check the path; it is taken from the current folder.');
    expect(message(join(folder, 'a.txt', 'b'))).toMatch(/a part of the path is a file/);
  });

  it('keeps the message of an error that it has no words for', () => {
    expect(fileError('write x', new Error('the tape is full')).message).toBe('Cannot write x: the tape is full');
  });
});
