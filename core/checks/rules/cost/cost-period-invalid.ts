import { intervalOf, linePeriod } from '../../../cost/record';
import type { Finding, Rule } from '../../contract';
import { ownCost } from '../../cost-record';

export const rule: Rule = {
  id: 'cost-period-invalid',
  title: 'Billed period that cannot be',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'Costs of one period over outputs of another are no cost per completed work.' },
  check: (context): Finding[] => {
    const record = ownCost(context);
    const isReversed = ({ from, until }: { from?: string; until?: string }): boolean => Date.parse(from ?? '') >= Date.parse(until ?? '');
    const own = record?.period && isReversed(record.period) ? [{ message: 'The period ends before it begins.', ...context.at(['cost', 'period']) }] : [];
    const whole = intervalOf(record?.period ?? {});
    const ofLines = (record?.components ?? []).flatMap((line, index) => {
      const place = context.at(['cost', 'components', index]);
      if (isReversed(line)) return [{ message: 'This line ends before it begins.', ...place }];
      const period = linePeriod(line, record!);
      return period && whole && (period.from < whole.from || period.until > whole.until) ? [{ message: 'This line is billed for time outside the record\'s period; count the share inside it.', ...place }] : [];
    });
    return [...own, ...ofLines];
  },
};
