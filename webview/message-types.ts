import type { HostMessage } from '../core/messages/workbench';

/** The page knows events only as the messages carry them. */
export type RunEvent = Extract<HostMessage, { type: 'events' }>['events'][number];
export type Measurement = Extract<RunEvent, { type: 'measurements' }>['measurements'][number];
export type CriterionVerdict = Extract<RunEvent, { type: 'verdict' }>['verdict']['criteria'][number];
