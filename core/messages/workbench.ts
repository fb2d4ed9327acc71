/**
 * Messages between the extension host and the workbench page. The page holds no data of its own: it says `ready`, gets the
 * whole state, then follows. A gap in `batch` makes it ask again with `resync`.
 */

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

export type HostMessage =
  | { type: 'runs'; runs: RunListItem[]; selectedRunId?: string }
  /** Replaces everything known of the run. */
  | { type: 'run'; runId: string; batch: number; running: boolean; interrupted: boolean; events: RunEvent[]; thresholds: ChartThreshold[] }
  /** What has come since; `batch` grows by one each time. */
  | { type: 'events'; runId: string; batch: number; events: RunEvent[] }
  | { type: 'raw'; runId: string; probeRun: string; stream: 'stdout' | 'stderr'; text: string; truncated: boolean; totalBytes: number }
  | { type: 'error'; message: string }
  | { type: 'theme' };

export type PageMessage =
  | { type: 'ready' }
  | { type: 'resync'; runId: string }
  | { type: 'select-run'; runId: string }
  | { type: 'cancel'; runId: string }
  | { type: 'export'; runId: string }
  | { type: 'open-report'; runId: string }
  | { type: 'raw'; runId: string; probeRun: string; stream: 'stdout' | 'stderr' }
  | { type: 'reveal-criterion'; runId: string; criterion: string }
  | { type: 'run-card' };
