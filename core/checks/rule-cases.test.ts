import { describe, expect, it } from 'vitest';
import { filesFromMap } from './files';
import { RULES } from './generated';
import { checkFile } from './run';

/** Cases of a rule beside its two examples: `severity: message` of each finding. */
function found(rule: string, body: string, kind = 'WorkloadBrief', files: Record<string, string> = {}): string[] {
  const report = checkFile(`kind: ${kind}\nschemaVersion: 1\nname: case\n${body}`, { rules: RULES.filter(({ id }) => id === rule), files: filesFromMap(files), today: '2026-12-01' });
  expect(report.failures).toEqual([]);
  return report.findings.map(({ severity, message }) => `${severity}: ${message}`);
}

describe('memory shape and hardware', () => {
  const shape = (more: string): string => `memoryShape:\n  weights: 60 GiB\n  gpus: 4\n${more}`;

  it('takes the most that the named hardware can have when the brief demands nothing', () => {
    const body = `layers:\n  capacity: { gpuModel: NVIDIA L4 }\n${shape('  headroom: 60 GiB\n')}`;
    expect(found('memory-exceeds-gpus', body)).toEqual(['error: Each GPU would have to hold 30 GiB and has 24 GiB (at most, NVIDIA L4); all parts together need 120 GiB.']);
  });

  it('only mentions data-parallel ranks that may share their state', () => {
    const body = shape('  memoryPerGpu: 40 GiB\n  parallelism: { data: 4 }\n');
    expect(found('memory-exceeds-gpus', body)).toEqual([expect.stringMatching(/^information: This fits only when the data-parallel ranks share/)]);
  });

  it('counts exactly when the brief says what data-parallel ranks share', () => {
    const body = (sharding: string): string => shape(`  memoryPerGpu: 40 GiB\n  parallelism: { data: 4, sharding: ${sharding} }\n`);
    expect(found('memory-exceeds-gpus', body('weights'))).toEqual([]);
    expect(found('memory-exceeds-gpus', body('gradients'))).toEqual([expect.stringMatching(/^error: Each GPU would have to hold 60 GiB/)]);
  });

  it('counts key-value heads that tensor ranks repeat', () => {
    const body = 'memoryShape:\n  kvCache: 64 GiB\n  gpus: 8\n  memoryPerGpu: 24 GiB\n  parallelism: { tensor: 8 }\n  architecture: { kvHeads: 2 }\n';
    expect(found('memory-exceeds-gpus', body)).toEqual([expect.stringMatching(/^error: Each GPU would have to hold 32 GiB/)]);
  });

  it('says nothing of parts that cannot be read or of unknown hardware', () => {
    expect(found('memory-exceeds-gpus', shape('  headroom: a lot\n  memoryPerGpu: 1 GiB\n'))).toEqual([]);
    expect(found('memory-exceeds-gpus', shape(''))).toEqual([]);
  });

  it('accepts replicas counted apart from the GPUs of one', () => {
    expect(found('memory-parallelism-product', 'memoryShape:\n  gpus: 8\n  parallelism: { tensor: 4, pipeline: 2, data: 3 }\n')).toEqual([]);
  });
});

describe('secrets', () => {
  it.each(['tokens: 900 per second, p95 of a token: 42 ms of 1500', 'secrets: kv/team1/serving', 'identity: token from the login page 12'])('finds none in %s', (text) => {
    expect(found('secret-assignment', `layers:\n  operations:\n    logs: "${text}"\n`)).toEqual([]);
  });

  it('finds one in a document that cannot be read, and does not repeat it', () => {
    const report = checkFile('kind: AcceptanceCard\nname: "open\nlogs: password=k3y4u5i6o7p8\n', { rules: RULES.filter(({ id }) => id === 'secret-assignment') });
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]!.message).not.toContain('k3y4u5i6o7p8');
  });
});

describe('card and brief', () => {
  const files = { 'work.brief.yaml': 'kind: WorkloadBrief\nschemaVersion: 1\nname: work\nallocationBoundary: vm\n' };

  it('points from the card to the place in the brief', () => {
    const text = 'kind: AcceptanceCard\nschemaVersion: 1\nbrief: work.brief.yaml\nallocationBoundary:\n  class: cluster\n';
    const [finding] = checkFile(text, { rules: RULES.filter(({ id }) => id === 'boundary-brief-differs'), files: filesFromMap(files) }).findings;
    expect(finding!.related).toEqual([{ message: 'The brief says it here.', file: 'work.brief.yaml', range: { start: files['work.brief.yaml'].indexOf('vm'), end: files['work.brief.yaml'].indexOf('vm') + 2 } }]);
  });

  it('knows nothing of a brief that cannot be read', () => {
    const body = 'brief: other.brief.yaml\nreadiness:\n  brief: { done: true, evidence: seen }\n';
    expect(found('readiness-contradicted', body, 'AcceptanceCard', files)).toEqual([]);
  });
});

describe('images and registries', () => {
  it('cannot compare a registry that is only described', () => {
    const body = 'dataBoundary:\n  registries: [our own registry]\nlayers:\n  runtime:\n    image: docker.io/library/serve:1\n';
    expect(found('data-boundary-registry-other', body)).toEqual([]);
  });

  it('takes an image without a host as one of Docker Hub', () => {
    const body = 'dataBoundary:\n  registries: [docker.io]\nlayers:\n  runtime:\n    image: pytorch/pytorch:2.6.0\n';
    expect(found('data-boundary-registry-other', body)).toEqual([]);
    expect(found('image-unpinned', body)).toHaveLength(1);
  });
});

describe('an empty document', () => {
  it('is not asked for anything before it says its kind', () => {
    expect(checkFile('', { fileName: 'new.brief.yaml' }).findings.filter(({ severity }) => severity === 'warning')).toEqual([]);
  });
});
