import { describe, expect, it } from 'vitest';
import type { CriterionVerdict } from '../verdict/contract';
import { toJUnit } from './junit';

const criterion = (id: string, over: Partial<CriterionVerdict>): CriterionVerdict => ({
  id,
  stage: 'environment-smoke',
  metric: 'gpu.count',
  level: 'required',
  state: 'pass',
  reason: '8 is = 8.',
  expected: '= 8',
  evidence: [],
  ...over,
});

const suite = (criteria: CriterionVerdict[]): string =>
  toJUnit('card', 'rental-a', { state: 'inconclusive', summary: '', criteria, counts: { pass: 0, fail: 0, inconclusive: 0, 'not-run': 0 }, engine: 'verdict/2' }, 1500);

describe('JUnit', () => {
  it('makes a failure of a fail, and an error of everything that is not conclusive', () => {
    const xml = suite([criterion('a', {}), criterion('b', { state: 'fail' }), criterion('c', { state: 'inconclusive' }), criterion('d', { state: 'not-run' })]);
    expect(xml).toContain('tests="4" failures="1" errors="2"');
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml.match(/<error /g)).toHaveLength(2);
    expect(xml).not.toContain('<skipped');
  });

  it('never lets an advisory criterion break the suite, and shows a waiver', () => {
    const xml = suite([criterion('a', { state: 'fail', level: 'advisory' }), criterion('b', { state: 'fail', waiver: { by: 'Ada', date: '2026-12-01', reason: 'known' } })]);
    expect(xml).toContain('failures="0" errors="0"');
    expect(xml).toContain('advisory, fail');
    expect(xml).toContain('Waived by Ada on 2026-12-01: known');
  });

  it('escapes what tools and cards say', () => {
    const xml = suite([criterion('a', { state: 'fail', reason: '<script>"x" & \u0000\ud800' })]);
    expect(xml).toContain('&#60;script&#62;&#34;x&#34; &#38; \ufffd\ufffd');
  });
});
