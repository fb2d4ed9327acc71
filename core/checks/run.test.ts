import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyEdits } from './edits';
import { filesFromMap } from './files';
import { checkFile } from './run';

const BRIEF = 'kind: WorkloadBrief\nschemaVersion: 1\nname: small\n';
const CARD = `kind: AcceptanceCard
schemaVersion: 1
name: small
targets:
  - name: rental
    host: gpu-01.example.com
    user: root
stages:
  environment-smoke:
    probes:
      - id: nvidia-smi-list
`;
const structural = (text: string, fileName?: string) =>
  checkFile(text, { ...(fileName ? { fileName } : {}), files: filesFromMap({}) }).findings.filter(({ rule }) => /^(yaml|unknown|missing|wrong|not-allowed|file)/.test(rule));

const rules = (text: string, fileName?: string) => structural(text, fileName).map(({ rule }) => rule);

describe('checking a file', () => {
  it.each(['examples/inference/support-chat', 'examples/training/lora-8b'])('finds no error in %s', (name) => {
    for (const kind of ['brief', 'acceptance']) {
      const report = checkFile(readFileSync(`${name}.${kind}.yaml`, 'utf8'), { fileName: `x.${kind}.yaml` });
      expect(report.failures).toEqual([]);
      expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  });

  it('names the key that was meant, once', () => {
    const found = structural(CARD.replace('    host:', '    hots:'));
    expect(found.map(({ message }) => message)).toEqual(['"hots" is not a key of "targets". Did you mean "host"?']);
    expect(applyEdits(CARD.replace('    host:', '    hots:'), found[0]!.fixes![0]!.edits)).toBe(CARD);
  });

  it('points an unclosed quote at its opening', () => {
    const text = `${BRIEF}description: "never closed\nfallback: none\n`;
    const [finding] = structural(text);
    expect(finding).toMatchObject({ rule: 'yaml-unclosed-quote', range: { start: text.indexOf('"'), end: text.indexOf('"') + 1 } });
  });

  it('reports a duplicate key at the second place, with the first beside it', () => {
    const text = `${BRIEF}name: other\n`;
    const [finding] = structural(text);
    expect(finding).toMatchObject({ rule: 'yaml-duplicate-key', range: { start: text.lastIndexOf('name') } });
    expect(finding!.related![0]!.range.start).toBe(text.indexOf('name'));
  });

  it('takes a document without kind for what its file name says', () => {
    expect(rules('schemaVersion: 1\nname: x\n', 'x.brief.yml')).toEqual(['missing-key']);
    expect(rules('schemaVersion: 1\nname: x\n', 'other.yaml')).toEqual([]);
  });

  it('validates every document by its own kind', () => {
    expect(rules(`${BRIEF}---\n${CARD}extra: 1\n`)).toEqual(['unknown-key']);
    expect(rules(`${BRIEF}extra: 1\n---\n${CARD}`)).toEqual(['unknown-key']);
  });

  it('accepts a merge key and reports a fault in it at the alias', () => {
    const merged = CARD.replace('  - name: rental\n', '  - &base\n    name: rental\n').replace('stages:', '  - <<: *base\n    name: other\nstages:');
    expect(rules(merged)).toEqual([]);
    const wrong = merged.replace('user: root', 'user: 5');
    const found = structural(wrong);
    expect(found.map(({ rule }) => rule)).toEqual(['wrong-type', 'wrong-type']);
    expect(found[1]!.range.start).toBe(wrong.indexOf('*base'));
    expect(found[1]!.related![0]!.range.start).toBe(wrong.indexOf('5'));
  });

  it('survives alias bombs and deep nesting', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`).join('\n')}\n`;
    expect(rules(BRIEF + bomb)).toContain('yaml-alias-budget');
    expect(checkFile(`${BRIEF}x: ${'['.repeat(20_000)}`).failures).toEqual([]);
  });

  it('keeps quoted versions as they are written', () => {
    const text = `${CARD}runtime:\n  cuda: 12.40\n`;
    const [finding] = structural(text);
    expect(applyEdits(text, finding!.fixes![0]!.edits)).toBe(`${CARD}runtime:\n  cuda: "12.40"\n`);
  });

  it('lets a comment with a reason switch one finding off, and keeps it as a waiver', () => {
    const text = `${BRIEF}# gpu-acceptance-disable-next-line unknown-key kept for another tool\nextra: 1\n`;
    const report = checkFile(text);
    expect(report.findings.map(({ rule }) => rule)).not.toContain('unknown-key');
    expect(report.suppressed[0]).toMatchObject({ rule: 'unknown-key', reason: 'kept for another tool' });
    expect(rules(text.replace(' kept for another tool', ''))).toContain('unknown-key');
  });

  it('obeys severities and the comment that switches a file off', () => {
    const text = `${BRIEF}extra: 1\n`;
    expect(checkFile(text, { severity: { 'unknown-key': 'hint' } }).findings.find(({ rule }) => rule === 'unknown-key')?.severity).toBe('hint');
    expect(checkFile(text, { severity: { 'unknown-key': 'off' } }).findings.map(({ rule }) => rule)).not.toContain('unknown-key');
    expect(checkFile(`# gpu-acceptance: ignore\n${text}`).findings).toEqual([]);
  });

  it('counts a byte order mark and CRLF in its ranges', () => {
    const text = `\uFEFF${BRIEF}extra: 1\n`.replaceAll('\n', '\r\n');
    const [finding] = structural(text);
    expect(text.slice(finding!.range.start, finding!.range.end)).toBe('extra');
  });
});
