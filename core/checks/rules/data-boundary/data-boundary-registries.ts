import { dataBoundaryRule } from '../../data-boundary-rule';

export const rule = dataBoundaryRule({
  id: 'data-boundary-registries',
  title: 'Registries are not answered',
  why: 'An image or model from anywhere runs with access to the private data.',
  key: 'registries',
  message: 'Name the registries that images and models may come from',
  emptyListAnswers: true,
});
