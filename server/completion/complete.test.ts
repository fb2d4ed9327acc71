import { describe, expect, it } from 'vitest';
import type { CompletionItem } from 'vscode-languageserver/node';
import { openDocument } from '../testing';
import { complete } from './complete';
import { withoutStops } from './snippets';

/** Completions at the `|` of a text. */
function completionsAt(marked: string, languageId: string): { items: CompletionItem[]; accept: (label: string) => string } {
  const offset = marked.indexOf('|');
  if (offset === -1) throw new Error('The text has no cursor.');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const { session, document } = openDocument(text, { languageId });
  const result = complete(session, document, offset);
  const items = Array.isArray(result) ? result : result.items;
  return {
    items,
    accept: (label) => {
      const item = items.find((candidate) => candidate.label === label);
      if (!item?.textEdit || !('range' in item.textEdit)) throw new Error(`There is no "${label}" among ${items.map((candidate) => candidate.label).join(', ')}`);
      const { range, newText } = item.textEdit;
      return text.slice(0, document.offsetAt(range.start)) + withoutStops(newText) + text.slice(document.offsetAt(range.end));
    },
  };
}

const inCard = (marked: string) => completionsAt(`kind: AcceptanceCard\n${marked}`, 'acceptance-card');
const inBrief = (marked: string) => completionsAt(`kind: WorkloadBrief\n${marked}`, 'workload-brief');
const labels = ({ items }: { items: CompletionItem[] }) => items.map(({ label }) => label);

/** The text after a completion was accepted, without the first line. */
const GOLDEN: [name: string, before: string, label: string, after: string][] = [
  ['a key at the top', '|', 'owner', 'owner:\n  name: '],
  ['half a key', 'na|', 'name', 'name: '],
  ['a key in the middle of a word', 'na|em', 'name', 'name: '],
  ['a key whose colon is there', 'na|em: x', 'name', 'name: x'],
  ['a constant', 'sch|', 'schemaVersion', 'schemaVersion: 1'],
  ['a nested key', 'runtime:\n  |', 'driver', 'runtime:\n  driver: '],
  ['a nested key with four spaces', 'owner:\n    name: x\nruntime:\n    |', 'driver', 'owner:\n    name: x\nruntime:\n    driver: '],
  ['a nested map with four spaces', 'owner:\n    name: x\nallocationBoundary:\n    |', 'includes', 'owner:\n    name: x\nallocationBoundary:\n    includes:\n        '],
  ['a key of a list item', 'targets:\n  - name: a\n    |', 'host', 'targets:\n  - name: a\n    host: '],
  ['a key behind a dash', 'targets:\n  - |', 'name', 'targets:\n  - name: '],
  ['a map in a list item', 'stages:\n  functional:\n    criteria:\n      - id: a\n        |', 'source', 'stages:\n  functional:\n    criteria:\n      - id: a\n        source:\n          kind: '],
  ['a new item below a key', 'stages:\n  functional:\n    probes:\n      |', '- id: nccl-tests', 'stages:\n  functional:\n    probes:\n      - id: nccl-tests'],
  ['a further item', 'stages:\n  functional:\n    probes:\n      - id: nccl-tests\n      |', '- id: nccl-debug', 'stages:\n  functional:\n    probes:\n      - id: nccl-tests\n      - id: nccl-debug\n        from: '],
  ['a list of maps', 'stages:\n  functional:\n    |', 'criteria', 'stages:\n  functional:\n    criteria:\n      - '],
  ['an item of required keys', 'targets:\n  |', '- target', 'targets:\n  - name: \n    host: \n    user: '],
  ['an enum', 'schedulerPath:\n  kind: |', 'slurm', 'schedulerPath:\n  kind: slurm'],
  ['half an enum', 'schedulerPath:\n  kind: sl|', 'slurm', 'schedulerPath:\n  kind: slurm'],
  ['an enum over another, comment kept', 'schedulerPath:\n  kind: d|irect # why', 'slurm', 'schedulerPath:\n  kind: slurm # why'],
  ['a value directly behind the colon', 'schedulerPath:\n  kind:|', 'slurm', 'schedulerPath:\n  kind: slurm'],
  ['a value that needs quotes', 'stages:\n  functional:\n    criteria:\n      - comparator: |', '>=', 'stages:\n  functional:\n    criteria:\n      - comparator: ">="'],
  ['a value in open quotes', 'stages:\n  functional:\n    criteria:\n      - comparator: "|', '>=', 'stages:\n  functional:\n    criteria:\n      - comparator: ">="'],
  ['a key in a flow map', 'schedulerPath: { | }', 'kind', 'schedulerPath: { kind:  }'],
  ['a second key in a flow map', 'schedulerPath: { kind: slurm, par| }', 'partition', 'schedulerPath: { kind: slurm, partition:  }'],
  ['a value in a flow map', 'schedulerPath: { kind: | }', 'slurm', 'schedulerPath: { kind: slurm }'],
  ['parameters of the probe', 'stages:\n  functional:\n    probes:\n      - id: dcgmi-diag\n        with: { | }', 'level', 'stages:\n  functional:\n    probes:\n      - id: dcgmi-diag\n        with: { level:  }'],
  ['parameters of the probe below', 'stages:\n  functional:\n    probes:\n      - id: nccl-tests\n        with:\n          |', 'collective', 'stages:\n  functional:\n    probes:\n      - id: nccl-tests\n        with:\n          collective: '],
  ['a unit behind a number', 'acceleratorMemory:\n  perGpu: 80|', '80 GiB', 'acceleratorMemory:\n  perGpu: 80 GiB'],
  ['half a unit', 'acceleratorMemory:\n  perGpu: 80 G|', '80 GiB', 'acceleratorMemory:\n  perGpu: 80 GiB'],
  ['the unit of the metric', 'stages:\n  functional:\n    criteria:\n      - metric: nccl.busbw\n        value: 440|', '440 GB/s', 'stages:\n  functional:\n    criteria:\n      - metric: nccl.busbw\n        value: 440 GB/s'],
  ['a label of the metric', 'stages:\n  functional:\n    criteria:\n      - metric: nccl.busbw\n        labels: { | }', 'collective', 'stages:\n  functional:\n    criteria:\n      - metric: nccl.busbw\n        labels: { collective:  }'],
  ['a percentile', 'stages:\n  functional:\n    criteria:\n      - metric: load.ttft\n        labels: { stat: | }', 'p95', 'stages:\n  functional:\n    criteria:\n      - metric: load.ttft\n        labels: { stat: p95 }'],
  ['a probe entry of the stage', 'stages:\n  functional:\n    probes:\n      - id: nccl-tests\n        name: collective\n    criteria:\n      - probe: |', 'collective', 'stages:\n  functional:\n    probes:\n      - id: nccl-tests\n        name: collective\n    criteria:\n      - probe: collective'],
  ['a target in a flow list', 'targets:\n  - name: rental\n    host: h\n    user: u\ndrainAuthorization:\n  targets: [|]', 'rental', 'targets:\n  - name: rental\n    host: h\n    user: u\ndrainAuthorization:\n  targets: [rental]'],
  ['a map on the next lines', 'owner: |', 'on the next lines', 'owner: \n  name: '],
  ['behind an unclosed quote', 'name: "x\nschedulerPath:\n  kind: |', 'slurm', 'name: "x\nschedulerPath:\n  kind: slurm'],
];

describe('completion', () => {
  it.each(GOLDEN)('%s', (_name, before, label, after) => {
    expect(inCard(before).accept(label)).toBe(`kind: AcceptanceCard\n${after}`);
    const crlf = completionsAt(`kind: AcceptanceCard\n${before}`.replaceAll('\n', '\r\n'), 'acceptance-card');
    expect(crlf.accept(label)).toBe(`kind: AcceptanceCard\n${after}`.replaceAll('\n', '\r\n'));
  });

  it('does not offer keys that are there, before or behind the cursor', () => {
    const offered = labels(inBrief('owner:\n  name: A\n  |\n  team: B\n'));
    expect(offered).toContain('email');
    expect(offered).not.toContain('name');
    expect(offered).not.toContain('team');
  });

  it('offers nothing in comments and block texts', () => {
    expect(inBrief('# |').items).toEqual([]);
    expect(inBrief('description: >\n  x |').items).toEqual([]);
  });

  it('offers only probe entries of the same stage', () => {
    const text = 'stages:\n  functional:\n    probes:\n      - id: nccl-tests\n  failure:\n    probes:\n      - id: kernel-xid\n    criteria:\n      - probe: |';
    expect(labels(inCard(text))).toEqual(['kernel-xid']);
  });

  it('writes whole documents into an empty one', () => {
    const brief = completionsAt('|', 'workload-brief');
    expect(brief.accept('Workload brief')).toBe('kind: WorkloadBrief\nschemaVersion: 1\nname: ');
    expect(labels(completionsAt('|', 'acceptance-card'))).toContain('Acceptance card');
  });

  it('writes whole sections with examples, in the shape that the schema wants', () => {
    const text = inBrief('|').accept('dataBoundary (whole section)');
    expect(text).toContain('dataBoundary:\n  residency: [EU]\n');
    expect(inBrief('|').accept('performanceObjectives (whole section)')).toContain('performanceObjectives:\n  - id: ttft-p95\n    metric: vllm.ttft\n    phase: start-up\n');
  });

  it('explains what it offers', () => {
    const owner = inBrief('|').items.find(({ label }) => label === 'owner')!;
    expect(owner.documentation).toMatchObject({ value: expect.stringContaining('A team alias alone is not an owner') as string });
  });

  it('completes the document that the cursor is in', () => {
    const both = completionsAt('kind: WorkloadBrief\nname: a\n---\nkind: AcceptanceCard\n|', 'acceptance-card');
    expect(labels(both)).toContain('stages');
    expect(labels(completionsAt('kind: WorkloadBrief\n|\n---\nkind: AcceptanceCard\n', 'acceptance-card'))).toContain('memoryShape');
  });
});
