import { acceptanceCardSchema, commonSchema, hardwareProfileSchema, probesSchema, workloadBriefSchema } from '../../schemas';
import type { DocumentKind, Path } from './source';

/** The part of JSON Schema that our schemas use. */
export interface SchemaNode {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: (string | number)[];
  const?: string | number;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  additionalProperties?: boolean | SchemaNode;
  default?: unknown;
  examples?: unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  allOf?: { if?: SchemaNode; then?: SchemaNode }[];
  'x-quantity'?: string;
  'x-reference'?: string;
  'x-enumDescriptions'?: Record<string, string>;
  [key: string]: unknown;
}

const FILES: Record<string, unknown> = {
  'acceptance-card.schema.json': acceptanceCardSchema,
  'common.schema.json': commonSchema,
  'hardware-profile.schema.json': hardwareProfileSchema,
  'probes.schema.json': probesSchema,
  'workload-brief.schema.json': workloadBriefSchema,
};

const ROOTS: Record<DocumentKind, string> = { AcceptanceCard: 'acceptance-card.schema.json', WorkloadBrief: 'workload-brief.schema.json' };

/** A schema and the file that its local references belong to. */
export interface LocatedSchema {
  node: SchemaNode;
  file: string;
}

const followed = new WeakMap<SchemaNode, LocatedSchema>();

/** Follows references; words beside a reference win over those behind it. */
function deref(start: LocatedSchema): LocatedSchema {
  if (start.node.$ref === undefined) return start;
  const known = followed.get(start.node);
  if (known) return known;
  let current = start;
  while (current.node.$ref !== undefined) {
    const { $ref: reference, ...own } = current.node;
    const [name, pointer = ''] = reference.split('#');
    const target = name === '' ? current.file : name!;
    const found = pointer.split('/').slice(1).reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], FILES[target]) as SchemaNode;
    current = { node: { ...found, ...own }, file: target };
  }
  followed.set(start.node, current);
  return current;
}

export function rootSchema(kind: DocumentKind): LocatedSchema {
  return { node: FILES[ROOTS[kind]] as SchemaNode, file: ROOTS[kind] };
}

/** The schema at a path of a document. `value` decides which probe's parameters `with` has. */
export function schemaAt(kind: DocumentKind, path: Path, value?: unknown): SchemaNode | undefined {
  return locateSchema(kind, path, value)?.node;
}

export function locateSchema(kind: DocumentKind, path: Path, value?: unknown): LocatedSchema | undefined {
  let current = rootSchema(kind);
  let data = value;
  for (const step of path) {
    const next = stepInto(current, step, data);
    if (!next) return undefined;
    current = next;
    data = (data as Record<string | number, unknown> | null | undefined)?.[step];
  }
  return current;
}

/** The schema of one key or list item, with its reference followed; `data` is the map that the key is in. */
export function stepInto({ node, file }: LocatedSchema, step: string | number, data: unknown): LocatedSchema | undefined {
  if (typeof step === 'number') return node.items && deref({ node: node.items, file });
  const own = node.properties && Object.hasOwn(node.properties, step) ? node.properties[step] : undefined;
  const conditional = conditionalProperty(node, step, data);
  if (conditional) {
    const target = deref({ node: conditional, file });
    return { node: { ...target.node, ...(own ? { title: own.title!, description: own.description! } : {}) }, file: target.file };
  }
  if (own) return deref({ node: own, file });
  return typeof node.additionalProperties === 'object' ? deref({ node: node.additionalProperties, file }) : undefined;
}

function conditionalProperty(node: SchemaNode, step: string, data: unknown): SchemaNode | undefined {
  const id = (data as { id?: unknown } | null | undefined)?.id;
  if (!node.allOf || id === undefined) return undefined;
  const branch = node.allOf.find(({ if: condition, then }) => condition?.properties?.['id']?.const === id && then?.properties?.[step] !== undefined);
  return branch?.then?.properties?.[step];
}

/** The keys that a map at this path may have. */
export function schemaKeys(kind: DocumentKind, path: Path, value?: unknown): string[] {
  return Object.keys(schemaAt(kind, path, value)?.properties ?? {});
}

/**
 * The smallest value that shows what is wanted at a path: fixed values where the schema has them, empty text where a person
 * must say something. It is meant to be filled in, so it is not always valid.
 */
export function skeletonOf(kind: DocumentKind, path: Path, value?: unknown): unknown {
  const located = locateSchema(kind, path, value);
  return located ? skeleton(located) : '';
}

function skeleton(schema: LocatedSchema): unknown {
  const { node } = schema;
  if (node.const !== undefined) return node.const;
  if (node.default !== undefined) return node.default;
  switch ([node.type].flat()[0]) {
    case 'object':
      return Object.fromEntries((node.required ?? []).map((key) => [key, skeleton(stepInto(schema, key, undefined)!)]));
    case 'array':
      return node.items ? [skeleton(stepInto(schema, 0, undefined)!)] : [];
    case 'integer':
    case 'number':
      return node.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return '';
  }
}
