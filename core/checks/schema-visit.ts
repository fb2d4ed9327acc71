import { rootSchema, type LocatedSchema, type SchemaNode, stepInto } from '../document/schema-walk';
import type { Path } from '../document/source';
import type { CheckContext } from './contract';

export interface VisitedValue {
  path: Path;
  value: string | number | boolean | null;
  schema: SchemaNode;
  /** The map that holds the value, or the list's map. */
  parent: Record<string, unknown>;
}

/** Every scalar of a brief or card that the schema knows, with its schema. */
export function schemaValues(context: CheckContext): VisitedValue[] {
  if (context.subject === 'manifest') return [];
  const kind = context.subject === 'card' ? 'AcceptanceCard' : 'WorkloadBrief';
  const found: VisitedValue[] = [];
  visit(rootSchema(kind), context.raw, [], {}, found);
  return found;
}

function visit(schema: LocatedSchema, value: unknown, path: Path, parent: Record<string, unknown>, found: VisitedValue[]): void {
  if (value === undefined) return;
  if (value === null || typeof value !== 'object') {
    found.push({ path, value: value as VisitedValue['value'], schema: schema.node, parent });
    return;
  }
  const entries: [string | number, unknown][] = Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
  for (const [step, item] of entries) {
    const next = stepInto(schema, step, value);
    const holder = Array.isArray(value) ? parent : (value as Record<string, unknown>);
    if (next) visit(next, item, [...path, step], holder, found);
  }
}
