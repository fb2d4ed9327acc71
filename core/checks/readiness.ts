import type { AcceptanceCard, WorkloadBrief } from '../../schemas';
import { findMetric } from './knowledge';
import type { Draft } from './contract';

/** The eight items of the readiness checklist, by their keys in the card. */
export type ReadinessId = 'brief' | 'boundary' | 'runtime' | 'load' | 'operations' | 'stopRule' | 'cost' | 'fallback';

export interface ReadinessState {
  id: ReadinessId;
  title: string;
  /** What is missing, in words; empty when the item is met as far as the documents can show it. */
  missing: string[];
}

type Card = Draft<AcceptanceCard>;
type Brief = Draft<WorkloadBrief>;

/**
 * Computes what brief and card show. A card that says `done: true` with its evidence meets an item that documents alone
 * cannot prove; `done: false` is believed too.
 */
export function readinessOf(card: Card, brief: Brief | undefined): ReadinessState[] {
  return ITEMS.map(({ id, title, missing }) => {
    const stated = card.readiness?.[id];
    const found = missing(card, brief);
    if (stated?.done === false) return { id, title, missing: [...found, 'the card says that it is not done'] };
    return { id, title, missing: stated?.done === true && hasText(stated.evidence) ? [] : found };
  });
}

const hasText = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';
const need = (isThere: unknown, what: string): string[] => (isThere === undefined || isThere === false || isThere === '' ? [what] : []);

interface Item {
  id: ReadinessId;
  title: string;
  missing(card: Card, brief: Brief | undefined): string[];
}

const ITEMS: readonly Item[] = [
  {
    id: 'brief',
    title: 'The brief is complete',
    missing: (_card, brief) =>
      brief === undefined
        ? ['a brief that can be read']
        : [
            ...need(brief.model?.revision, 'model revision'),
            ...need(brief.precision?.weights, 'precision'),
            ...need(brief.memoryShape?.weights ?? brief.memoryShape?.activations, 'memory shape'),
            ...need((brief.performanceObjectives ?? []).length > 0, 'performance objective'),
            ...need(brief.dataBoundary?.residency, 'data boundary'),
            ...need(brief.owner?.name, 'owner'),
          ],
  },
  {
    id: 'boundary',
    title: 'The allocation boundary fits the job',
    missing: (card, brief) => [
      ...need(card.allocationBoundary?.class, 'allocation boundary'),
      ...need(card.allocationBoundary?.reason, 'reason for the boundary'),
      ...need(brief?.allocationBoundary === undefined || brief.allocationBoundary === card.allocationBoundary?.class, 'the same boundary in brief and card'),
    ],
  },
  {
    id: 'runtime',
    title: 'The runtime is immutable and can be restored',
    missing: (card) => [...need(/@sha256:/.test(card.runtime?.image ?? ''), 'image by digest'), ...need(card.restoreTest?.id, 'restore test')],
  },
  { id: 'load', title: 'A representative load test', missing: missingLoad },
  {
    id: 'operations',
    title: 'Health checks and alerts have an owner',
    missing: (card, brief) => [
      ...need(brief?.incidentOwner?.name ?? card.layers?.operations?.incidentOwner ?? brief?.layers?.operations?.incidentOwner, 'incident owner'),
      ...need(card.layers?.operations?.healthChecks ?? brief?.layers?.operations?.healthChecks, 'health checks'),
      ...need(card.layers?.operations?.diagnostics ?? brief?.layers?.operations?.diagnostics, 'schedule of diagnostics'),
    ],
  },
  { id: 'stopRule', title: 'The stop rule is written', missing: (_card, brief) => need(brief?.stopRule, 'stop rule') },
  {
    id: 'cost',
    title: 'The cost view uses completed work',
    missing: (card, brief) => [
      ...need(card.cost?.completedWork ?? brief?.cost?.completedWork, 'completed work as the denominator'),
      ...need((card.cost?.components ?? []).length > 0, 'billed components'),
      ...need(card.cost?.acceptedCount, 'number of accepted outputs'),
    ],
  },
  { id: 'fallback', title: 'There is a fallback', missing: (_card, brief) => need(brief?.fallback, 'fallback') },
];

/** Phases that a load test records, by what a metric's name or its objective's phase says. */
function missingLoad(card: Card): string[] {
  const criteria = card.stages?.['representative-load']?.criteria ?? [];
  if (criteria.length === 0) return ['criteria of the representative load test'];
  const metrics = criteria.flatMap(({ metric }) => metric ?? []);
  const measures = (pattern: RegExp): boolean => metrics.some((metric) => pattern.test(metric) || pattern.test(findMetric(metric)?.title ?? ''));
  return [
    ...need(measures(/queue|waiting/i), 'queue time'),
    ...need(measures(/ttft|latency|e2e|itl|step|restore|time/i), 'latency'),
    ...need(measures(/throughput|busbw|bandwidth|rate|tokens/i), 'throughput'),
    ...need(measures(/memory|kv_cache|preemption/i), 'memory'),
    ...need(measures(/fail|error|wrong|xid|finished/i), 'errors and retries'),
  ];
}
