import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { applyEdits } from './edits';
import { filesFromMap } from './files';
import { RULES } from './generated';
import { type CheckReport, checkFile } from './run';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'examples');

interface Example {
  id: string;
  files: Record<string, string>;
}

const EXAMPLES: Example[] = readdirSync(FOLDER).map((id) => ({
  id,
  files: Object.fromEntries(readdirSync(join(FOLDER, id)).map((name) => [name, readFileSync(join(FOLDER, id, name), 'utf8')])),
}));

const named = (files: Record<string, string>, kind: string): string | undefined => Object.keys(files).find((name) => name.startsWith(`${kind}.`));
const comments = (text: string): string[] => [...text.matchAll(/(?:^|\s)(#.*)$/gm)].map((match) => match[1]!);

function check(id: string, files: Record<string, string>, name: string, text = files[name]!): CheckReport {
  const rules = RULES.filter((rule) => rule.id === id);
  return checkFile(text, { files: filesFromMap(files), fileName: name, rules, isManifest: name.includes('.manifest.'), today: '2026-12-01' });
}

/** The text after the first fix of each finding, all at once, as a person would apply them one after the other. */
function fixed(id: string, files: Record<string, string>, name: string): string {
  let text = files[name]!;
  for (let round = 0; round < 10; round++) {
    const first = check(id, files, name, text).findings.find(({ fixes }) => (fixes?.length ?? 0) > 0)?.fixes?.[0];
    const next = first && applyEdits(text, first.edits);
    if (next === undefined || next === text) break;
    text = next;
  }
  return text;
}

describe.each(EXAMPLES.map((example) => [example.id, example.files] as const))('%s', (id, files) => {
  const [bad, good, wanted] = [named(files, 'bad'), named(files, 'good'), named(files, 'fixed')];

  it('is a rule with a bad and a good example', () => {
    expect(RULES.map((rule) => rule.id)).toContain(id);
    expect([bad, good]).not.toContain(undefined);
  });

  it('finds the bad example, inside the document, and not the good one', () => {
    const report = check(id, files, bad!);
    expect(report.failures).toEqual([]);
    expect(report.findings.length).toBeGreaterThan(0);
    for (const { range } of report.findings) {
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeLessThanOrEqual(files[bad!]!.length);
    }
    expect(check(id, files, good!).findings.map(({ message }) => message)).toEqual([]);
  });

  it('shows what its quick fix does, when it has one', () => {
    expect(fixed(id, files, bad!) !== files[bad!]).toBe(wanted !== undefined);
  });

  if (wanted !== undefined) {
    it('mends the bad example and keeps its comments', () => {
      expect(fixed(id, files, bad!)).toBe(files[wanted]);
      expect(comments(files[wanted]!)).toEqual(comments(files[bad!]!));
    });
  }
});

/** Their examples would be of a thousand lines or a megabyte; core/document/source.test.ts makes them. */
const TOO_LARGE_FOR_AN_EXAMPLE = ['file-too-large', 'yaml-alias-budget'];

it('has an example for each other rule', () => {
  const shown = new Set(EXAMPLES.map(({ id }) => id));
  expect(RULES.map(({ id }) => id).filter((id) => !shown.has(id)).sort()).toEqual(TOO_LARGE_FOR_AN_EXAMPLE);
});
