import type { Rule } from '../../contract';
import { asList, asMap, containersOf } from '../../kubernetes';

const SECRET_NAME = /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL)/i;

export const rule: Rule = {
  id: 'kubernetes-secret-inline',
  title: 'Secret written into a manifest',
  severity: 'error',
  appliesTo: ['manifest'],
  docs: { why: 'Whoever can read the repository or the cluster object has the secret, and it stays in the history.', advice: 'Use `valueFrom.secretKeyRef` or `envFrom.secretRef`.' },
  check: ({ raw, at }) =>
    containersOf(raw).flatMap(({ container, path }) =>
      asList(container['env']).flatMap((item, index) => {
        const { name, value } = asMap(item) ?? {};
        const isSecret = typeof name === 'string' && SECRET_NAME.test(name) && typeof value === 'string' && value !== '';
        return isSecret ? [{ message: `"${name}" looks like a secret; take it from a Secret object.`, ...at([...path, 'env', index, 'value']) }] : [];
      }),
    ),
};
