import { describe, expect, it } from 'vitest';
import { PROFILES } from './generated/profiles';
import { validateHardwareProfile } from './generated/validators.js';

describe('hardware profiles', () => {
  it.each(PROFILES.map((profile) => [profile.id, profile] as const))('%s is valid, and every number has a source', (_, profile) => {
    expect(validateHardwareProfile(profile), JSON.stringify(validateHardwareProfile.errors)).toBe(true);
    for (const { source } of [...(profile.expectations ?? []), ...(profile.ceilings ?? [])]) expect(source.reference).not.toBe('');
  });

  it('have one id each', () => {
    expect(new Set(PROFILES.map(({ id }) => id)).size).toBe(PROFILES.length);
  });

  it('give the expectations of collectives with fabric, message size, nodes and ranks', () => {
    for (const { expectations = [] } of PROFILES) {
      for (const { metric, context } of expectations.filter((expectation) => expectation.metric.startsWith('nccl.'))) {
        expect(Object.keys(context), metric).toEqual(expect.arrayContaining(['collective', 'fabric', 'messageSize', 'nodes', 'ranks']));
      }
    }
  });
});
