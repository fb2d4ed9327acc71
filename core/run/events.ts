/**
 * The append-only event log of a run: one JSON object a line in `events.ndjson`, each with the SHA-256 of the line before it.
 * Everything that a view shows comes from these events and the raw files; live display and replay read the same log.
 */

import type { HostCapabilities, Measurement, ProbeOutcome, Reason } from '../probes/contract';
import type { CardVerdict } from '../verdict/contract';

export const STAGE_IDS = ['environment-smoke', 'functional', 'representative-load', 'failure', 'acceptance-review'] as const;
export type StageId = (typeof STAGE_IDS)[number];

export interface EventEnvelope {
  /** 0-based, without gaps. */
  seq: number;
  /** UTC, ISO 8601 with milliseconds, by the clock of the computer that runs the card. */
  time: string;
  /** Milliseconds since the run started, by a clock that never goes back. */
  elapsedMs: number;
  /** SHA-256 (hex) of the previous line without its break; 64 zeros in the first. */
  previous: string;
}

export interface HashedFile {
  /** As the user named it, relative to the workspace where possible. */
  path: string;
  sha256: string;
}

export interface Provability {
  entry: string;
  probe: string;
  provable: boolean;
  /** Why not, and what would make it possible. */
  reason?: Reason;
}

export type RunStatus = 'completed' | 'cancelled' | 'connection-lost' | 'failed';

export type RunEventBody =
  | { type: 'run-started'; runId: string; toolVersion: string; cardName: string; card: HashedFile; brief?: HashedFile; target: string; stages: StageId[]; by: 'editor' | 'cli' }
  | { type: 'host-connected'; target: string; transport: string; hostKeyFingerprint?: string }
  | {
      type: 'capabilities';
      capabilities: HostCapabilities;
      provability: Provability[];
      /** The raw answer of the machine, kept in `raw/preflight/host-capabilities/1/`. */
      stdout: { bytes: number; sha256: string };
      exitCode: number | null;
    }
  | { type: 'consent-given'; scope: 'read-only' | 'invasive'; entries: string[] }
  | { type: 'plan-locked'; planSha256: string }
  | { type: 'stage-started'; stage: StageId }
  | {
      type: 'probe-started';
      /** Unique in the run: `STAGE/ENTRY/ATTEMPT`. Also the folder below `raw/`. */
      probeRun: string;
      stage: StageId;
      entry: string;
      probe: string;
      attempt: number;
      /** What the user consented to; absent for probes that read another probe's output. */
      command?: string[];
      /** The probe run whose raw output this one reads. */
      from?: string;
      invasive: boolean;
      monitor: boolean;
      timeoutMs: number;
    }
  | { type: 'probe-progress'; probeRun: string; stdoutBytes: number; stderrBytes: number }
  /** Values as they arrive, in batches, for display. The verdict uses the final result alone. */
  | { type: 'measurements'; probeRun: string; measurements: Measurement[] }
  | {
      type: 'probe-ended';
      probeRun: string;
      exitCode: number | null;
      signal?: string;
      cut?: 'timeout' | 'cancelled' | 'connection-lost' | 'size-limit';
      plannedStop?: boolean;
      remoteProcesses: 'ended' | 'left' | 'unknown' | 'none';
      durationMs: number;
      stdout: { bytes: number; sha256: string };
      stderr: { bytes: number; sha256: string };
      /** How many secrets were replaced on their way to disk. */
      redactions: number;
      /** Parser version (`nccl-tests/1`): a replay with another one cannot be compared. */
      parser: string;
      outcome: ProbeOutcome;
      reasons: Reason[];
    }
  | { type: 'probe-not-run'; stage: StageId; entry: string; probe: string; reason: Reason }
  | { type: 'stage-ended'; stage: StageId }
  | { type: 'cancel-requested' }
  | { type: 'connection-lost'; message: string }
  | { type: 'verdict'; verdict: CardVerdict }
  | { type: 'run-ended'; status: RunStatus; message?: string };

export type RunEvent = EventEnvelope & RunEventBody;
