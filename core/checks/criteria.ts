import type { AcceptanceCard, Criterion, ProbeEntry, Stage } from '../../schemas';
import type { Path } from '../document/source';
import type { Draft } from './contract';

export interface LocatedCriterion {
  criterion: Draft<Criterion>;
  path: Path;
  stage: string;
}

export interface LocatedEntry {
  entry: Draft<ProbeEntry>;
  /** Name under which criteria and other entries know it. */
  name: string | undefined;
  path: Path;
  stage: string;
}

type Card = Draft<AcceptanceCard> | undefined;

const stagesOf = (card: Card): [string, Draft<Stage>][] => Object.entries(card?.stages ?? {}).filter((entry): entry is [string, Draft<Stage>] => entry[1] !== undefined);

/** Every criterion of a card with its path. */
export function criteriaOf(card: Card): LocatedCriterion[] {
  return stagesOf(card).flatMap(([stage, { criteria = [] }]) => criteria.map((criterion, index) => ({ criterion, stage, path: ['stages', stage, 'criteria', index] })));
}

/** Every probe entry of a card with its path. */
export function entriesOf(card: Card): LocatedEntry[] {
  return stagesOf(card).flatMap(([stage, { probes = [] }]) => probes.map((entry, index) => ({ entry, name: entry.name ?? entry.id, stage, path: ['stages', stage, 'probes', index] })));
}

/** The probe entries that a criterion judges: the one that it names, or all of its stage. */
export function judgedEntries(card: Card, { criterion, stage }: LocatedCriterion): LocatedEntry[] {
  return entriesOf(card).filter((located) => located.stage === stage && (criterion.probe === undefined || located.name === criterion.probe));
}
