/** Short tags of dmon columns with unit and the range that a sane value has (dcgmlib/src/dcgm_fields.cpp; tags are stable from 2.4 to 4.6). */
export interface FieldFacts {
  unit?: string;
  maximum?: number;
}

const percent: FieldFacts = { unit: '%', maximum: 100 };
const celsius: FieldFacts = { unit: 'Cel', maximum: 200 };
const watt: FieldFacts = { unit: 'W', maximum: 100_000 };
const megahertz: FieldFacts = { unit: 'MHz', maximum: 100_000 };
const mebibyte: FieldFacts = { unit: 'MiB' };
const bytesPerSecond: FieldFacts = { unit: 'B/s' };
const share: FieldFacts = { maximum: 1 };

export const FIELDS: Readonly<Record<string, FieldFacts>> = {
  GPUTL: percent,
  MCUTL: percent,
  TMPTR: celsius,
  MMTMP: celsius,
  POWER: watt,
  POWINST: watt,
  SMCLK: megahertz,
  MMCLK: megahertz,
  FBTTL: mebibyte,
  FBFRE: mebibyte,
  FBUSD: mebibyte,
  PCITX: bytesPerSecond,
  PCIRX: bytesPerSecond,
  NVLTX: bytesPerSecond,
  NVLRX: bytesPerSecond,
  TOTEC: { unit: 'mJ' },
  GRACT: share,
  SMACT: share,
  SMOCC: share,
  TENSO: share,
  DRAMA: share,
};

/** Utilisation, memory-copy utilisation, temperature, board power, SM and memory clock. */
export const DEFAULT_FIELD_IDS: readonly number[] = [203, 204, 150, 155, 100, 101];
