import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'data-boundary-missing',
  title: 'Brief without a data boundary',
  docs: { why: 'Where data may go decides region, tenancy, network and provider. Asked after the rental, the answer is often: not there.' },
  path: ['dataBoundary'],
  message: 'Say where data may go and who may touch it (`dataBoundary`).',
  insert: { residency: [''], private: [''], telemetry: '', registries: [''], egress: [''], administration: '' },
});
