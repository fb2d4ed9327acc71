import type { Rule } from '../../contract';
import { entriesOf } from '../../criteria';
import { findProbe } from '../../knowledge';

export const rule: Rule = {
  id: 'card-monitor-without-load',
  title: 'Stage of monitors alone',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'A monitor shows what the machine does while something else runs. Alone it shows an idle machine.' },
  check: ({ card, at }) =>
    Object.keys(card?.stages ?? {}).flatMap((stage) => {
      const own = entriesOf(card).filter((located) => located.stage === stage && located.entry.id !== undefined);
      const isAlone = own.length > 0 && own.every(({ entry }) => findProbe(entry.id!)?.isMonitor === true && entry.from === undefined);
      const hasServer = own.some(({ entry }) => entry.id !== 'dcgmi-dmon');
      return isAlone && !hasServer ? [{ message: `The stage ${stage} only watches; add the work that it should watch.`, ...at(['stages', stage], 'key') }] : [];
    }),
};
