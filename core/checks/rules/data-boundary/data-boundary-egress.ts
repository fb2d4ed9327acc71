import { dataBoundaryRule } from '../../data-boundary-rule';

export const rule = dataBoundaryRule({
  id: 'data-boundary-egress',
  title: 'Egress is not answered',
  why: 'A service that may reach everything can send everything there, and its transfer is billed.',
  key: 'egress',
  message: 'Name the destinations that the service may reach; an empty list means none',
  emptyListAnswers: true,
});
