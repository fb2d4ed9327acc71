import { convert, parseQuantity } from '../../../document/quantity';
import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { fix, replaceValue } from '../../edits';
import { findMetric } from '../../knowledge';

export const rule: Rule = {
  id: 'card-threshold-unit',
  title: 'Threshold without the unit of its metric',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: '"440" may be GB/s or Gbit/s. A threshold whose unit does not fit its metric is never met, whatever the machine does.' },
  check: ({ card, document, at }) =>
    criteriaOf(card).flatMap(({ criterion: { metric, value }, path }) => {
      const unit = metric === undefined ? undefined : findMetric(metric)?.unit;
      if (unit === undefined || value === undefined || Array.isArray(value)) return [];
      const place = [...path, 'value'];
      const isBare = typeof value === 'number' || /^[-+]?\d+(\.\d+)?$/.test(value.trim());
      if (isBare) return [{ message: `"${metric}" is measured in ${unit}; write the unit.`, ...at(place), fixes: fix(`Write "${value} ${unit}"`, replaceValue(document, place, `${value} ${unit}`)) }];
      const quantity = parseQuantity(value);
      if (quantity && convert(quantity, unit) !== undefined) return [];
      return [{ message: quantity ? `"${value}" cannot be compared with "${metric}", which is measured in ${unit}.` : `"${value}" is not a number with a known unit; "${metric}" is measured in ${unit}.`, ...at(place) }];
    }),
};
