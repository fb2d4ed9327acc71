import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeAction, CodeLens, CompletionList, DocumentLink, DocumentSymbol, FoldingRange, Hover, InlayHint, Location, SelectionRange } from 'vscode-languageserver/node';
import { TestClient } from './client';

const folder = mkdtempSync(join(tmpdir(), 'gpu-language-server-'));
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
const CARD = 'support-chat.acceptance.yaml';
const BRIEF = 'support-chat.brief.yaml';
const card = readFileSync(join('examples/inference', CARD), 'utf8');

/** Position of the first place where `part` stands, `skip` characters in. */
function positionOf(text: string, part: string, skip = 0): { line: number; character: number } {
  const before = text.slice(0, text.indexOf(part) + skip).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

let client: TestClient;

beforeAll(async () => {
  cpSync('examples/inference', folder, { recursive: true });
  client = await TestClient.start();
  await client.open(uriOf(CARD), 'acceptance-card', card);
  await client.open(uriOf(BRIEF), 'workload-brief', readFileSync(join(folder, BRIEF), 'utf8'));
});

afterAll(async () => {
  expect(await client.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const textDocument = { uri: uriOf(CARD) };
const at = (part: string, skip = 0) => ({ textDocument, position: positionOf(card, part, skip) });

describe('the language server over stdio', () => {
  it('finds no error in the examples', async () => {
    for (const name of [CARD, BRIEF]) expect((await client.diagnostics(uriOf(name))).filter(({ severity }) => severity === 1)).toEqual([]);
  });

  it('follows typing, and publishes for the newest version only', async () => {
    const uri = 'untitled:typing';
    await client.open(uri, 'workload-brief', 'kind: WorkloadBrief\n');
    for (let version = 2; version < 12; version++) await client.change(uri, version, `kind: WorkloadBrief\nschemaVersion: 1\nname: ${'x'.repeat(version)}\n`);
    await client.change(uri, 12, 'kind: WorkloadBrief\nschemaVersion: 1\nnaem: x\n');
    const found = await client.diagnostics(uri, ({ version }) => version === 12);
    expect(found.find(({ code }) => code === 'unknown-key')?.message).toContain('Did you mean "name"?');
    expect(found.map(({ code }) => code)).not.toContain('missing-key');
  });

  it('obeys a changed severity', async () => {
    const uri = 'untitled:severity';
    const before = client.diagnostics(uri);
    await client.open(uri, 'workload-brief', 'kind: WorkloadBrief\nschemaVersion: 1\nname: x\nother: 1\n');
    expect((await before).map(({ code }) => code)).toContain('unknown-key');
    client.severity = { 'unknown-key': 'off' };
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    const after = await client.diagnostics(uri, ({ diagnostics }) => diagnostics.every(({ code }) => code !== 'unknown-key'));
    expect(after.map(({ code }) => code)).not.toContain('unknown-key');
    client.severity = {};
  });

  it('reads severities from the file of the workspace', async () => {
    writeFileSync(join(folder, 'gpu-acceptance.yaml'), 'checks:\n  severity:\n    unknown-key: hint\n');
    const uri = uriOf('other.brief.yaml');
    await client.open(uri, 'workload-brief', 'kind: WorkloadBrief\nschemaVersion: 1\nname: x\nother: 1\n');
    expect((await client.diagnostics(uri)).find(({ code }) => code === 'unknown-key')?.severity).toBe(4);
    rmSync(join(folder, 'gpu-acceptance.yaml'));
  });

  it('completes metrics, with those of the stage first', async () => {
    const { items } = await client.request<CompletionList>('textDocument/completion', at('metric: nccl.busbw', 'metric: '.length));
    const first = items.toSorted((a, b) => a.sortText!.localeCompare(b.sortText!)).map(({ label }) => label);
    expect(first).toContain('nccl.busbw');
    expect(first.indexOf('nccl.busbw')).toBeLessThan(first.indexOf('gpu.count'));
  });

  it('explains keys, metrics and thresholds', async () => {
    const key = await client.request<Hover>('textDocument/hover', at('maximumDuration:', 2));
    expect(JSON.stringify(key.contents)).toContain('Longest acceptable restore');
    const metric = await client.request<Hover>('textDocument/hover', at('metric: nccl.busbw', 10));
    expect(JSON.stringify(metric.contents)).toContain('GB/s');
    const threshold = await client.request<Hover>('textDocument/hover', at('value: 440 GB/s', 8));
    expect(JSON.stringify(threshold.contents)).toContain('Source:');
  });

  it('goes from an objective to the brief, and back to its uses', async () => {
    const [target] = await client.request<Location[]>('textDocument/definition', at('objective: ttft-p95', 12));
    expect(target!.uri).toBe(uriOf(BRIEF));
    const uses = await client.request<Location[]>('textDocument/references', { textDocument: { uri: target!.uri }, position: target!.range.start, context: { includeDeclaration: true } });
    expect(uses.map(({ uri }) => uri)).toEqual([uriOf(BRIEF), uriOf(CARD)]);
  });

  it('goes from a criterion to its probe entry, and from the brief key to the file', async () => {
    const [entry] = await client.request<Location[]>('textDocument/definition', at('probe: collective', 8));
    expect(entry!.range.start).toEqual(positionOf(card, 'name: collective', 6));
    const [brief] = await client.request<Location[]>('textDocument/definition', at('brief: support', 8));
    expect(brief!.uri).toBe(uriOf(BRIEF));
    const links = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument });
    expect(links.map(({ target }) => target)).toContain(uriOf(BRIEF));
  });

  it('offers fixes for the finding under the cursor', async () => {
    const uri = 'untitled:fix';
    const text = 'kind: WorkloadBrief\nschemaVersion: 1\nnaem: x # a comment\n';
    await client.open(uri, 'workload-brief', text);
    const position = positionOf(text, 'naem', 1);
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', { textDocument: { uri }, range: { start: position, end: position }, context: { diagnostics: [] } });
    expect(actions[0]).toMatchObject({ title: 'Change to "name"', kind: 'quickfix', isPreferred: true });
    expect(actions[0]!.edit!.changes![uri]).toEqual([{ range: { start: positionOf(text, 'naem'), end: positionOf(text, 'naem', 4) }, newText: 'name' }]);
  });

  it('fixes all that is safe to fix', async () => {
    const uri = 'untitled:fix-all';
    await client.open(uri, 'workload-brief', 'kind: WorkloadBrief\nname: x\n');
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const [action] = await client.request<CodeAction[]>('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [], only: ['source.fixAll'] } });
    expect(action!.kind).toBe('source.fixAll.gpu-acceptance');
    expect(action!.edit!.changes![uri]![0]!.newText).toContain('schemaVersion: 1');
  });

  it('shows lenses to run the card and its stages, its readiness and the last verdict', async () => {
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument });
    const titles = lenses.map(({ command }) => command!.title);
    expect(titles.filter((title) => title.includes('Run stage'))).toHaveLength(3);
    expect(titles.some((title) => /^Readiness \d\/8$/.test(title))).toBe(true);
    expect(titles).toContain('Last run on rental: rejected');
    expect(lenses.find(({ command }) => command!.title.includes('Run stage'))!.command).toMatchObject({ command: 'gpuAcceptance.runStage', arguments: [uriOf(CARD), 'environment-smoke'] });
  });

  it('adds the sum of the memory shape', async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };
    const hints = await client.request<InlayHint[]>('textDocument/inlayHint', { textDocument: { uri: uriOf(BRIEF) }, range });
    expect(hints.map(({ label }) => label)).toContain('= 416 GiB, 52 GiB per GPU');
  });

  it('shows how a part of the memory shape is computed', async () => {
    const brief = readFileSync(join(folder, BRIEF), 'utf8');
    const part = await client.request<Hover>('textDocument/hover', { textDocument: { uri: uriOf(BRIEF) }, position: positionOf(brief, 'kvCache: 160 GiB', 2) });
    expect(JSON.stringify(part.contents)).toContain('2 × 80 layers × 8 KV heads × 128 × 2 B (bf16) × 8192 tokens × 64 sequences = **160 GiB**');
    const whole = await client.request<Hover>('textDocument/hover', { textDocument: { uri: uriOf(BRIEF) }, position: positionOf(brief, 'memoryShape:', 2) });
    expect(JSON.stringify(whole.contents)).toContain('All parts: 416 GiB, 52 GiB per GPU');
  });

  it('adds what one accepted piece of work costs', async () => {
    const text = 'kind: AcceptanceCard\nschemaVersion: 1\nname: cost\ncost:\n  currency: EUR\n  completedWork: accepted clip\n  acceptedCount: 640\n  components:\n    - { kind: accelerator, amount: 180 }\n    - { kind: storage, amount: 12 }\n';
    await client.open(uriOf('cost.acceptance.yaml'), 'acceptance-card', text);
    const hints = await client.request<InlayHint[]>('textDocument/inlayHint', { textDocument: { uri: uriOf('cost.acceptance.yaml') }, range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } });
    expect(hints.map(({ label }) => label)).toEqual(['= 192.00 EUR, 0.3 per accepted clip']);
  });

  it('gives outline, folds and selections', async () => {
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
    const stages = symbols.find(({ name }) => name === 'stages')!;
    expect(stages.children!.map(({ name }) => name)).toEqual(['environment-smoke', 'functional', 'representative-load']);
    const folds = await client.request<FoldingRange[]>('textDocument/foldingRange', { textDocument });
    expect(folds.map(({ startLine }) => startLine)).toContain(positionOf(card, 'stages:').line);
    const [selection] = await client.request<SelectionRange[]>('textDocument/selectionRange', { textDocument, positions: [positionOf(card, '440 GB/s', 1)] });
    expect(selection!.range.start).toEqual(positionOf(card, '440 GB/s'));
    expect(selection!.parent!.range.start).toEqual(positionOf(card, 'value: 440'));
  });

  it('answers with nothing for a document that it does not know, and lives on', async () => {
    expect(await client.request('textDocument/hover', { textDocument: { uri: 'untitled:none' }, position: { line: 0, character: 0 } })).toBeNull();
    expect(await client.request('textDocument/hover', at('kind:', 1))).not.toBeNull();
  });
});
