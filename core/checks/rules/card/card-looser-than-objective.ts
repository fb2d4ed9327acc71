import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { findMetric } from '../../knowledge';
import { numberIn } from '../../threshold-number';

export const rule: Rule = {
  id: 'card-looser-than-objective',
  title: 'Criterion looser than the brief allows',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'The machine can be accepted although it misses the bound that the work cannot move.' },
  check: ({ card, brief, linkedBrief, at }) =>
    criteriaOf(card).flatMap(({ criterion, path }) => {
      const index = brief?.performanceObjectives?.findIndex(({ id }) => id !== undefined && id === criterion.objective) ?? -1;
      const objective = brief?.performanceObjectives?.[index];
      if (!objective || objective.metric !== criterion.metric || objective.comparator !== criterion.comparator) return [];
      const unit = findMetric(criterion.metric ?? '')?.unit;
      const [have, wanted] = [numberIn(criterion, unit), numberIn(objective, unit)];
      if (have === undefined || wanted === undefined) return [];
      const isLooser = criterion.comparator === '<=' || criterion.comparator === '<' ? have > wanted : (criterion.comparator === '>=' || criterion.comparator === '>') && have < wanted;
      if (!isLooser) return [];
      const related = linkedBrief ? [{ message: `The brief demands ${objective.comparator} ${String(objective.value)}.`, range: linkedBrief.source.valueRange(['performanceObjectives', index, 'value']), file: linkedBrief.file }] : [];
      return [{ message: `${String(criterion.value)} is looser than the brief's objective "${criterion.objective}" (${objective.comparator} ${String(objective.value)}).`, ...at([...path, 'value']), ...(related.length > 0 ? { related } : {}) }];
    }),
};
