/** What the language server and the extension say to each other beyond the protocol. Names begin with `gpuAcceptance/`. */

import type { RunListItem } from './workbench';

/** Server to client: the last finished run of a card. A client that does not answer shows no verdict. */
export const LAST_VERDICT = 'gpuAcceptance/lastVerdict';

export interface LastVerdictParams {
  /** Address of the card. */
  uri: string;
}

export type LastVerdict = Pick<RunListItem, 'runId' | 'target' | 'verdict' | 'startedAt'> | null;

/** Client to server: runs have changed, so lenses must be asked for again. */
export const RUNS_CHANGED = 'gpuAcceptance/runsChanged';

/** Server to client: how far a file is checked, for the language status item. */
export const CHECK_STATUS = 'gpuAcceptance/checkStatus';

export interface CheckStatusParams {
  uri: string;
  /** `full`, `syntax-only` above 1 MB, `none` above 8 MB, `ignored` by a comment in the file. */
  depth: 'full' | 'syntax-only' | 'none' | 'ignored';
  /** Not every finding is shown. */
  truncated: boolean;
}

/** Commands of the extension that lenses call, with their arguments. */
export const LENS_COMMANDS = {
  /** [uri] */
  runCard: 'gpuAcceptance.runCard',
  /** [uri, stage id] */
  runStage: 'gpuAcceptance.runStage',
  /** [uri] */
  openWorkbench: 'gpuAcceptance.openWorkbench',
} as const;
