import { describe, expect, it } from 'vitest';
import type { RunRequest } from './contract';
import { prepareRun } from './prepare';

const CARD = `kind: AcceptanceCard
schemaVersion: 1
name: two stages
targets:
  - { name: rental, host: gpu-7.example.com, user: root }
stages:
  functional:
    probes:
      - { id: nvidia-smi-list }
      - { id: nccl-tests, name: collective, timeoutMs: 60000 }
      - { id: nccl-debug, name: transport, from: collective }
  failure:
    probes:
      - { id: nvidia-smi-list }
`;
const chosen = (over: Partial<RunRequest>): string[] => prepareRun({ cardPath: 'two.acceptance.yaml', cardText: CARD, outDir: '', by: 'cli', toolVersion: '0.0.0', ...over }).entries.map(({ stage, name }) => `${stage}/${name}`);

describe('the entries of a run', () => {
  it('are all of the chosen stages', () => {
    expect(chosen({})).toEqual(['functional/nvidia-smi-list', 'functional/collective', 'functional/transport', 'failure/nvidia-smi-list']);
    expect(chosen({ stages: ['failure'] })).toEqual(['failure/nvidia-smi-list']);
  });

  it('are chosen by name in any stage, or in one', () => {
    expect(chosen({ entries: ['nvidia-smi-list'] })).toEqual(['functional/nvidia-smi-list', 'failure/nvidia-smi-list']);
    expect(chosen({ entries: ['failure/nvidia-smi-list'] })).toEqual(['failure/nvidia-smi-list']);
  });

  it('bring along the one whose output they read', () => {
    expect(chosen({ entries: ['transport'] })).toEqual(['functional/collective', 'functional/transport']);
  });

  it('must be there', () => {
    expect(() => chosen({ entries: ['failure/collective'] })).toThrow('The card\'s stages have no probe "failure/collective".');
  });
});
