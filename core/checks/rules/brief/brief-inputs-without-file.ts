import type { Rule } from '../../contract';
import { saysSomething } from '../../missing-rule';

export const rule: Rule = {
  id: 'brief-inputs-without-file',
  title: 'Representative inputs that nobody can find',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'The next engineer cannot repeat the test, and nobody can see whether the inputs were representative.', advice: 'Name the prompt set, the data slice or the model card that the inputs come from.' },
  check: ({ brief, at }) => {
    const { kind, promptSet, dataSlice, modelCard } = brief?.inputs ?? {};
    const isNamed = saysSomething([promptSet?.path, dataSlice?.path, modelCard]);
    return kind === undefined || kind === 'synthetic' || isNamed ? [] : [{ message: `The inputs are called ${kind}, but no file shows them (promptSet, dataSlice or modelCard).`, ...at(['inputs', 'kind']) }];
  },
};
