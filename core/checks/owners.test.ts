import { describe, expect, it } from 'vitest';
import { isTeamAlias } from './owners';

describe('team aliases', () => {
  it.each(['ml-platform', 'GPU team', 'on-call', 'infra@example.com', 'MLOps', 'Platform Engineering'])('%s is one', (name) => {
    expect(isTeamAlias(name)).toBe(true);
  });

  it.each(['Ada Okafor', '王芳', 'Adminah Teamer', 'Ada Okafor (platform team)', 'J. Opsahl', ''])('%s is none', (name) => {
    expect(isTeamAlias(name)).toBe(false);
  });
});
