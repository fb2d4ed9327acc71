import type { Criterion } from '../../schemas';
import { convert, parseQuantity } from '../document/quantity';
import type { Draft } from './contract';

/** The threshold of a criterion as a number in `unit`; undefined when it is no single number, or in another dimension. */
export function numberIn({ value }: Pick<Draft<Criterion>, 'value'>, unit: string | undefined): number | undefined {
  if (typeof value === 'number') return unit === undefined ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^[-+]?\d+(\.\d+)?$/.test(value.trim())) return unit === undefined ? Number(value) : undefined;
  const quantity = parseQuantity(value);
  return quantity && convert(quantity, unit ?? '1');
}
