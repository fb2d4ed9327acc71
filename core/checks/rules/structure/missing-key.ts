import { schemaAt, skeletonOf } from '../../../document/schema-walk';
import { fix, setPath } from '../../edits';
import { structureRule } from '../../structure-rule';

export const rule = structureRule({
  id: 'missing-key',
  title: 'Key that must be there',
  docs: { why: 'Without it this part of the document has no meaning, and a run is refused.' },
  fixes: ({ path, missing }, { document, subject, raw }) => {
    const kind = subject === 'card' ? 'AcceptanceCard' : 'WorkloadBrief';
    const schema = missing === undefined ? undefined : schemaAt(kind, [...path, missing], raw);
    if (!schema || missing === undefined) return [];
    return fix(`Insert "${missing}"`, setPath(document, [...path, missing], skeletonOf(kind, [...path, missing], raw)), schema.const !== undefined);
  },
});
