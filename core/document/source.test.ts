import { describe, expect, it } from 'vitest';
import { FULL_CHECK_LIMIT, PARSE_LIMIT, SourceFile } from './source';

const codesOf = (file: SourceFile): string[] => [...file.problems, ...file.documents.flatMap(({ problems }) => problems)].map(({ code }) => code);

describe('SourceFile', () => {
  it('checks only the syntax of a large file, and nothing of a huge one', () => {
    const line = `# ${'x'.repeat(97)}\n`;
    const ofSize = (size: number): SourceFile => new SourceFile(`name: a\n${line.repeat(Math.ceil(size / line.length))}b: [`);
    expect(ofSize(FULL_CHECK_LIMIT / 2)).toMatchObject({ depth: 'full', problems: [] });
    const large = ofSize(FULL_CHECK_LIMIT);
    expect(large.depth).toBe('syntax-only');
    expect(codesOf(large)).toEqual(['file-too-large', 'yaml-syntax']);
    const huge = ofSize(PARSE_LIMIT);
    expect(huge).toMatchObject({ depth: 'none', documents: [] });
    expect(codesOf(huge)).toEqual(['file-too-large']);
  });

  it('does not resolve a bomb of aliases', () => {
    const level = (name: string, of: string): string => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${of}`).join(', ')}]\n`;
    const bomb = `a: &a [x, x]\n${[...'bcdefgh'].map((name, index) => level(name, 'abcdefg'[index]!)).join('')}`;
    expect(codesOf(new SourceFile(bomb))).toEqual(['yaml-alias-budget']);
    const flood = `a: &a x\nlist: [${'*a, '.repeat(2500)}]\n`;
    expect(new SourceFile(flood)).toMatchObject({ depth: 'none', documents: [] });
    expect(codesOf(new SourceFile(flood))).toEqual(['yaml-alias-budget']);
  });

  it('survives brackets that are nested too deeply', () => {
    const file = new SourceFile(`a: ${'['.repeat(100_000)}`);
    expect(codesOf(file)).toContain('yaml-syntax');
  });

  it('keeps the line ends of the file, and counts in lines and columns', () => {
    expect(new SourceFile('a: 1\r\nb: 2\r\n').eol).toBe('\r\n');
    const file = new SourceFile('\uFEFFa: 1\nbc: 2\n');
    expect(file.eol).toBe('\n');
    expect(file.positionAt(file.text.indexOf('2'))).toEqual({ line: 1, character: 4 });
    expect(file.documents[0]!.problems).toEqual([]);
  });

  it('knows which of several documents a place is in', () => {
    const file = new SourceFile('a: 1\n---\nb: 2\n');
    expect(file.documents).toHaveLength(2);
    expect(file.documentAt(2)).toBe(file.documents[0]);
    expect(file.documentAt(file.text.indexOf('2'))).toBe(file.documents[1]);
  });
});
