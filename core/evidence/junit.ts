import type { CardVerdict, CriterionVerdict } from '../verdict/contract';
import { escapeMarkup } from './markup';

/**
 * JUnit XML of a verdict. JUnit knows no "inconclusive": it becomes an error, never a skip, because most viewers show a skipped
 * test as harmless. Advisory criteria cannot fail the suite; what they found is in their output.
 */
export function toJUnit(cardName: string, target: string, verdict: CardVerdict, durationMs: number): string {
  const cases = verdict.criteria;
  const blocking = cases.filter(blocks);
  const failures = blocking.filter(({ state }) => state === 'fail').length;
  const skipped = cases.filter(({ waiver }) => waiver !== undefined).length;
  const suiteName = escapeMarkup(`${cardName} on ${target}`);
  const seconds = (durationMs / 1000).toFixed(3);
  const errors = blocking.length - failures;
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${suiteName}" ${counts} time="${seconds}">`,
    `  <testsuite name="${suiteName}" ${counts} skipped="${skipped}" time="${seconds}">`,
    ...cases.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const blocks = ({ state, level, waiver }: CriterionVerdict): boolean => state !== 'pass' && level === 'required' && waiver === undefined;

function testCase(criterion: CriterionVerdict): string {
  const { id, stage, state, reason, expected, measured, waiver } = criterion;
  const message = escapeMarkup(reason);
  const details = escapeMarkup(`expected ${expected}, measured ${measured ?? 'nothing'}`);
  const open = `    <testcase classname="${escapeMarkup(stage)}" name="${escapeMarkup(id)}"`;
  if (waiver) return `${open}><skipped message="${escapeMarkup(`Waived by ${waiver.by} on ${waiver.date}: ${waiver.reason}. ${reason}`)}"/></testcase>`;
  if (state === 'pass') return `${open}><system-out>${message}</system-out></testcase>`;
  if (!blocks(criterion)) return `${open}><system-out>advisory, ${state}: ${message}</system-out></testcase>`;
  const element = state === 'fail' ? 'failure' : 'error';
  return `${open}><${element} type="${state}" message="${message}">${details}</${element}></testcase>`;
}
