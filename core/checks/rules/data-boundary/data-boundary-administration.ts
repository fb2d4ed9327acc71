import { dataBoundaryRule } from '../../data-boundary-rule';

export const rule = dataBoundaryRule({
  id: 'data-boundary-administration',
  title: 'Administration is not answered',
  why: 'Root on the host sees the weights, the prompts and the memory of the GPU, and the provider has it too.',
  key: 'administration',
  message: 'Say who can log in, and what the provider\'s staff can see',
});
