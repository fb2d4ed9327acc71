import type { ChartThreshold } from '../../core/messages/workbench';
import type { CriterionVerdict, Measurement, RunEvent, Verdict } from '../message-types';

type WithoutEnvelope<E> = E extends RunEvent ? Omit<E, 'seq' | 'time' | 'elapsedMs' | 'previous'> : never;
export type EventBody = WithoutEnvelope<RunEvent>;

export const RUN_ID = '20260807-101500-night-shift-4xl40s-ab12';
const STARTED_AT = Date.UTC(2026, 7, 7, 10, 15);
const NO_HASH = '0'.repeat(64);
const GPUS = 4;
export const SAMPLES = 24;
const LOAD_START_MS = 9_000;

/** Puts events into the envelope of a log. */
export class Recorder {
  readonly events: RunEvent[] = [];

  add(elapsedMs: number, body: EventBody): this {
    this.events.push({ seq: this.events.length, time: new Date(STARTED_AT + elapsedMs).toISOString(), elapsedMs, previous: NO_HASH, ...body } as RunEvent);
    return this;
  }

  probe(startMs: number, durationMs: number, stage: 'environment-smoke' | 'representative-load', entry: string, probe: string, more: { reasons?: Extract<RunEvent, { type: 'probe-ended' }>['reasons']; invasive?: boolean; monitor?: boolean; outcome?: 'measured' | 'inconclusive' } = {}): this {
    const { reasons = [], invasive = false, monitor = false, outcome = 'measured' } = more;
    const file = { bytes: 2_048, sha256: NO_HASH };
    this.add(startMs, { type: 'probe-started', probeRun: `${stage}/${entry}/1`, stage, entry, probe, attempt: 1, command: [probe, '--once'], invasive, monitor, timeoutMs: 60_000 });
    return this.add(startMs + durationMs, { type: 'probe-ended', probeRun: `${stage}/${entry}/1`, exitCode: 0, remoteProcesses: 'ended', durationMs, stdout: file, stderr: { ...file, bytes: 0 }, redactions: 0, parser: `${probe}/1`, outcome, reasons });
  }
}

/** A run of a four-GPU machine with everything that the page can draw, made up from formulas. */
export function recordedRun(verdict: Verdict = rejectedVerdict()): RunEvent[] {
  const run = new Recorder()
    .add(0, { type: 'run-started', runId: RUN_ID, toolVersion: '0.1.0', cardName: 'night-shift-4xl40s', card: { path: 'cards/night.acceptance.yaml', sha256: 'c'.repeat(64) }, target: 'rack-7', stages: ['environment-smoke', 'representative-load', 'acceptance-review'], by: 'editor' })
    .add(700, { type: 'host-connected', target: 'rack-7', transport: 'ssh2', hostKeyFingerprint: 'SHA256:qzXk0dVb3e9Yw1c7rTn5uLh2sPm8aFj4gEo6iBv' })
    .add(1_900, { type: 'capabilities', capabilities: { tools: {}, isRoot: false, driverVersion: '565.57.01', cudaVersion: '12.7', dcgmVersion: '4.1.1', gpuCount: GPUS, virtualMachine: 'kvm' }, provability: [], stdout: { bytes: 900, sha256: NO_HASH }, exitCode: 0 })
    .add(2_000, { type: 'plan-locked', planSha256: 'd'.repeat(64) })
    .add(2_000, { type: 'stage-started', stage: 'environment-smoke' })
    .probe(2_000, 1_200, 'environment-smoke', 'gpus', 'nvidia-smi-list')
    .probe(3_300, 900, 'environment-smoke', 'links', 'nvidia-smi-topo')
    .add(4_300, { type: 'measurements', probeRun: 'environment-smoke/links/1', measurements: links() })
    .add(4_400, { type: 'probe-not-run', stage: 'environment-smoke', entry: 'log', probe: 'kernel-xid', reason: { code: 'kernel-log.no-permission', severity: 'error', message: 'The kernel log needs root on this machine.' } })
    .add(4_400, { type: 'stage-ended', stage: 'environment-smoke' })
    .add(LOAD_START_MS, { type: 'stage-started', stage: 'representative-load' });
  addLoad(run);
  const end = LOAD_START_MS + SAMPLES * 1_000;
  return run.add(end, { type: 'stage-ended', stage: 'representative-load' }).add(end + 50, { type: 'verdict', verdict }).add(end + 60, { type: 'run-ended', status: 'completed' }).events;
}

function addLoad(run: Recorder): void {
  const end = SAMPLES * 1_000;
  const load = new Recorder()
    .probe(LOAD_START_MS, end, 'representative-load', 'load', 'dcgmi-dmon', { monitor: true })
    .probe(LOAD_START_MS + 4_000, 9_000, 'representative-load', 'all-reduce', 'nccl-tests', { invasive: true, reasons: [{ code: 'nccl.slow', severity: 'warning', message: 'The last size is slower than the one before it.', line: 61 }] });
  for (let sample = 0; sample < SAMPLES; sample++) load.add(LOAD_START_MS + sample * 1_000, { type: 'measurements', probeRun: 'representative-load/load/1', measurements: sampleAt(sample) });
  load.add(LOAD_START_MS + 13_000, { type: 'measurements', probeRun: 'representative-load/all-reduce/1', measurements: bandwidth() });
  for (const { elapsedMs, ...body } of load.events.sort((a, b) => a.elapsedMs - b.elapsedMs)) run.add(elapsedMs, body as EventBody);
}

function sampleAt(sample: number): Measurement[] {
  const busy = Math.min(1, sample / 6);
  const field = (gpu: number, tag: string, value: number, unit: string): Measurement => ({ metric: 'dcgm.field', value, unit, labels: { entity: `GPU ${gpu}`, tag, sample: String(sample) } });
  const gpus = Array.from({ length: GPUS }, (_, gpu) => [field(gpu, 'GPUTL', Math.round(busy * (94 + gpu)), '%'), field(gpu, 'TMPTR', 33 + gpu + busy * 24, 'Cel'), field(gpu, 'POWER', 70 + busy * (240 + gpu * 3), 'W'), field(gpu, 'SMCLK', 2_520 - busy * 60 * gpu, 'MHz')]).flat();
  const scrape = String(sample);
  const phases = ['ttft', 'itl', 'queue', 'prefill', 'decode', 'e2e'].flatMap((phase, index) => ['p50', 'p95', 'p99'].map((stat, step): Measurement => ({ metric: `vllm.${phase}`, value: 0.02 * (index + 1) * (step + 1) * (1 + busy), unit: 's', labels: { stat, scrape } })));
  const server = Object.entries({ kv_cache_usage: busy * 0.8, preemptions: sample > 18 ? 2 : 0, running: busy * 16, waiting: sample > 18 ? 5 : 0 }).map(([name, value]): Measurement => ({ metric: `vllm.${name}`, value, labels: { scrape } }));
  return [...gpus, ...phases, ...server];
}

function bandwidth(): Measurement[] {
  return Array.from({ length: 9 }, (_, step) => 2 ** (20 + step)).flatMap((size, step) => ['out', 'in'].map((place): Measurement => ({ metric: 'nccl.busbw', value: 22 * (1 - 0.8 ** (step + 1)), unit: 'GB/s', labels: { collective: 'all_gather', sizeBytes: String(size), place } })));
}

function links(): Measurement[] {
  const names = [...Array.from({ length: GPUS }, (_, gpu) => `GPU${gpu}`), 'NIC0'];
  return names.flatMap((from, index) => names.slice(index + 1).map((to): Measurement => ({ metric: 'topology.link', value: to === 'NIC0' ? 'NODE' : index < 2 && to === 'GPU1' ? 'PIX' : 'SYS', labels: { from, to } })));
}

export const THRESHOLDS: ChartThreshold[] = [
  { criterion: 'gather', metric: 'nccl.busbw', labels: { collective: 'all_gather', sizeBytes: String(2 ** 28), place: 'out' }, comparator: '>=', value: 24, unit: 'GB/s' },
  { criterion: 'first-token', metric: 'vllm.ttft', labels: { stat: 'p95' }, comparator: '<=', value: 0.06, unit: 's' },
];

export function criterion(id: string, state: CriterionVerdict['state'], more: Partial<CriterionVerdict> = {}): CriterionVerdict {
  return { id, stage: 'representative-load', metric: 'nccl.busbw', level: 'required', state, reason: `${id} is judged ${state}.`, expected: '≥ 24 GB/s', evidence: [], ...more };
}

export function verdictOf(state: Verdict['state'], criteria: CriterionVerdict[]): Verdict {
  const count = (wanted: CriterionVerdict['state']): number => criteria.filter((one) => one.state === wanted).length;
  return { state, summary: `${state}: made up for a test.`, criteria, counts: { pass: count('pass'), fail: count('fail'), inconclusive: count('inconclusive'), 'not-run': count('not-run') }, engine: 'verdict/2' };
}

function rejectedVerdict(): Verdict {
  const evidence = [{ probeRun: 'representative-load/all-reduce/1', line: 61 }];
  return verdictOf('rejected', [
    criterion('gpu-count', 'pass', { stage: 'environment-smoke', metric: 'gpu.count', expected: '= 4', measured: '4', samples: 1, description: 'All four GPUs are visible.', evidence: [{ probeRun: 'environment-smoke/gpus/1' }] }),
    criterion('gather', 'fail', { measured: '19 GB/s', samples: 1, evidence, description: 'The collective uses the whole of PCIe.' }),
    criterion('no-xid', 'not-run', { stage: 'environment-smoke', expected: '= 0', reason: 'The probe "log" was not run.' }),
    criterion('card.driver', 'pass', { stage: 'card', expected: '>=560', measured: '565.57.01', samples: 4 }),
    criterion('first-token', 'inconclusive', { level: 'advisory', measured: '120 ms', samples: 40, reason: 'Too few requests for this percentile.', evidence, waiver: { by: 'Noor Haddad', date: '2026-08-01', reason: 'The load generator is replaced next week.' } }),
  ]);
}
