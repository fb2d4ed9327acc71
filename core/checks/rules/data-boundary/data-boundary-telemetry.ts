import { dataBoundaryRule } from '../../data-boundary-rule';

export const rule = dataBoundaryRule({
  id: 'data-boundary-telemetry',
  title: 'Telemetry is not answered',
  why: 'Logs and traces carry prompts, file names and user ids out of the boundary that the rest of the system keeps.',
  key: 'telemetry',
  message: 'Say what leaves the boundary as telemetry, or "none"',
});
