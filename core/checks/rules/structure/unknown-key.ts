import { fix, removeKey, renameKey } from '../../edits';
import { structureRule } from '../../structure-rule';

export const rule = structureRule({
  id: 'unknown-key',
  title: 'Key that nothing reads',
  docs: { why: 'A misspelt key is silently ignored by most tools: the requirement that it should state is then never tested.' },
  fixes: ({ path, suggestion }, { document }) => [
    ...(suggestion === undefined ? [] : fix(`Change to "${suggestion}"`, renameKey(document, path, suggestion))),
    ...fix(`Remove "${String(path.at(-1))}"`, removeKey(document, path)),
  ],
});
