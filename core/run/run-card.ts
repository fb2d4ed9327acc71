import type { CommandPlan, HostCapabilities, ProbeDefinition, Reason } from '../probes/contract';
import { describeProvability, occupancySentence } from '../probes/host-capabilities';
import { judgeCard } from '../verdict/judge';
import { orAbort } from '../transport/abort';
import { TransportError, type Transport } from '../transport/contract';
import { connectSsh2 } from '../transport/ssh2/connect';
import type { ConnectTransport, ConsentAnswer, PlannedProbe, RunHooks, RunOutcome, RunPlan, RunRequest } from './contract';
import { EventLog } from './event-log';
import type { RunEvent, RunStatus } from './events';
import { discoverHost } from './discover';
import { drainProblem, hostLabel, planEntries, prepareRun, type PreparedRun } from './prepare';
import { makeRunId, RUN_FILES, RunFolder, sha256 } from './run-folder';
import { StageRunner } from './stage-runner';

export interface RunDependencies {
  connect?: ConnectTransport;
  now?: () => Date;
}

const NO_HOST: HostCapabilities = { tools: {}, isRoot: false };

/**
 * Runs a card and writes its evidence. Throws `CannotRunError` before anything was started; everything later (no connection,
 * cancel, lost connection) ends as a readable run with a verdict that says so.
 */
export async function runCard(request: RunRequest, hooks: RunHooks, dependencies: RunDependencies = {}): Promise<RunOutcome> {
  const prepared = prepareRun(request);
  return new CardRun(request, prepared, hooks, dependencies).run();
}

class CardRun {
  private readonly now: () => Date;
  private readonly folder: RunFolder;
  private readonly log: EventLog;
  private readonly cancel = new AbortController();
  private readonly lost = new AbortController();
  private stageRunner: StageRunner | undefined;
  private lostMessage: string | undefined;
  private capabilities: HostCapabilities | undefined;

  constructor(
    private readonly request: RunRequest,
    private readonly prepared: PreparedRun,
    private readonly hooks: RunHooks,
    private readonly dependencies: RunDependencies,
  ) {
    this.now = dependencies.now ?? (() => new Date());
    this.folder = new RunFolder(request.outDir, makeRunId(prepared.card.name, this.now()));
    this.log = new EventLog(`${this.folder.path}/${RUN_FILES.events}`, (event) => this.onEvent(event), this.now);
  }

  private onEvent(event: RunEvent): void {
    if (event.type === 'probe-ended') this.stageRunner?.noteEnded(event);
    this.hooks.onEvent(event);
  }

  async run(): Promise<RunOutcome> {
    const { signal } = this.request;
    const onAbort = (): void => {
      this.log.note({ type: 'cancel-requested' });
      this.cancel.abort();
    };
    let end: { status: RunStatus; message?: string };
    try {
      this.begin();
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
      end = await this.runOnHost();
    } catch (error) {
      end = this.endOfError(error);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
    try {
      return this.finish(end.status, end.message);
    } finally {
      this.log.close();
      this.folder.close();
    }
  }

  private begin(): void {
    const { request, prepared, folder } = this;
    const card = { path: request.cardPath, sha256: folder.write(RUN_FILES.card, request.cardText) };
    const brief = request.brief && { path: request.brief.path, sha256: folder.write(RUN_FILES.brief, request.brief.text) };
    this.log.append({
      type: 'run-started',
      runId: folder.runId,
      toolVersion: request.toolVersion,
      cardName: prepared.card.name,
      card,
      ...(brief ? { brief } : {}),
      target: prepared.target.name,
      stages: prepared.stages,
      by: request.by,
    });
  }

  private async runOnHost(): Promise<{ status: RunStatus; message?: string }> {
    const { prepared, hooks } = this;
    const approved = await this.ask(hooks.approveHost({ hostLabel: hostLabel(prepared.endpoint), endpoint: prepared.endpoint, stages: prepared.stages, card: prepared.card }));
    if (!approved) return { status: 'cancelled', message: 'The connection to the host was not approved.' };
    const transport = await this.connect();
    try {
      this.noteConnected(transport);
      return await this.runConnected(transport);
    } finally {
      await transport.close();
    }
  }

  private connect(): Promise<Transport> {
    const { request, prepared, hooks } = this;
    const connect = this.dependencies.connect ?? connectSsh2;
    const options = { signal: this.cancel.signal, ...(request.knownHostsFiles ? { knownHostsFiles: request.knownHostsFiles } : {}) };
    return connect(prepared.endpoint, hooks, options);
  }

  private noteConnected({ kind, hostKeyFingerprint, lost }: Transport): void {
    this.log.append({ type: 'host-connected', target: this.prepared.target.name, transport: kind, ...(hostKeyFingerprint ? { hostKeyFingerprint } : {}) });
    void lost.then((error) => {
      this.lostMessage = error.message;
      this.lost.abort();
    });
  }

  /** A person may take their time, but not longer than the run can go on. */
  private ask<T>(question: Promise<T>): Promise<T> {
    return orAbort(question, AbortSignal.any([this.cancel.signal, this.lost.signal]), () => new Error('The question was withdrawn.'));
  }

  private async runConnected(transport: Transport): Promise<{ status: RunStatus; message?: string }> {
    const context = { transport, folder: this.folder, log: this.log };
    const found = await discoverHost(transport, this.folder, this.cancel.signal);
    this.capabilities = found.capabilities;
    const probes = planEntries(this.prepared, found.capabilities);
    const provability = this.provabilityOf(found.capabilities);
    this.log.append({ type: 'capabilities', capabilities: found.capabilities, provability, stdout: found.stdout, exitCode: found.exitCode });
    if (this.interruption()) return this.interrupted();

    const refused = this.refuseWithoutDrain(probes);
    const answer = await this.askConsent(probes, refused, provability);
    if (!answer.readOnly) return { status: 'cancelled', message: 'The commands were not approved.' };
    this.lockPlan(probes);

    this.stageRunner = new StageRunner(context, this.cancel.signal, {
      interruption: () => this.interruption(),
      // The window of an authorisation may close while earlier probes run.
      refusal: (planned) => refused.get(planned) ?? this.drainProblemOf(planned),
    });
    for (const stage of this.prepared.stages) {
      const ofStage = probes.filter((planned) => planned.stage === stage);
      if (ofStage.length > 0) await this.stageRunner.run(stage, ofStage);
    }
    return this.interruption() ? this.interrupted() : { status: 'completed' };
  }

  private provabilityOf(host: HostCapabilities) {
    const questions = this.prepared.entries
      .filter(({ entry }) => entry.from === undefined)
      .map(({ name, probe, entry }) => ({ entry: name, probe: probe as ProbeDefinition, parameters: (entry.with ?? {}) as Record<string, unknown> }));
    return describeProvability(host, questions);
  }

  private refuseWithoutDrain(probes: readonly PlannedProbe[]): Map<PlannedProbe, Reason> {
    const refused = new Map<PlannedProbe, Reason>();
    for (const planned of probes) {
      const problem = this.drainProblemOf(planned);
      if (problem) refused.set(planned, problem);
    }
    return refused;
  }

  private drainProblemOf({ plan }: PlannedProbe): Reason | undefined {
    if (plan.kind !== 'command' || !plan.invasive) return undefined;
    return drainProblem(this.prepared.card.drainAuthorization, this.prepared.target.name, plan, this.now());
  }

  /** Asks once, with the exact commands; a refusal of the invasive ones leaves the others to run. */
  private async askConsent(probes: readonly PlannedProbe[], refused: Map<PlannedProbe, Reason>, provability: Parameters<RunHooks['consent']>[0]['provability']): Promise<ConsentAnswer> {
    const startable = probes.filter((planned) => (planned.plan.kind === 'command' || planned.plan.kind === 'scrape') && !refused.has(planned));
    const invasive = startable.filter((planned): planned is PlannedProbe & { plan: CommandPlan } => planned.plan.kind === 'command' && planned.plan.invasive);
    const expectedDurationMs = startable.filter(({ monitor }) => !monitor).reduce((sum, { plan }) => sum + (plan as CommandPlan).expectedDurationMs, 0);
    const occupancy = occupancySentence(this.capabilities ?? NO_HOST);
    const answer = await this.ask(
      this.hooks.consent({ hostLabel: hostLabel(this.prepared.endpoint), target: this.prepared.target.name, probes: startable, invasive, expectedDurationMs, provability, ...(occupancy === undefined ? {} : { occupancy }) }),
    );
    if (answer.readOnly) this.log.append({ type: 'consent-given', scope: 'read-only', entries: startable.filter((planned) => !invasive.includes(planned as never)).map(({ entry }) => entry) });
    if (invasive.length > 0 && answer.readOnly && answer.invasive) this.log.append({ type: 'consent-given', scope: 'invasive', entries: invasive.map(({ entry }) => entry) });
    if (!answer.invasive) {
      for (const planned of invasive) refused.set(planned, { code: 'run.not-confirmed', severity: 'error', message: 'This probe takes real capacity, and it was not confirmed.' });
    }
    return answer;
  }

  private lockPlan(probes: PlannedProbe[]): void {
    const { request, prepared, folder } = this;
    const plan: RunPlan = {
      planVersion: 1,
      runId: folder.runId,
      cardSha256: sha256(request.cardText),
      ...(request.brief ? { briefSha256: sha256(request.brief.text) } : {}),
      target: prepared.target.name,
      stages: prepared.stages,
      probes,
      createdAt: this.now().toISOString(),
    };
    const planSha256 = folder.write(RUN_FILES.plan, `${JSON.stringify(plan, null, 2)}\n`);
    this.log.append({ type: 'plan-locked', planSha256 });
  }

  private interruption(): Reason | undefined {
    if (this.cancel.signal.aborted) return { code: 'run.cancelled', severity: 'error', message: 'The run was cancelled before this probe.' };
    if (this.lostMessage !== undefined) return { code: 'run.connection-lost', severity: 'error', message: `The connection was lost before this probe: ${this.lostMessage}` };
    return undefined;
  }

  private interrupted(): { status: RunStatus; message: string } {
    if (this.cancel.signal.aborted) return { status: 'cancelled', message: 'The run was cancelled.' };
    const message = this.lostMessage ?? 'The connection was lost.';
    this.log.append({ type: 'connection-lost', message });
    return { status: 'connection-lost', message };
  }

  private endOfError(error: unknown): { status: RunStatus; message: string } {
    if (this.interruption()) return this.interrupted();
    if (error instanceof TransportError) return { status: error.code === 'connection-lost' ? 'connection-lost' : 'failed', message: `${error.message} ${error.nextStep}` };
    return { status: 'failed', message: error instanceof Error ? error.message : String(error) };
  }

  private finish(status: RunStatus, message: string | undefined): RunOutcome {
    const now = this.now();
    const verdict = judgeCard({
      card: this.prepared.card,
      stages: this.prepared.stages,
      results: this.stageRunner?.results ?? [],
      capabilities: this.capabilities ?? NO_HOST,
      now,
    });
    this.folder.write(RUN_FILES.verdict, `${JSON.stringify(verdict, null, 2)}\n`);
    this.log.append({ type: 'verdict', verdict });
    this.log.append({ type: 'run-ended', status, ...(message === undefined ? {} : { message }) });
    return { runId: this.folder.runId, runDir: this.folder.path, status, verdict, ...(message === undefined ? {} : { message }) };
  }
}
