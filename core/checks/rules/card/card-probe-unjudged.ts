import type { Rule } from '../../contract';
import { criteriaOf, entriesOf } from '../../criteria';

/** Probes whose own outcome is the point: they fail by themselves, or prove the context of others. */
const SELF_JUDGING = ['nvidia-smi-topo', 'nccl-debug', 'kernel-xid', 'dcgmi-health', 'dcgmi-nvlink', 'dcgmi-dmon', 'nvidia-smi-list', 'nvidia-smi-query', 'dcgmi-discovery', 'nvidia-smi-xml'];

export const rule: Rule = {
  id: 'card-probe-unjudged',
  title: 'Probe that no criterion judges',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'Its numbers are kept as evidence but decide nothing.' },
  check: ({ card, at }) =>
    entriesOf(card).flatMap(({ entry, name, stage, path }) => {
      const isJudged = criteriaOf(card).some((located) => located.stage === stage && (located.criterion.probe === undefined || located.criterion.probe === name));
      return entry.id === undefined || isJudged || SELF_JUDGING.includes(entry.id) ? [] : [{ message: `No criterion judges "${name}".`, ...at([...path, 'id']) }];
    }),
};
