import { TestRunner } from 'vitest';
import type { ParseResult, ProbeDefinition, ProbeOutcome, StreamEnd } from '../contract';
import { parseText } from '../parse';

/** One changed copy of a fixture. */
export interface Variant {
  text: string;
  /** For the failure message: what was done and where. */
  description: string;
  /** 1-based lines of the original that the change touched or removed. */
  touched: ReadonlySet<number>;
}

/** Fixtures up to this length are cut at every character, longer ones inside each line and at each line end. */
const EVERY_CHARACTER_LIMIT = 1500;

/** Every prefix of the fixture: at each line end (with and without its break), inside each line, and empty. */
export function* truncations(text: string): Generator<Variant> {
  for (const length of cutPoints(text)) {
    const firstTouched = text.slice(0, length).split('\n').length;
    const lineCount = text.split('\n').length;
    const touched = new Set<number>();
    // A cut right at the end of a line's text leaves that line whole.
    const start = text[length] === '\n' ? firstTouched + 1 : firstTouched;
    for (let line = start; line <= lineCount; line++) touched.add(line);
    yield { text: text.slice(0, length), description: `cut after ${length} of ${text.length} characters`, touched };
  }
}

function cutPoints(text: string): number[] {
  if (text.length <= EVERY_CHARACTER_LIMIT) return Array.from({ length: text.length }, (_, index) => index);
  const points = new Set<number>([0]);
  let start = 0;
  for (const line of text.split('\n')) {
    for (const offset of [Math.floor(line.length / 3), Math.floor(line.length / 2), line.length - 1, line.length, line.length + 1]) {
      const point = start + offset;
      if (point > 0 && point < text.length) points.add(point);
    }
    start += line.length + 1;
  }
  return [...points].sort((a, b) => a - b);
}

type Random = (below: number) => number;

/** Mulberry32: small, seeded, the same on every machine. */
function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const NOISE = ['', ' ', '\u0000', '\ufffd\ufffd', 'Killed', 'Segmentation fault (core dumped)', '\x1b[31m', '[N/A]', '{', '}', '-1', 'nan', '9'.repeat(40), '\t'.repeat(30)];
const CHARACTERS = ' \t0123456789-+.,:;#*<>[](){}"\'/\\|=%_aAzZµ\u0000\x1b\ufffd';

type Mutation = (lines: string[], random: Random) => { description: string; touched: number[] };

const pick = (lines: readonly string[], random: Random): number => random(lines.length);

const MUTATIONS: readonly Mutation[] = [
  (lines, random) => {
    const at = pick(lines, random);
    lines.splice(at, 1);
    return { description: `line ${at + 1} deleted`, touched: [at + 1] };
  },
  (lines, random) => {
    const at = pick(lines, random);
    lines.splice(at, 0, lines[at] ?? '');
    return { description: `line ${at + 1} repeated`, touched: [at + 1] };
  },
  (lines, random) => {
    const from = pick(lines, random);
    const to = pick(lines, random);
    const [moved] = lines.splice(from, 1);
    lines.splice(to, 0, moved ?? '');
    const [low, high] = from < to ? [from, to] : [to, from];
    return { description: `line ${from + 1} moved to ${to + 1}`, touched: Array.from({ length: high - low + 1 }, (_, index) => low + index + 1) };
  },
  (lines, random) => {
    const at = pick(lines, random);
    const noise = NOISE[random(NOISE.length)] ?? '';
    lines.splice(at, 0, noise);
    return { description: `${JSON.stringify(noise)} inserted before line ${at + 1}`, touched: [] };
  },
  (lines, random) => {
    const at = pick(lines, random);
    const line = lines[at] ?? '';
    lines[at] = line.slice(0, random(line.length + 1));
    return { description: `line ${at + 1} cut`, touched: [at + 1] };
  },
  (lines, random) => {
    const at = pick(lines, random);
    const line = lines[at] ?? '';
    const column = random(line.length + 1);
    const character = CHARACTERS[random(CHARACTERS.length)] ?? '';
    lines[at] = line.slice(0, column) + character + line.slice(column + random(2));
    return { description: `${JSON.stringify(character)} put into line ${at + 1}, column ${column + 1}`, touched: [at + 1] };
  },
  (lines, random) => {
    const at = pick(lines, random);
    lines[at] = (lines[at] ?? '') + (lines[at + 1] ?? '');
    lines.splice(at + 1, 1);
    return { description: `lines ${at + 1} and ${at + 2} joined`, touched: [at + 1, at + 2] };
  },
];

/** `count` random changes of the fixture, the same ones for the same seed. One to three changes each. */
export function* mutations(text: string, seed: number, count: number): Generator<Variant> {
  const random = seededRandom(seed);
  for (let index = 0; index < count; index++) {
    const lines = text.split('\n');
    const changes: string[] = [];
    const touched = new Set<number>();
    const rounds = 1 + random(3);
    for (let round = 0; round < rounds; round++) {
      const mutate = MUTATIONS[random(MUTATIONS.length)];
      const change = mutate?.(lines, random);
      if (!change) continue;
      changes.push(change.description);
      // After the first change line numbers may have moved: then everything counts as touched.
      if (round === 0) for (const line of change.touched) touched.add(line);
      else for (let line = 1; line <= text.split('\n').length; line++) touched.add(line);
    }
    yield { text: lines.join('\n'), description: changes.join(', '), touched };
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** How many changed outputs this test tried. */
    variants?: number;
  }
}

/** The long run multiplies the random mutations of each fixture by this. */
const FACTOR = Number(process.env['MUTATION_FACTOR'] ?? 1);

const CLEANNESS: Record<ProbeOutcome, number> = { failed: 0, inconclusive: 1, measured: 2 };

export interface NeverCleanerOptions {
  /** Default 1. */
  seed?: number;
  /** Random mutations, before the factor of the long run; default 400. */
  count?: number;
  /**
   * True when the format cannot tell that its end is missing (plain lists): then a cut that removes every line with the
   * fault may look clean. False (default): even then it must not be `measured`.
   */
  endUnknowable?: boolean;
  /** The 1-based line that names the values, when a name that is not known is not a fault: changed, it names another value. */
  headerLine?: number;
}

/**
 * Asserts for every truncation and for `count` random mutations of a fixture that the parser does not throw, that it keeps
 * its contract, and that the outcome is not cleaner than the original's (failed, inconclusive, measured). A change that
 * touches the very lines which the original's error reasons name may turn `failed` into anything: it made another output.
 * Throws an `Error` that names the variant; returns and prints how many variants were tried.
 */
export function expectNeverCleaner(probe: ProbeDefinition, fixtureText: string, end: StreamEnd = {}, options: NeverCleanerOptions = {}): number {
  const original = parseText(probe, fixtureText, end);
  const evidence = new Set(original.reasons.flatMap(({ severity, line }) => (severity === 'error' && line !== undefined ? [line] : [])));
  if (options.headerLine !== undefined && evidence.size > 0) evidence.add(options.headerLine);
  let tried = 0;
  for (const variant of truncations(fixtureText)) {
    tried++;
    check(probe, original, variant, end, options.endUnknowable === true && touchesAll(variant, evidence));
  }
  for (const variant of mutations(fixtureText, options.seed ?? 1, (options.count ?? 400) * FACTOR)) {
    tried++;
    check(probe, original, variant, end, touchesAny(variant, evidence));
  }
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta) meta.variants = (meta.variants ?? 0) + tried;
  process.stdout.write(`${probe.id}: ${tried} variants of a ${original.outcome} output tried\n`);
  return tried;
}

const touchesAny = ({ touched }: Variant, lines: ReadonlySet<number>): boolean => [...lines].some((line) => touched.has(line));
const touchesAll = ({ touched }: Variant, lines: ReadonlySet<number>): boolean => [...lines].every((line) => touched.has(line));

function check(probe: ProbeDefinition, original: ParseResult, variant: Variant, end: StreamEnd, mayBeCleaner: boolean): void {
  let result: ParseResult;
  try {
    result = parseText(probe, variant.text, end);
  } catch (error) {
    throw new Error(`${probe.id} threw on a variant (${variant.description}): ${(error as Error).message}`);
  }
  const complaint = contractComplaint(result) ?? cleanerComplaint(original, result, mayBeCleaner);
  if (complaint !== undefined) throw new Error(`${probe.id}: ${complaint}\nVariant: ${variant.description}\n${variant.text}`);
}

function cleanerComplaint(original: ParseResult, result: ParseResult, mayBeCleaner: boolean): string | undefined {
  if (mayBeCleaner || CLEANNESS[result.outcome] <= CLEANNESS[original.outcome]) return undefined;
  // What is cut off a failed output may take the proof of the fault with it; it must not become a clean one.
  if (original.outcome === 'failed' && result.outcome === 'inconclusive') return undefined;
  return `the outcome went from ${original.outcome} to ${result.outcome}`;
}

function contractComplaint({ outcome, measurements, reasons }: ParseResult): string | undefined {
  if (outcome === 'measured' && measurements.length === 0) return 'measured without a measurement';
  if (outcome !== 'measured' && reasons.length === 0) return `${outcome} without a reason`;
  const odd = measurements.find(({ value }) => value === '' || (typeof value === 'number' && !Number.isFinite(value)));
  return odd ? `the value of ${odd.metric} is ${JSON.stringify(odd.value)}` : undefined;
}
