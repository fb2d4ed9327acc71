import type { DocumentKind } from '../document/source';
import { type LocatedSchema, rootSchema, stepInto } from '../document/schema-walk';
import type { AcceptanceCard, WorkloadBrief } from '../../schemas';
import type { Draft } from './contract';

export function draftOf(kind: 'AcceptanceCard', value: unknown): Draft<AcceptanceCard>;
export function draftOf(kind: 'WorkloadBrief', value: unknown): Draft<WorkloadBrief>;
export function draftOf(kind: DocumentKind, value: unknown): unknown;
/**
 * The parts of a half-written document that have the types of the schema. Rules can then trust the types.
 * Positions in lists are kept, so that paths still fit: a wrong item becomes an empty one.
 */
export function draftOf(kind: DocumentKind, value: unknown): unknown {
  return fit(rootSchema(kind), value) ?? {};
}

function fit(schema: LocatedSchema, value: unknown): unknown {
  const types = [schema.node.type].flat();
  if (Array.isArray(value)) return types.includes('array') ? value.map((item, index) => fitItem(schema, item, index)) : undefined;
  if (typeof value === 'object' && value !== null) return types.includes('object') || types[0] === undefined ? fitMap(schema, value as Record<string, unknown>) : undefined;
  if (schema.node.const !== undefined) return value === schema.node.const ? value : undefined;
  if (schema.node.enum) return schema.node.enum.includes(value as string | number) ? value : undefined;
  return types[0] === undefined || types.some((type) => isOfType(type, value)) ? value : undefined;
}

function fitMap(schema: LocatedSchema, map: Record<string, unknown>): Record<string, unknown> {
  const isOpen = schema.node.properties === undefined && schema.node.additionalProperties === undefined;
  if (isOpen) return map;
  const entries = Object.entries(map).flatMap(([key, item]) => {
    const next = stepInto(schema, key, map);
    const fitted = next && fit(next, item);
    return fitted === undefined ? [] : [[key, fitted] as const];
  });
  return Object.fromEntries(entries);
}

function fitItem(schema: LocatedSchema, item: unknown, index: number): unknown {
  const next = stepInto(schema, index, undefined);
  if (!next) return item;
  const fitted = fit(next, item);
  if (fitted !== undefined) return fitted;
  return [next.node.type].flat().includes('object') ? {} : String(item);
}

function isOfType(type: string | undefined, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    default:
      return false;
  }
}
