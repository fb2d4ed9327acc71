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

interface Located {
  node: SchemaNode;
  file: string;
}

/** Follows references; words beside a reference win over those behind it. */
function deref({ node, file }: Located): Located {
  let current: Located = { node, file };
  while (current.node.$ref !== undefined) {
    const { $ref: reference, ...own } = current.node;
    const [name, pointer = ''] = reference.split('#');
    const target = name === '' ? current.file : name!;
    const found = pointer.split('/').slice(1).reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], FILES[target]) as SchemaNode;
    current = { node: { ...found, ...own }, file: target };
  }
  return current;
}

/** The schema at a path of a document. `value` decides which probe's parameters `with` has. */
export function schemaAt(kind: DocumentKind, path: Path, value?: unknown): SchemaNode | undefined {
  let current = deref({ node: FILES[ROOTS[kind]] as SchemaNode, file: ROOTS[kind] });
  let data = value;
  for (const step of path) {
    const next = stepInto(current, step, data);
    if (!next) return undefined;
    current = deref(next);
    data = (data as Record<string | number, unknown> | undefined)?.[step];
  }
  return current.node;
}

function stepInto({ node, file }: Located, step: string | number, data: unknown): Located | undefined {
  if (typeof step === 'number') return node.items && { node: node.items, file };
  const conditional = node.allOf?.find(({ if: condition, then }) => {
    const wanted = condition?.properties?.['id']?.const;
    return then?.properties?.[step] !== undefined && wanted !== undefined && (data as { id?: unknown } | undefined)?.id === wanted;
  })?.then?.properties?.[step];
  const own = node.properties?.[step];
  if (conditional) return { node: { ...conditional, ...(own ? { title: own.title!, description: own.description! } : {}) }, file };
  if (own) return { node: own, file };
  return typeof node.additionalProperties === 'object' ? { node: node.additionalProperties, file } : undefined;
}

/** The keys that a map at this path may have. */
export function schemaKeys(kind: DocumentKind, path: Path, value?: unknown): string[] {
  return Object.keys(schemaAt(kind, path, value)?.properties ?? {});
}

/** The schema of one property, with its reference followed. */
export function schemaOfKey(kind: DocumentKind, path: Path, key: string, value?: unknown): SchemaNode | undefined {
  return schemaAt(kind, [...path, key], value);
}
