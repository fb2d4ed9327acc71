import type { Rule } from '../../contract';
import { saysSomething } from '../../missing-rule';

const EVERYTHING = /^(?:\*|any(?:where|thing)?|all|everything|everywhere|(?:the )?internet|unrestricted|0\.0\.0\.0\/0|::\/0|\*\.\*)$/i;

export const rule: Rule = {
  id: 'data-boundary-egress-open',
  title: 'Egress to everywhere',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'A boundary that lets everything out is none. The smoke test cannot fail on a dependency that nobody named.' },
  check: ({ brief, at }) => {
    const keepsPrivate = saysSomething(brief?.dataBoundary?.private) || saysSomething(brief?.questions?.private?.data);
    return (brief?.dataBoundary?.egress ?? []).flatMap((target, index) =>
      EVERYTHING.test(target.trim()) ? [{ message: `"${target}" is no boundary${keepsPrivate ? ', and the brief keeps data private' : ''}; name the destinations.`, ...at(['dataBoundary', 'egress', index]) }] : [],
    );
  },
};
