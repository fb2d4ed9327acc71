import type { Criterion } from '../../schemas';
import type { CriterionState, CriterionVerdict } from './contract';
import { contextProblem } from './context';
import { type Evidence, findMeasurements, type LocatedMeasurement, type ProbeRunResult } from './evidence-query';
import { occupancyProblem } from './occupancy';
import { reduceValues } from './statistics';
import { meets, resolveThreshold, showExpected, showInterval, showMeasured, type Threshold } from './threshold';

/** What a judgement adds to the fields that come from the criterion itself. */
type Judgement = Pick<CriterionVerdict, 'state' | 'reason'> &
  Partial<Pick<CriterionVerdict, 'measured' | 'measuredValue' | 'unit' | 'samples' | 'thresholdValue' | 'evidence'>>;

/** Judges one criterion. Everything that is not a positive measurement in the right context ends as something else than `pass`. */
export function judgeCriterion(criterion: Criterion, stage: string, evidence: Evidence): CriterionVerdict {
  return {
    id: criterion.id,
    stage,
    ...(criterion.description === undefined ? {} : { description: criterion.description }),
    metric: criterion.metric,
    ...(criterion.labels === undefined ? {} : { labels: stringLabels(criterion.labels) }),
    level: criterion.level ?? 'required',
    expected: showExpected(criterion.comparator, criterion.value),
    evidence: [],
    ...judge(criterion, stage, evidence),
  };
}

function judge(criterion: Criterion, stage: string, evidence: Evidence): Judgement {
  const runs = evidence.results.filter((run) => run.stage === stage && (criterion.probe === undefined || run.entry === criterion.probe));
  const obstacle = sourceProblem(criterion, runs);
  if (obstacle) return obstacle;

  const found = findMeasurements(runs, criterion.metric, criterion.labels);
  if (found.length === 0) return nothingMeasured(criterion, runs);

  const context = criterion.context && firstDefined(found, (located) => contextProblem(criterion.context!, located, evidence));
  const shared = { evidence: references(found), samples: countSamples(found) };
  if (context) return { ...shared, ...worst(found, criterion), state: 'inconclusive', reason: context };

  const judged = criterion.statistic === undefined || criterion.statistic === 'every' ? judgeEvery(criterion, found) : judgeReduced(criterion, found);
  return { ...shared, ...guardFail(guardPass(judged, criterion, found, runs), found, evidence) };
}

/** The criterion's probes did not all run, so there is nothing to judge yet. */
function sourceProblem(criterion: Criterion, runs: readonly ProbeRunResult[]): Judgement | undefined {
  if (runs.length === 0) {
    return { state: 'not-run', reason: `${criterion.probe ? `The probe "${criterion.probe}"` : 'This stage'} was not run.` };
  }
  if (runs.every((run) => run.result === undefined)) {
    return { state: 'not-run', reason: runs[0]?.notRun?.message ?? 'The probe was not run.' };
  }
  return undefined;
}

function nothingMeasured(criterion: Criterion, runs: readonly ProbeRunResult[]): Judgement {
  const unfinished = runs.find(({ result }) => result !== undefined && result.outcome !== 'measured');
  const cause = unfinished?.result?.reasons.find(({ severity }) => severity === 'error') ?? runs.find(({ notRun }) => notRun)?.notRun;
  const labels = Object.entries(criterion.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const what = labels.length === 0 ? criterion.metric : `${criterion.metric} {${labels.join(', ')}}`;
  return { state: 'inconclusive', reason: cause ? `Nothing was measured: ${cause.message}` : `No measurement of ${what} was found.` };
}

function judgeEvery(criterion: Criterion, found: readonly LocatedMeasurement[]): Judgement {
  const results = found.map((located) => ({ located, ...decide(criterion, located) }));
  const chosen = results.find(({ met }) => met === false) ?? results.find(({ met }) => met === undefined) ?? extreme(results, criterion);
  const { located, met, problem } = chosen;
  return {
    ...shown(located.measurement.value, located.measurement.unit, criterion.value),
    ...(chosen.threshold === undefined ? {} : { thresholdValue: chosen.threshold }),
    state: stateOf(met),
    reason: problem ?? sentence(criterion, met, located, found.length),
    ...(met === false ? { evidence: references([located]) } : {}),
  };
}

interface Decision {
  met: boolean | undefined;
  problem?: string;
  threshold?: CriterionVerdict['thresholdValue'];
}

function decide(criterion: Criterion, { measurement }: LocatedMeasurement): Decision {
  const threshold = resolveThreshold(criterion.value, measurement);
  if ('problem' in threshold) return { met: undefined, problem: threshold.problem };
  const met = meets(measurement, criterion.comparator, threshold);
  const value = thresholdValue(threshold);
  if (met !== undefined) return { met, threshold: value };
  const bound = measurement.labels?.['bound'];
  const problem = measurement.interval
    ? `The value lies ${showInterval(measurement.interval, measurement.unit, criterion.value)}, which cannot decide ${showExpected(criterion.comparator, criterion.value)}.`
    : bound
    ? `Only ${bound === 'lower' ? 'a lower' : 'an upper'} bound is known (${showMeasured(measurement.value, measurement.unit, criterion.value)}), which cannot decide ${showExpected(criterion.comparator, criterion.value)}.`
    : `${criterion.metric} cannot be compared by "${criterion.comparator}".`;
  return { met, problem, threshold: value };
}

function judgeReduced(criterion: Criterion, found: readonly LocatedMeasurement[]): Judgement {
  const statistic = criterion.statistic as Exclude<Criterion['statistic'], 'every' | undefined>;
  const numbers = found.map(({ measurement }) => measurement.value);
  const units = new Set(found.map(({ measurement }) => measurement.unit));
  if (statistic !== 'count' && !numbers.every((value) => typeof value === 'number')) {
    return { state: 'inconclusive', reason: `${criterion.metric} is text, so it has no ${statistic}.` };
  }
  if (units.size > 1) return { state: 'inconclusive', reason: `The measurements of ${criterion.metric} come in different units.` };
  if (found.some(({ measurement }) => measurement.labels?.['bound'] !== undefined || measurement.interval !== undefined)) {
    return { state: 'inconclusive', reason: `Some measurements of ${criterion.metric} are bounds, not values, so their ${statistic} is not known.` };
  }
  const value = reduceValues(numbers as number[], statistic);
  if (value === undefined) return { state: 'inconclusive', reason: `The ${statistic} of ${criterion.metric} is not known.` };
  const unit = statistic === 'count' ? undefined : [...units][0];
  const reduced: LocatedMeasurement = { run: found[0]!.run, measurement: { metric: criterion.metric, value, ...(unit === undefined ? {} : { unit }) } };
  const { met, problem, threshold } = decide(criterion, reduced);
  return {
    ...shown(value, unit, criterion.value),
    ...(threshold === undefined ? {} : { thresholdValue: threshold }),
    state: stateOf(met),
    reason: problem ?? `${statistic} of ${found.length} measurements: ${sentence(criterion, met, reduced, 1)}`,
  };
}

/** The last gate before a pass: whole output, enough measurements, enough samples. A fail stays a fail unless its output is not whole. */
function guardPass(judged: Judgement, criterion: Criterion, found: readonly LocatedMeasurement[], runs: readonly ProbeRunResult[]): Judgement {
  const broken = found.find(({ run }) => run.result?.outcome === 'inconclusive')?.run;
  if (broken && judged.state !== 'inconclusive') {
    return { ...judged, state: 'inconclusive', reason: `The output of "${broken.entry}" is not conclusive: ${firstError(broken)}` };
  }
  if (judged.state !== 'pass') return judged;
  const problem = missingForPass(criterion, found, runs);
  return problem === undefined ? judged : { ...judged, state: 'inconclusive', reason: problem };
}

/** A good machine must not fail because of what others did on it. */
function guardFail(judged: Judgement, found: readonly LocatedMeasurement[], evidence: Evidence): Judgement {
  const problem = judged.state === 'fail' ? occupancyProblem(found, evidence) : undefined;
  return problem === undefined ? judged : { ...judged, state: 'inconclusive', reason: `${judged.reason} ${problem}` };
}

function missingForPass(criterion: Criterion, found: readonly LocatedMeasurement[], runs: readonly ProbeRunResult[]): string | undefined {
  const faulty = found.find(({ run }) => run.result?.outcome === 'failed')?.run;
  if (faulty) return `The value meets the bound, but the output of "${faulty.entry}" proves a fault: ${firstError(faulty)}`;
  const silent = criterion.probe === undefined ? undefined : runs.find(({ result }) => result === undefined);
  if (silent) return silent.notRun?.message ?? `The probe "${silent.entry}" was not run.`;
  if (criterion.expectedCount !== undefined && found.length !== criterion.expectedCount) {
    return `${criterion.expectedCount} measurements were expected, ${found.length} came.`;
  }
  if (criterion.minimumSamples === undefined) return undefined;
  const samples = countSamples(found);
  return samples >= criterion.minimumSamples ? undefined : `${criterion.minimumSamples} samples are needed, ${samples} came.`;
}

/** Fewest observations behind any one value, or the number of values where the tool gives no count. */
function countSamples(found: readonly LocatedMeasurement[]): number {
  const counts = found.flatMap(({ measurement }) => measurement.samples ?? []);
  // Not as arguments of one call: those have a limit, and a monitor may have more values.
  return counts.length < found.length ? found.length : counts.reduce((a, b) => Math.min(a, b));
}

function worst(found: readonly LocatedMeasurement[], criterion: Criterion): Partial<Judgement> {
  const results = found.map((located) => ({ located, ...decide(criterion, located) }));
  const { measurement } = (results.find(({ met }) => met === false) ?? extreme(results, criterion)).located;
  return shown(measurement.value, measurement.unit, criterion.value);
}

/** The value closest to its bound, so that the shown number is the one that decides. */
function extreme<T extends { located: LocatedMeasurement }>(results: readonly T[], criterion: Criterion): T {
  const wantsLow = criterion.comparator === '<=' || criterion.comparator === '<';
  return results.reduce((a, b) => {
    const [left, right] = [a.located.measurement.value, b.located.measurement.value];
    if (typeof left !== 'number' || typeof right !== 'number') return a;
    return wantsLow === right > left ? b : a;
  });
}

function sentence(criterion: Criterion, met: boolean | undefined, { measurement }: LocatedMeasurement, count: number): string {
  const where = Object.entries(measurement.labels ?? {}).map(([key, value]) => `${key} ${value}`);
  const value = showMeasured(measurement.value, measurement.unit, criterion.value);
  const place = where.length === 0 ? '' : ` (${where.join(', ')})`;
  const expected = showExpected(criterion.comparator, criterion.value);
  if (met) return count > 1 ? `All ${count} values are ${expected}; closest: ${value}${place}.` : `${value}${place} is ${expected}.`;
  return `${value}${place} is not ${expected}.`;
}

const stateOf = (met: boolean | undefined): CriterionState => (met === undefined ? 'inconclusive' : met ? 'pass' : 'fail');

const shown = (value: number | string, unit: string | undefined, expected: Criterion['value']): Pick<Judgement, 'measured' | 'measuredValue' | 'unit'> => ({
  measured: showMeasured(value, unit, expected),
  measuredValue: value,
  ...(unit === undefined ? {} : { unit }),
});

const thresholdValue = (threshold: Threshold): CriterionVerdict['thresholdValue'] => {
  if (threshold.kind === 'number') return threshold.value;
  return threshold.values.length === 1 ? threshold.values[0] : threshold.values;
};

/** Enough to find the place; a full list of thousands of samples would help nobody. */
const MAX_REFERENCES = 20;

const references = (found: readonly LocatedMeasurement[]): CriterionVerdict['evidence'] =>
  found.slice(0, MAX_REFERENCES).map(({ run, measurement }) => ({
    probeRun: run.probeRun,
    ...(measurement.line === undefined ? {} : { line: measurement.line }),
  }));

const firstError = (run: ProbeRunResult): string =>
  run.result?.reasons.find(({ severity }) => severity === 'error')?.message ?? run.result?.reasons[0]?.message ?? 'no reason was given.';

const stringLabels = (labels: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]));

function firstDefined<T, R>(items: readonly T[], map: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = map(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
