import type { ProbeDefinition, Reason, ScrapePlan } from '../probes/contract';
import { findProbe } from '../probes/registry';
import type { PlannedProbe } from './contract';
import type { RunEventBody, StageId } from './events';
import { type FinishedProbe, type ProbeRunnerContext, probeRunName, runDerivedProbe, runProbe } from './probe-runner';
import type { ProbeRunResult } from '../verdict/evidence-query';

type Ended = Extract<RunEventBody, { type: 'probe-ended' }>;

/** What is asked before each probe; both answer undefined when nothing stands against it. */
export interface Obstacles {
  /** Why no further probe may start. */
  interruption(): Reason | undefined;
  /** Why this probe may not start now: not authorised, or not confirmed. */
  refusal(planned: PlannedProbe): Reason | undefined;
}

/** Each running command holds one of the connection's few sessions; the other probes of the stage need some too. */
const MOST_MONITOR_COMMANDS = 3;

/** A stage of monitors alone ends after the longest of their expected durations. */
const LONGEST_MONITOR_STAGE_MS = 60_000;

/**
 * Runs the probes of one stage in the card's order. Monitors start first and run beside the others; those without a count of
 * their own are ended when everything else of the stage has ended. What reads the output of a monitor comes last.
 */
export class StageRunner {
  /** Of all stages so far, also of one that could not be ended. */
  readonly results: ProbeRunResult[] = [];
  private readonly ended = new Map<string, Ended>();

  constructor(
    private readonly context: ProbeRunnerContext,
    private readonly cancel: AbortSignal,
    private readonly obstacles: Obstacles,
  ) {}

  noteEnded(event: Ended): void {
    this.ended.set(event.probeRun, event);
  }

  async run(stage: StageId, probes: readonly PlannedProbe[]): Promise<void> {
    this.context.log.append({ type: 'stage-started', stage });
    const stop = new AbortController();
    const monitors = this.monitorsOf(probes);
    const endless = monitors.filter((planned) => (planned.plan as ScrapePlan).count === undefined);
    const failures: unknown[] = [];
    const start = (planned: PlannedProbe): Promise<void> => this.runOne(planned, stop.signal).catch((error: unknown) => void failures.push(error));
    const endlessRuns = endless.map(start);
    const finiteRuns = monitors.filter((planned) => !endless.includes(planned)).map(start);
    const readers = probes.filter(({ plan }) => plan.kind === 'derived' && monitors.some(({ entry }) => entry === plan.from));
    const others = probes.filter((planned) => !monitors.includes(planned) && !readers.includes(planned));
    try {
      for (const planned of others) await this.runOther(planned);
      await Promise.all(finiteRuns);
      if (endless.length > 0 && others.length + finiteRuns.length === 0) await this.letMonitorsRun(endless);
    } finally {
      stop.abort();
      await Promise.all([...endlessRuns, ...finiteRuns]);
    }
    if (failures.length > 0) throw failures[0];
    for (const planned of readers) await this.runOther(planned);
    this.context.log.append({ type: 'stage-ended', stage });
  }

  private monitorsOf(probes: readonly PlannedProbe[]): PlannedProbe[] {
    const startable = probes.filter((planned) => planned.monitor && planned.plan.kind !== 'derived' && this.obstacle(planned) === undefined);
    const commands = startable.filter(({ plan }) => plan.kind === 'command');
    return startable.filter((planned) => !commands.slice(MOST_MONITOR_COMMANDS).includes(planned));
  }

  private obstacle(planned: PlannedProbe): Reason | undefined {
    return this.obstacles.refusal(planned) ?? (planned.plan.kind === 'unprovable' ? planned.plan.reason : undefined) ?? this.obstacles.interruption();
  }

  private async runOther(planned: PlannedProbe): Promise<void> {
    const obstacle = this.obstacle(planned);
    if (obstacle) return this.notRun(planned, obstacle);
    if (planned.plan.kind === 'derived') return this.runDerived(planned, planned.plan.from);
    if (planned.monitor) return this.notRun(planned, { code: 'run.too-many-monitors', severity: 'error', message: `A stage runs at most ${MOST_MONITOR_COMMANDS} monitoring commands beside its other probes.` });
    return this.runOne(planned);
  }

  private async runDerived(planned: PlannedProbe, entry: string): Promise<void> {
    const from = probeRunName({ stage: planned.stage, entry });
    const source = this.ended.get(from);
    if (!source) return this.notRun(planned, { code: 'run.no-source', severity: 'error', message: `The probe "${entry}" has no output to read.` });
    return this.keep(planned, await runDerivedProbe(planned, this.definition(planned), from, source, this.context), entry);
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
