import type { AcceptanceCard, Criterion } from '../../schemas';
import type { CriterionVerdict } from './contract';
import { judgeCriterion } from './criterion';
import { type Evidence, findMeasurements, type ProbeRunResult } from './evidence-query';
import { satisfiesVersion } from './version-range';

/**
 * What the card requires outside its stages: driver, CUDA, accelerator memory, topology. Nobody has to write a criterion for
 * them, and a card that states them cannot be accepted without evidence for them.
 */
export function judgeCardRequirements(card: AcceptanceCard, evidence: Evidence): CriterionVerdict[] {
  const { runtime, acceleratorMemory, topology } = card;
  return [
    ...(runtime?.driver === undefined ? [] : [judgeVersion('card.driver', 'gpu.driver', runtime.driver, driverVersions(evidence), evidence)]),
    ...(runtime?.cuda === undefined ? [] : [judgeVersion('card.cuda', 'cuda.version', runtime.cuda, cudaVersions(evidence), evidence)]),
    ...(acceleratorMemory?.perGpu === undefined ? [] : [judgeMemory(acceleratorMemory.perGpu, acceleratorMemory.gpus, evidence)]),
    ...(topology?.link === undefined ? [] : [judgeAnywhere(linkCriterion(topology.link), evidence)]),
  ];
}

function judgeMemory(perGpu: string, gpus: number | undefined, evidence: Evidence): CriterionVerdict {
  return judgeAnywhere(
    {
      id: 'card.accelerator-memory',
      description: 'Each GPU has the memory that the card requires.',
      metric: 'gpu.memory.total',
      comparator: '>=',
      value: perGpu,
      ...(gpus === undefined ? {} : { expectedCount: gpus }),
    },
    evidence,
  );
}

const linkCriterion = (link: string): Criterion => ({
  id: 'card.topology-link',
  description: 'Each pair of GPUs has the link that the card requires.',
  metric: 'topology.link',
  labels: { from: 'GPU*', to: 'GPU*' },
  comparator: '==',
  value: link,
});

/** The requirement belongs to the card, so any stage's evidence counts; the first stage that has the metric is used. */
function judgeAnywhere(criterion: Criterion, evidence: Evidence): CriterionVerdict {
  const run = findMeasurements(evidence.results, criterion.metric, criterion.labels)[0]?.run ?? evidence.results.find(({ probe }) => probe === SOURCES[criterion.metric]);
  if (!run) return notMeasured(criterion, `No probe of this run measures ${criterion.metric}. Add ${SOURCES[criterion.metric]} to a stage.`);
  const verdict = judgeCriterion({ ...criterion, probe: run.entry }, run.stage, evidence);
  return { ...verdict, stage: CARD_STAGE };
}

/** These requirements stand above the stages. */
const CARD_STAGE = 'card';

const SOURCES: Record<string, string> = { 'gpu.memory.total': 'nvidia-smi-query', 'topology.link': 'nvidia-smi-topo', 'gpu.driver': 'nvidia-smi-query', 'cuda.version': 'nvidia-smi-query' };

const notMeasured = (criterion: Criterion, reason: string): CriterionVerdict => ({
  id: criterion.id,
  stage: CARD_STAGE,
  ...(criterion.description === undefined ? {} : { description: criterion.description }),
  metric: criterion.metric,
  level: 'required',
  state: 'not-run',
  reason,
  expected: String(criterion.value),
  evidence: [],
});

interface FoundVersion {
  version: string;
  run?: ProbeRunResult;
  line?: number;
}

function driverVersions({ results, capabilities }: Evidence): FoundVersion[] {
  const measured = findMeasurements(results, 'gpu.driver').map(({ run, measurement }) => ({
    version: String(measurement.value),
    run,
    ...(measurement.line === undefined ? {} : { line: measurement.line }),
  }));
  if (measured.length > 0 || capabilities?.driverVersion === undefined) return measured;
  return [{ version: capabilities.driverVersion }];
}

function cudaVersions({ results, capabilities }: Evidence): FoundVersion[] {
  const measured = findMeasurements(results, 'cuda.version').map(({ run, measurement }) => ({ version: String(measurement.value), run }));
  return measured.length > 0 || capabilities?.cudaVersion === undefined ? measured : [{ version: capabilities.cudaVersion }];
}

function judgeVersion(id: string, metric: string, requirement: string, found: readonly FoundVersion[], evidence: Evidence): CriterionVerdict {
  const base = notMeasured({ id, metric, comparator: '==', value: requirement }, '');
  if (found.length === 0) {
    const ran = evidence.results.some(({ probe, result }) => probe === SOURCES[metric] && result !== undefined);
    return { ...base, state: ran ? 'inconclusive' : 'not-run', reason: `No probe of this run measured ${metric}; the card requires ${requirement}.` };
  }
  const judged = found.map((item) => ({ ...item, met: satisfiesVersion(item.version, requirement) }));
  const chosen = judged.find(({ met }) => met === false) ?? judged.find(({ met }) => met === undefined) ?? judged[0]!;
  const unsound = found.find(({ run }) => run?.result && run.result.outcome !== 'measured')?.run;
  const state = chosen.met === undefined ? 'inconclusive' : !chosen.met ? 'fail' : unsound ? 'inconclusive' : 'pass';
  return {
    ...base,
    state,
    measured: chosen.version,
    measuredValue: chosen.version,
    samples: found.length,
    reason: versionSentence(chosen.version, requirement, chosen.met, unsound),
    evidence: chosen.run ? [{ probeRun: chosen.run.probeRun, ...(chosen.line === undefined ? {} : { line: chosen.line }) }] : [],
  };
}

function versionSentence(version: string, requirement: string, met: boolean | undefined, unsound: ProbeRunResult | undefined): string {
  if (met === undefined) return `The version "${version}" or the requirement "${requirement}" cannot be read.`;
  if (!met) return `Version ${version} does not meet ${requirement}.`;
  return unsound ? `Version ${version} meets ${requirement}, but the output of "${unsound.entry}" is not sound.` : `Version ${version} meets ${requirement}.`;
}
