/** The judgement of a card. A pure function of card, probe results and time makes it, so anyone can make it again. */

export type CriterionState = 'pass' | 'fail' | 'inconclusive' | 'not-run';
export type CardState = 'accepted' | 'rejected' | 'inconclusive';

/** Where a judged value comes from. */
export interface EvidenceReference {
  /** The probe run, `STAGE/ENTRY/ATTEMPT`. */
  probeRun: string;
  /** 1-based line in that run's standard output. */
  line?: number;
}

export interface CriterionVerdict {
  /** The criterion's id; the card's own rules have ids that begin with `card.` or `probe.`. */
  id: string;
  stage: string;
  description?: string;
  metric: string;
  labels?: Record<string, string>;
  level: 'required' | 'advisory';
  state: CriterionState;
  /** One sentence with expected and measured value. */
  reason: string;
  /** `≥ 480 GB/s` */
  expected: string;
  /** `312.4 GB/s`; absent when nothing was measured. */
  measured?: string;
  measuredValue?: number | string;
  thresholdValue?: number | string | (number | string)[];
  unit?: string;
  samples?: number;
  evidence: EvidenceReference[];
  waiver?: { by: string; date: string; reason: string; until?: string };
}

export interface CardVerdict {
  state: CardState;
  /** One sentence. */
  summary: string;
  criteria: CriterionVerdict[];
  counts: Record<CriterionState, number>;
  /** Version of the rules that judged. */
  engine: string;
}
