import { skeletonOf } from '../document/schema-walk';
import type { Path } from '../document/source';
import type { CheckContext, CheckSeverity, Finding, Fix, Rule, RuleDocs, Subject } from './contract';
import { fix, setPath } from './edits';

/** The value as it stands at a path, also one of a wrong type; undefined when there is none. */
export function valueAt(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined), raw);
}

/** False for what says nothing: an empty key, blank text, and lists and maps of nothing else. */
export function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' ? Object.values(value).some(saysSomething) : true;
}

/** An empty list is an answer (none); a list of blanks is a form that nobody filled in. */
export const isAnsweredList = (value: unknown): boolean => Array.isArray(value) && (value.length === 0 || saysSomething(value));

/** A document that does not say its kind yet is not asked for its parts. */
export const isBegun = ({ raw }: CheckContext): boolean => typeof valueAt(raw, ['kind']) === 'string';

/** Inserts a key that is not there; one that is there but empty is the user's to fill. */
export function insertFix(context: CheckContext, path: Path, value?: unknown): Fix[] {
  if (context.document.pairAt(path)) return [];
  const kind = context.subject === 'card' ? 'AcceptanceCard' : 'WorkloadBrief';
  return fix(`Insert "${path.join('.')}"`, setPath(context.document, path, value ?? skeletonOf(kind, path, context.raw)));
}

/** One finding at the place where the key belongs, with a fix that inserts it. */
export function missingFinding(context: CheckContext, path: Path, message: string, value?: unknown): Finding {
  return { message, ...context.at(path, 'key'), fixes: insertFix(context, path, value) };
}

interface MissingRuleParts {
  id: string;
  title: string;
  docs: RuleDocs;
  /** Absent: warning, so that a document that is valid by its schema can still be run. */
  severity?: CheckSeverity;
  /** Absent: briefs. */
  appliesTo?: readonly Subject[];
  path: Path;
  message: string;
  /** What the fix inserts; absent: the skeleton of the schema. */
  insert?: unknown;
  /** An empty list is an answer: none. */
  emptyListAnswers?: boolean;
  /** Absent: always. */
  onlyIf?(context: CheckContext): boolean;
}

/** A rule that asks for one key. */
export function missingRule({ id, title, docs, severity = 'warning', appliesTo = ['brief'], ...parts }: MissingRuleParts): Rule {
  return { id, title, severity, appliesTo, docs, check: (context) => checkMissing(context, parts) };
}

function checkMissing(context: CheckContext, { path, message, insert, emptyListAnswers, onlyIf }: Omit<MissingRuleParts, 'id' | 'title' | 'docs'>): Finding[] {
  const value = valueAt(context.raw, path);
  const isAnswered = saysSomething(value) || (emptyListAnswers === true && isAnsweredList(value));
  if (!isBegun(context) || isAnswered || onlyIf?.(context) === false) return [];
  return [missingFinding(context, path, message, insert)];
}
