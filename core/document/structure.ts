import type { ErrorObject } from 'ajv';
import * as validators from '../../schemas/generated/validators.js';
import type { DocumentKind, Path } from './source';

export type StructureCode = 'unknown-key' | 'missing-key' | 'wrong-type' | 'not-allowed' | 'wrong-form';

/** One violation of the schema, in words for people. */
export interface StructureProblem {
  code: StructureCode;
  message: string;
  path: Path;
  /** True: the key itself is wrong; false: its value. */
  atKey: boolean;
  /** For an unknown key: what was probably meant. */
  suggestion?: string;
  /** For a missing key. */
  missing?: string;
  /** For a value of the wrong type: what would be right. */
  wantedTypes?: readonly string[];
  /** For a value that is not one of the allowed ones. */
  allowed?: readonly (string | number)[];
}

const VALIDATORS = { WorkloadBrief: validators.validateWorkloadBrief, AcceptanceCard: validators.validateAcceptanceCard } as const;

/** Checks a resolved value against the schema of its kind. */
export function checkStructure(kind: DocumentKind, value: unknown, keysOf: (path: Path) => readonly string[]): StructureProblem[] {
  const validate = VALIDATORS[kind];
  if (validate(value)) return [];
  const problems = (validate.errors ?? []).filter((error) => !NOISE.has(error.keyword)).map((error) => toProblem(error, value, keysOf));
  return withoutEchoes(dedupe(problems));
}

/** A misspelt key is one mistake: the missing right key beside it is no second one. */
function withoutEchoes(problems: readonly StructureProblem[]): StructureProblem[] {
  const meant = new Set(problems.flatMap(({ suggestion, path }) => (suggestion === undefined ? [] : [[...path.slice(0, -1), suggestion].join('/')])));
  return problems.filter(({ missing, path }) => missing === undefined || !meant.has([...path, missing].join('/')));
}

/** Schema algebra that says nothing to a person; the branches report the real problem. */
const NOISE = new Set(['if', 'allOf', 'anyOf', 'oneOf']);

function toProblem(error: ErrorObject, root: unknown, keysOf: (path: Path) => readonly string[]): StructureProblem {
  const path = error.instancePath.split('/').slice(1).map(unescape).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const suggestion = closest(key, keysOf(path));
      const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
      return { code: 'unknown-key', message: `"${key}" is not a key of ${where(path)}.${hint}`, path: [...path, key], atKey: true, ...(suggestion === undefined ? {} : { suggestion }) };
    }
    case 'required': {
      const missing = String(params['missingProperty']);
      return { code: 'missing-key', message: `${capital(where(path))} needs "${missing}".`, path, atKey: true, missing };
    }
    default:
      return {
        code: CODES[error.keyword] ?? 'wrong-form',
        message: describe(error, params, valueAt(root, path)),
        path,
        atKey: false,
        ...(error.keyword === 'type' ? { wantedTypes: [params['type']].flat() as string[] } : {}),
        ...allowedBy(error.keyword, params),
      };
  }
}

function allowedBy(keyword: string, params: Record<string, unknown>): Pick<StructureProblem, 'allowed'> {
  if (keyword === 'enum') return { allowed: params['allowedValues'] as (string | number)[] };
  return keyword === 'const' ? { allowed: [params['allowedValue'] as string | number] } : {};
}

const CODES: Partial<Record<string, StructureCode>> = { type: 'wrong-type', enum: 'not-allowed', const: 'not-allowed', pattern: 'wrong-form', format: 'wrong-form' };

function describe(error: ErrorObject, params: Record<string, unknown>, value: unknown): string {
  const shown = shortJson(value);
  switch (error.keyword) {
    case 'type':
      return `${shown} is ${typeName(value)}; ${[params['type']].flat().map((type) => TYPE_WORDS[String(type)] ?? type).join(' or ')} is wanted.`;
    case 'enum':
      return `${shown} is not allowed here. Allowed: ${(params['allowedValues'] as unknown[]).join(', ')}.`;
    case 'const':
      return `${shown} is not allowed here. Allowed: ${String(params['allowedValue'])}.`;
    case 'pattern':
      return describeForm(value, String(params['pattern']));
    case 'format':
      return `${shown} is not a valid ${String(params['format'])}.`;
    case 'minLength':
      return 'This text must not be empty.';
    case 'minItems':
      return `At least ${String(params['limit'])} item is needed.`;
    case 'minProperties':
      return 'At least one entry is needed.';
    default:
      return `${shown} ${error.message ?? 'is not valid'}.`;
  }
}

/** The forms that the schemas ask for, in words. */
const FORM_WORDS: Record<string, string> = {
  '^[a-z0-9][a-z0-9-]*$': 'lower-case letters, digits and hyphens',
  '^[A-Za-z0-9][A-Za-z0-9._-]*$': 'letters, digits, dots, underscores and hyphens',
  '^[A-Za-z0-9._-]+$': 'letters, digits, dots, underscores and hyphens',
  '^[A-Za-z0-9:._-]+$': 'a host name or an address',
  '^[A-Z]{3}$': 'three capital letters, as in EUR',
  '^[0-9a-f]{64}$': '64 hexadecimal digits',
};

function describeForm(value: unknown, pattern: string): string {
  const words = FORM_WORDS[pattern] ?? `a text of the form ${pattern}`;
  return value === '' ? `This text must not be empty. Write ${words}.` : `${shortJson(value)} is not what is wanted here: ${words}.`;
}

const TYPE_WORDS: Record<string, string> = { string: 'text', number: 'a number', integer: 'a whole number', boolean: 'true or false', array: 'a list', object: 'a map' };

const typeName = (value: unknown): string =>
  value === null ? 'empty' : Array.isArray(value) ? 'a list' : (TYPE_WORDS[typeof value] ?? typeof value);

/** Values in messages stay short enough to read. */
function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const where = (path: Path): string => (path.length === 0 ? 'this document' : `"${path.filter((step) => typeof step === 'string').at(-1) ?? path.join('.')}"`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, step) => (node as Record<string | number, unknown> | undefined)?.[step], root);
}

function dedupe(problems: readonly StructureProblem[]): StructureProblem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = `${problem.path.join('/')}|${problem.code}|${problem.missing ?? ''}`;
    return seen.size !== seen.add(key).size;
  });
}

/** The known word that differs by few letters; undefined when none is close enough to be meant. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) })).sort((a, b) => a.distance - b.distance);
  return ranked[0] && ranked[0].distance <= limit && word !== '' ? ranked[0].candidate : undefined;
}

/** Letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? beforePrevious[j - 2]! + 1 : Infinity;
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost, swapped);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}
