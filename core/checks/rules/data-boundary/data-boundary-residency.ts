import { dataBoundaryRule } from '../../data-boundary-rule';

export const rule = dataBoundaryRule({
  id: 'data-boundary-residency',
  title: 'Residency is not answered',
  why: 'The cheapest region may be one in which the data must not be.',
  key: 'residency',
  message: 'Name the regions or jurisdictions in which data may be stored and processed',
});
