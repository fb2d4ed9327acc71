/**
 * Messages between the extension host and the workbench page. The page holds no data of its own: it says `ready`, gets the
 * whole state, then follows. A gap in `batch` makes it ask again with `resync`.
 */

import type { ParseResult } from '../probes/contract';
import type { RunEvent } from '../run/events';

export interface RunListItem {
  runId: string;
  cardName: string;
  target: string;
  startedAt: string;
  /** `running`, `interrupted` (the log has no end and nobody runs it) or how it ended. */
  status: 'running' | 'interrupted' | 'completed' | 'cancelled' | 'connection-lost' | 'failed';
  verdict?: 'accepted' | 'rejected' | 'inconclusive';
}

/** A threshold to draw into a chart. */
export interface ChartThreshold {
  criterion: string;
  metric: string;
  labels: Record<string, string>;
  comparator: string;
  value: number;
  /** In the metric's own unit. */
  unit?: string;
}

/** One page of a probe's raw output: whole lines, as text. */
export interface RawPage {
  type: 'raw';
  runId: string;
  probeRun: string;
  stream: 'stdout' | 'stderr';
  text: string;
  /** 1-based number of the page's first line. */
  firstLine: number;
  totalLines: number;
  totalBytes: number;
  /** The line that was asked for, when one was. */
  wantedLine?: number;
}

export type HostMessage =
  | { type: 'runs'; runs: RunListItem[]; selectedRunId?: string }
  /** Replaces everything known of the run. */
  | { type: 'run'; runId: string; batch: number; running: boolean; interrupted: boolean; events: RunEvent[]; thresholds: ChartThreshold[] }
  /** What has come since; `batch` grows by one each time. */
  | { type: 'events'; runId: string; batch: number; events: RunEvent[] }
  /** How a followed run stands when its log has fallen silent: only the host can tell a running run from an interrupted one. */
  | { type: 'status'; runId: string; running: boolean; interrupted: boolean }
  | RawPage
  /** Saved output of a tool that this program did not run. Shown in place of a run until one is chosen. */
  | { type: 'imported'; source: string; importedAt: string; result: ParseResult }
  | { type: 'error'; message: string }
  | { type: 'theme' };

export type PageMessage =
  /** `runId`: the run that the page showed before it was hidden or reloaded. */
  | { type: 'ready'; runId?: string }
  | { type: 'resync'; runId: string }
  | { type: 'select-run'; runId: string }
  | { type: 'cancel'; runId: string }
  | { type: 'export'; runId: string }
  | { type: 'open-report'; runId: string }
  /** Asks for the page that holds `line`; absent: the first one. `isWanted` marks the line itself, not only its page. */
  | { type: 'raw'; runId: string; probeRun: string; stream: 'stdout' | 'stderr'; line?: number; isWanted?: boolean }
  /** Shows the criterion in its card. */
  | { type: 'reveal-criterion'; runId: string; stage: string; criterion: string }
  | { type: 'open-raw'; runId: string; probeRun: string; stream: 'stdout' | 'stderr' }
  | { type: 'run-card' };
