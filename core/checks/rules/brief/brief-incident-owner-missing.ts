import { missingRule, saysSomething } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-incident-owner-missing',
  title: 'Brief without an incident owner',
  docs: { why: 'A lost GPU or a full disk is an alert that nobody acts on until somebody is named.' },
  path: ['incidentOwner', 'name'],
  message: 'Name the person who acts when the work is down (`incidentOwner.name`).',
  onlyIf: ({ brief }) => !saysSomething(brief?.layers?.operations?.incidentOwner),
});
