import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChartThreshold } from '../core/messages/workbench';
import { convert, dimensionOf, parseQuantity } from '../core/document/quantity';
import { readCard } from '../core/document/read';
import { allProbes } from '../core/probes/registry';

/** The numeric thresholds of the card that a run was made with, each in its metric's own unit, for the charts. */
export async function thresholdsOf(runDir: string): Promise<ChartThreshold[]> {
  const text = await readFile(join(runDir, 'card.yaml'), 'utf8').catch(() => undefined);
  const card = text === undefined ? undefined : readCard(text).value;
  if (!card) return [];
  const units = new Map(allProbes().flatMap(({ metrics }) => metrics.map(({ metric, unit }) => [metric, unit] as const)));
  return Object.values(card.stages).flatMap((stage) =>
    (stage.criteria ?? []).flatMap(({ id, metric, labels, comparator, value }): ChartThreshold[] => {
      const unit = units.get(metric);
      const number = typeof value === 'number' ? value : typeof value === 'string' ? inUnit(value, unit) : undefined;
      if (number === undefined) return [];
      const text = Object.fromEntries(Object.entries(labels ?? {}).map(([key, label]) => [key, String(label)]));
      return [{ criterion: id, metric, labels: text, comparator, value: number, ...(unit === undefined ? {} : { unit }) }];
    }),
  );
}

function inUnit(text: string, unit: string | undefined): number | undefined {
  const quantity = parseQuantity(text);
  if (!quantity || unit === undefined || dimensionOf(unit) === undefined) return undefined;
  return convert(quantity, unit);
}
