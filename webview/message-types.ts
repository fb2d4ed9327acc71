import type { HostMessage } from '../core/messages/workbench';

/** The page knows events and results only as the messages carry them. */
export type RunEvent = Extract<HostMessage, { type: 'events' }>['events'][number];
export type ImportedOutput = Extract<HostMessage, { type: 'imported' }>;
export type Measurement = ImportedOutput['result']['measurements'][number];
export type Reason = ImportedOutput['result']['reasons'][number];
export type Verdict = Extract<RunEvent, { type: 'verdict' }>['verdict'];
export type CriterionVerdict = Verdict['criteria'][number];
export type Capabilities = Extract<RunEvent, { type: 'capabilities' }>['capabilities'];
