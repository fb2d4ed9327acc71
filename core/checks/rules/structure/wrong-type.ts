import { isScalar } from 'yaml';
import type { StructureProblem } from '../../../document/structure';
import type { CheckContext, Fix } from '../../contract';
import { fix, replaceValue } from '../../edits';
import { structureRule } from '../../structure-rule';

export const rule = structureRule({
  id: 'wrong-type',
  title: 'Value of the wrong type',
  docs: {
    why: 'A version written as `1.10` is the number 1.1, and `"8"` is a text that is no count. Both would be compared wrongly.',
    advice: 'Quote what is a text; do not quote what is a number.',
  },
  fixes: (problem, context) => quoteFix(problem, context) ?? unquoteFix(problem, context) ?? booleanFix(problem, context) ?? [],
});

type FixFor = (problem: StructureProblem, context: CheckContext) => Fix[] | undefined;

/** Quotes the text as it is written: `1.10` stays `1.10`. */
const quoteFix: FixFor = ({ path, wantedTypes }, { document }) => {
  const node = document.nodeAt(path);
  if (!wantedTypes?.includes('string') || !isScalar(node) || !node.range || node.value === null || typeof node.value === 'string') return undefined;
  const source = document.text.slice(node.range[0], node.range[1]);
  return fix(`Quote ${source}`, replaceValue(document, path, JSON.stringify(source)));
};

const unquoteFix: FixFor = ({ path, wantedTypes }, { document }) => {
  const node = document.nodeAt(path);
  const isNumber = wantedTypes?.some((type) => type === 'number' || type === 'integer');
  const wanted = wantedTypes?.includes('integer') ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
  if (!isNumber || !isScalar(node) || typeof node.value !== 'string' || !wanted.test(node.value)) return undefined;
  return fix(`Write the number ${node.value}`, replaceValue(document, path, node.value));
};

/** `yes` and `no` are texts in YAML 1.2. */
const booleanFix: FixFor = ({ path, wantedTypes }, { document }) => {
  const node = document.nodeAt(path);
  const word = isScalar(node) ? String(node.value).toLowerCase() : '';
  const meant = /^(yes|on|y|true)$/.test(word) ? 'true' : /^(no|off|n|false)$/.test(word) ? 'false' : undefined;
  return wantedTypes?.includes('boolean') && meant ? fix(`Write ${meant}`, replaceValue(document, path, meant)) : undefined;
};
