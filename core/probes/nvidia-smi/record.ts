import { parseNumberWithUnit } from '../text/numbers';
import type { ResultCollector } from '../text/result-collector';
import { classifyCell } from './cells';
import type { GpuField } from './fields';
import { judgeGpuValue } from './health';

/** Where a raw value stands. */
export interface CellPlace {
  gpu: string;
  line: number;
  /** The tool's own name of the property, for messages. */
  name: string;
  /** Unit in the column's title. */
  titleUnit?: string;
  /** Number of the round in a repeated query; absent in the first. */
  sample?: string;
}

const LONGEST_TEXT = 200;
/** NVML's "not available" and failed reads of 32 and 64 bits leak through as numbers of this size. */
const SENTINEL = 0xffff_ffff;

/** Measures one raw value of one GPU and judges what it says about its health. Returns the value, if there was one. */
export function recordGpuValue(field: GpuField, raw: string, place: CellPlace, collector: ResultCollector): number | string | undefined {
  const cell = classifyCell(raw);
  const { gpu, line, name } = place;
  if (cell.kind === 'not-available') return undefined;
  if (cell.kind === 'fault') {
    collector.fault('nvidia-smi.gpu-fault', `GPU ${gpu}: ${name} reads "${cell.text}".`, line);
    return undefined;
  }
  if (cell.kind === 'error') {
    collector.doubt('nvidia-smi.cell-error', `GPU ${gpu}: ${name} could not be read ("${cell.text.slice(0, LONGEST_TEXT)}").`, line);
    return undefined;
  }
  const value = field.valueType === 'text' ? cell.text.slice(0, LONGEST_TEXT) : readNumber(field, cell.text, place.titleUnit);
  if (value === undefined) {
    collector.doubt('nvidia-smi.cell-unreadable', `GPU ${gpu}: ${name} holds ${JSON.stringify(cell.text.slice(0, 60))}, which is not a value of this property.`, line);
    return undefined;
  }
  collector.measure({ metric: field.metric, value, ...(field.unit === undefined ? {} : { unit: field.unit }), labels: { gpu, ...(place.sample === undefined ? {} : { sample: place.sample }) }, line });
  judgeGpuValue({ metric: field.metric, value, gpu, line }, collector);
  return value;
}

/** Undefined for another unit than the property's, for text behind the number, and for impossible values. */
function readNumber(field: GpuField, text: string, titleUnit: string | undefined): number | undefined {
  const number = parseNumberWithUnit(text);
  if (!number || number.value >= SENTINEL) return undefined;
  if (number.unit !== '' && number.unit !== field.smiUnit) return undefined;
  if (titleUnit !== undefined && titleUnit !== field.smiUnit) return undefined;
  if (field.unit === '%' && number.value > 100) return undefined;
  if (number.value < 0 && field.unit !== 'Cel') return undefined;
  return number.value;
}
