import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkHolds, editorHolds, fixesHold, type Subject } from './invariants';

const FILES = ['inference/support-chat.brief.yaml', 'inference/support-chat.acceptance.yaml', 'training/lora-8b.brief.yaml', 'training/lora-8b.acceptance.yaml'];
const EXAMPLES: readonly Subject[] = FILES.map((name) => ({ fileName: name, text: readFileSync(`examples/${name}`, 'utf8') }));

/** A text that checks this slowly would make typing wait. */
const SLOWEST_MS = 2000;

function everythingHolds(subject: Subject, offset: number): void {
  const startedAt = performance.now();
  const report = checkHolds(subject);
  const durationMs = performance.now() - startedAt;
  if (durationMs > SLOWEST_MS) throw new Error(`Checking took ${Math.round(durationMs)} ms.`);
  fixesHold(subject, report);
  editorHolds(subject, offset);
}

describe('any state of a document', () => {
  it.each(EXAMPLES)('prefixes of $fileName', ({ text, fileName }) => {
    // The large pair has the same sections as the small one, so fewer of its prefixes are new.
    const step = fileName.startsWith('training') ? 1 : 9;
    for (let length = 0; length <= text.length; length += step) {
      const subject = { text: text.slice(0, length), fileName };
      const report = checkHolds(subject);
      // Fixes and completion differ little from one letter of a word to the next.
      if (/[^a-z0-9]$|^$/i.test(subject.text)) {
        fixesHold(subject, report);
        editorHolds(subject, length);
      }
    }
    expect(text.length).toBeGreaterThan(1000);
  }, 600_000);

  it('thousands of mutations', () => {
    const junk = fc.constantFrom(...'{}[]"\'|>&*!%@`#,:-?\t\n ~<=0aé🙂\r', '- ', ': ', '\n  ', '<<: *x', '&x ', '\r\n', '---\n', '...', 'yes', 'null', '# comment\n', 'kind: ');
    const mutation = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.integer({ min: 0, max: 40 }), insert: fc.array(junk, { maxLength: 4 }) });
    const mutated = fc.record({ example: fc.constantFrom(...EXAMPLES), keep: fc.double({ min: 0.05, max: 1, noNaN: true }), mutations: fc.array(mutation, { minLength: 1, maxLength: 6 }) });
    fc.assert(
      fc.property(mutated, ({ example, keep, mutations }) => {
        let text = example.text.slice(0, Math.ceil(example.text.length * keep));
        let offset = 0;
        for (const { at, remove, insert } of mutations) {
          offset = Math.floor(at * text.length);
          text = text.slice(0, offset) + insert.join('') + text.slice(offset + remove);
          offset = Math.min(text.length, offset + insert.join('').length);
        }
        everythingHolds({ text, fileName: example.fileName }, offset);
      }),
      { numRuns: 3000, seed: 20261201 },
    );
  }, 600_000);

  it('line ends and a byte order mark change no finding', () => {
    for (const { text, fileName } of EXAMPLES) {
      const broken = text.replace(/\n {2}(\w)/, '\n  x$1').replace('schemaVersion: 1', 'schemaVersion: 2');
      const rulesOf = (variant: string): string[] => checkHolds({ text: variant, fileName }).findings.map(({ rule }) => rule);
      const expected = rulesOf(broken);
      expect(expected.length).toBeGreaterThan(0);
      expect(rulesOf(broken.replaceAll('\n', '\r\n'))).toEqual(expected);
      expect(rulesOf(`\uFEFF${broken}`)).toEqual(expected);
    }
  });
});
