import type { ProbeDefinition, Reason, ScrapePlan } from '../probes/contract';
import { findProbe } from '../probes/registry';
import type { PlannedProbe } from './contract';
import type { RunEventBody, StageId } from './events';
import { type FinishedProbe, type ProbeRunnerContext, probeRunName, runDerivedProbe, runProbe } from './probe-runner';
import type { ProbeRunResult } from '../verdict/evidence-query';

type Ended = Extract<RunEventBody, { type: 'probe-ended' }>;

/** Why no further probe may start; undefined while the run goes on. */
export type Interruption = () => Reason | undefined;

/** A stage of monitors alone ends after the longest of their expected durations. */
const LONGEST_MONITOR_STAGE_MS = 60_000;

/**
 * Runs the probes of one stage in the card's order. Monitors start first and run beside the others; those without a count of
 * their own are ended when everything else of the stage has ended.
 */
export class StageRunner {
  private readonly results: ProbeRunResult[] = [];
  private readonly ended = new Map<string, Ended>();

  constructor(
    private readonly context: ProbeRunnerContext,
    private readonly cancel: AbortSignal,
    private readonly interruption: Interruption,
  ) {}

  noteEnded(event: Ended): void {
    this.ended.set(event.probeRun, event);
  }

  async run(stage: StageId, probes: readonly PlannedProbe[], refused: ReadonlyMap<PlannedProbe, Reason>): Promise<ProbeRunResult[]> {
    this.context.log.append({ type: 'stage-started', stage });
    const stop = new AbortController();
    const monitors = probes.filter((planned) => planned.monitor && this.mayRun(planned, refused));
    const endless = monitors.filter((planned) => (planned.plan as ScrapePlan).count === undefined);
    const finite = monitors.filter((planned) => !endless.includes(planned));
    const [endlessRuns, finiteRuns] = [endless, finite].map((group) => group.map((planned) => this.runOne(planned, stop.signal)));
    const others = probes.filter((planned) => !monitors.includes(planned));
    for (const planned of others) await this.runOther(planned, refused);
    await Promise.all(finiteRuns!);
    if (others.length === 0 && finite.length === 0 && endless.length > 0) await this.letMonitorsRun(endless);
    stop.abort();
    await Promise.all(endlessRuns!);
    this.context.log.append({ type: 'stage-ended', stage });
    return this.results.filter((result) => result.stage === stage);
  }

  private mayRun(planned: PlannedProbe, refused: ReadonlyMap<PlannedProbe, Reason>): boolean {
    return planned.plan.kind !== 'unprovable' && planned.plan.kind !== 'derived' && !refused.has(planned) && this.interruption() === undefined;
  }

  private async runOther(planned: PlannedProbe, refused: ReadonlyMap<PlannedProbe, Reason>): Promise<void> {
    const obstacle = refused.get(planned) ?? (planned.plan.kind === 'unprovable' ? planned.plan.reason : undefined) ?? this.interruption();
    if (obstacle) return this.notRun(planned, obstacle);
    if (planned.plan.kind !== 'derived') return this.runOne(planned);
    const from = probeRunName({ stage: planned.stage, entry: planned.plan.from });
    const source = this.ended.get(from);
    if (!source) return this.notRun(planned, { code: 'run.no-source', severity: 'error', message: `The probe "${planned.plan.from}" has no output to read.` });
    return this.keep(planned, await runDerivedProbe(planned, this.definition(planned), from, source, this.context), planned.plan.from);
  }

  private async runOne(planned: PlannedProbe, stop?: AbortSignal): Promise<void> {
    const finished = await runProbe(planned, this.definition(planned), this.context, { cancel: this.cancel, ...(stop ? { stop } : {}) });
    this.keep(planned, finished);
  }

  private keep({ stage, entry, probe, monitor, required }: PlannedProbe, { probeRun, result }: FinishedProbe, from?: string): void {
    this.results.push({ probeRun, stage, entry, probe, monitor, required, result, ...(from === undefined ? {} : { from }) });
  }

  private notRun({ stage, entry, probe, monitor, required }: PlannedProbe, reason: Reason): void {
    this.context.log.append({ type: 'probe-not-run', stage, entry, probe, reason });
    this.results.push({ probeRun: `${stage}/${entry}`, stage, entry, probe, monitor, required, notRun: reason });
  }

  private definition({ probe }: PlannedProbe): ProbeDefinition {
    return findProbe(probe)!;
  }

  private letMonitorsRun(monitors: readonly PlannedProbe[]): Promise<void> {
    const durationMs = Math.min(LONGEST_MONITOR_STAGE_MS, Math.max(...monitors.map((planned) => (planned.plan as ScrapePlan).expectedDurationMs)));
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.cancel.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, durationMs);
      this.cancel.addEventListener('abort', done, { once: true });
    });
  }
}
