import type { AcceptanceCard, Target } from '../../schemas';
import type { CommandPlan, HostCapabilities, ProbePlan } from '../probes/contract';
import type { SshEndpoint, SshPrompts, Transport } from '../transport/contract';
import type { CardVerdict } from '../verdict/contract';
import type { Provability, RunEvent, RunStatus, StageId } from './events';

/** One probe entry of the card with the command that this host needs. */
export interface PlannedProbe {
  stage: StageId;
  /** Name of the card's probe entry. */
  entry: string;
  probe: string;
  plan: ProbePlan | { kind: 'derived'; from: string };
  monitor: boolean;
  required: boolean;
}

/** Written to `plan.lock.json` and hashed before the first probe. */
export interface RunPlan {
  planVersion: 1;
  runId: string;
  cardSha256: string;
  briefSha256?: string;
  target: string;
  stages: StageId[];
  probes: PlannedProbe[];
  createdAt: string;
}

export interface ConsentRequest {
  /** `user@host:port` */
  hostLabel: string;
  target: string;
  probes: readonly PlannedProbe[];
  invasive: readonly (PlannedProbe & { plan: CommandPlan })[];
  expectedDurationMs: number;
  provability: readonly Provability[];
  /** Which GPUs others compute on now, in one sentence: this run and their work would spoil each other. Absent: none, or not known. */
  occupancy?: string;
}

export interface ConsentAnswer {
  readOnly: boolean;
  /** Only asked for when the card's drain authorisation covers the target now; a refusal leaves the invasive probes not run. */
  invasive: boolean;
}

/** What a run asks of whoever started it. */
export interface RunHooks extends SshPrompts {
  /** Before anything is sent to the host. False: the run ends without a connection. */
  approveHost(request: { hostLabel: string; endpoint: SshEndpoint; stages: readonly StageId[]; card: AcceptanceCard }): Promise<boolean>;
  /** After the host was looked at, before the first probe: exact commands, what is invasive, how long. */
  consent(request: ConsentRequest): Promise<ConsentAnswer>;
  onEvent(event: RunEvent): void;
}

export interface RunRequest {
  cardPath: string;
  cardText: string;
  /** Read by the caller, relative to the card; absent when the card names none. */
  brief?: { path: string; text: string };
  /** Name of one of the card's targets; absent: the only one. */
  target?: string;
  /** Absent: all stages of the card. */
  stages?: readonly StageId[];
  /** Names of probe entries, `name` in any stage or `stage/name`; absent: all of the stages. */
  entries?: readonly string[];
  /** The run folder is made inside it. */
  outDir: string;
  by: 'editor' | 'cli';
  toolVersion: string;
  knownHostsFiles?: readonly string[];
  signal?: AbortSignal;
}

export interface RunOutcome {
  runId: string;
  runDir: string;
  status: RunStatus;
  verdict: CardVerdict;
  message?: string;
}

export type ConnectTransport = (endpoint: SshEndpoint, prompts: SshPrompts, options: { knownHostsFiles?: readonly string[]; signal?: AbortSignal }) => Promise<Transport>;

/** The card asks for something that cannot be started: unreadable card, unknown target, wrong stage. Nothing was run. */
export class CannotRunError extends Error {
  constructor(
    message: string,
    readonly nextStep: string,
  ) {
    super(message);
    this.name = 'CannotRunError';
  }
}

export type { AcceptanceCard, HostCapabilities, Target };
