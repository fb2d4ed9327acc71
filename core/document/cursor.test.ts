import { describe, expect, it } from 'vitest';
import { cursorAt } from './cursor';

/** The text has one `|` where the cursor is. */
function at(marked: string) {
  const offset = marked.indexOf('|');
  if (offset === -1) throw new Error('The text has no cursor.');
  return cursorAt(marked.slice(0, offset) + marked.slice(offset + 1), offset);
}

const CASES: [name: string, text: string, place: string | undefined, path?: string, typed?: string][] = [
  ['an empty document', '|', 'entry', ''],
  ['the top level', 'kind: X\n|', 'entry', ''],
  ['half a key', 'kind: X\nna|', 'entry', '', 'na'],
  ['a nested empty line', 'owner:\n  |', 'entry', 'owner'],
  ['a nested second key', 'owner:\n  name: A\n  |', 'entry', 'owner'],
  ['a dedent', 'owner:\n  name: A\n|', 'entry', ''],
  ['behind a colon', 'precision:\n  weights: |', 'value', 'precision.weights'],
  ['directly behind a colon', 'precision:\n  weights:|', 'value', 'precision.weights'],
  ['half a value', 'precision:\n  weights: bf|', 'value', 'precision.weights', 'bf'],
  ['in the middle of a value', 'precision:\n  weights: b|f16 # why', 'value', 'precision.weights', 'b'],
  ['behind a dash', 'targets:\n  - |', 'entry', 'targets.0'],
  ['behind the second dash', 'targets:\n  - name: a\n  - |', 'entry', 'targets.1'],
  ['a further key of an item', 'targets:\n  - name: a\n    |', 'entry', 'targets.0'],
  ['half a key of an item', 'targets:\n  - name: a\n    ho|', 'entry', 'targets.0', 'ho'],
  ['a value in an item', 'targets:\n  - name: a\n    user: |', 'value', 'targets.0.user'],
  ['a list at its parent\'s column', 'targets:\n- name: a\n  |', 'entry', 'targets.0'],
  ['nested lists', 'stages:\n  functional:\n    probes:\n      - id: x\n    criteria:\n      - id: y\n        |', 'entry', 'stages.functional.criteria.0'],
  ['a flow map', 'with: { level: 1, | }', 'entry', 'with'],
  ['an empty flow map', 'with: {|}', 'entry', 'with'],
  ['an open flow map', 'with: { le|\nother: 1\n', 'entry', 'with', 'le'],
  ['a value in a flow map', 'with: { level: | }', 'value', 'with.level'],
  ['a flow list', 'residency: [EU, |]', 'value', 'residency.1'],
  ['a flow map in a list', 'a:\n  - source: { kind: |', 'value', 'a.0.source.kind'],
  ['a flow map over lines', 'with: {\n  level: 1,\n  |\n}', 'entry', 'with'],
  ['a comment', 'kind: X # co|', undefined],
  ['a comment line', '# |', undefined],
  ['a block text', 'description: >\n  some |', undefined],
  ['behind a block text', 'description: >-\n  x\nna|', 'entry', '', 'na'],
  ['a text of several words', 'kind: X\nsome words|', undefined],
  ['below a scalar', 'kind: X\n  |', undefined],
  ['behind an unclosed quote', 'name: "x\nowner:\n  |', 'entry', 'owner'],
  ['behind an unclosed bracket', 'labels: { a: 1\nowner:\n  |', 'entry', 'owner'],
  ['a quoted value', 'value: "N|"', 'value', 'value', '"N'],
  ['the second document', 'kind: A\nowner:\n  name: x\n---\nkind: B\n|', 'entry', ''],
  ['an anchored map', 'base: &b\n  |', 'entry', 'base'],
  ['a key with a hash in it', 'a#b: |', 'value', 'a#b'],
];

describe('cursor', () => {
  it.each(CASES)('%s', (_name, text, place, path, typed) => {
    for (const variant of [text, text.replaceAll('\n', '\r\n')]) {
      const cursor = at(variant);
      expect(cursor?.place).toBe(place);
      if (path !== undefined) expect(cursor?.path.join('.')).toBe(path);
      if (typed !== undefined) expect(cursor?.typed).toBe(typed);
    }
  });

  it('knows the keys before and behind the cursor', () => {
    expect([...at('owner:\n  name: A\n  |\n  team: B\nother: 1\n')!.siblings]).toEqual(['name', 'team']);
    expect([...at('with: { a: 1, | , c: 2 }')!.siblings]).toEqual(['a', 'c']);
  });

  it('offers to continue a list at the column of its dash', () => {
    expect(at('targets:\n  - name: a\n  |')!.list).toEqual(['targets']);
    expect(at('targets:\n  - name: a\n    |')!.list).toBeUndefined();
  });

  it('replaces the word or value around the cursor, never the comment', () => {
    const text = 'precision:\n  weights: bf16 # why';
    const cursor = cursorAt(text, text.indexOf('f16'))!;
    expect(text.slice(cursor.replace.start, cursor.replace.end)).toBe('bf16');
  });

  it('knows the scalars around the cursor', () => {
    const cursor = at('probes:\n  - id: nccl-tests\n    with: { | }')!;
    expect(cursor.data).toMatchObject({ probes: [{ id: 'nccl-tests' }] });
  });
});
