import type { RunOutcome } from '../core/run/contract';
import type { RunEvent } from '../core/run/events';
import type { CriterionVerdict } from '../core/verdict/contract';

/** One line of progress for an event, or nothing. */
export function showProgress(event: RunEvent): string {
  const time = `${(event.elapsedMs / 1000).toFixed(1).padStart(6)} s  `;
  switch (event.type) {
    case 'host-connected':
      return `${time}connected by ${event.transport}, host key ${event.hostKeyFingerprint ?? 'none'}\n`;
    case 'capabilities': {
      const { driverVersion, dcgmVersion, gpuCount } = event.capabilities;
      return `${time}host: ${gpuCount ?? 'unknown number of'} GPUs, driver ${driverVersion ?? 'unknown'}, DCGM ${dcgmVersion ?? 'none'}\n`;
    }
    case 'stage-started':
      return `${time}stage ${event.stage}\n`;
    case 'probe-started':
      return `${time}  ${event.entry} ...\n`;
    case 'probe-ended':
      return `${time}  ${event.probeRun.split('/')[1]}: ${event.outcome}${firstReason(event.reasons)}\n`;
    case 'probe-not-run':
      return `${time}  ${event.entry}: not run: ${event.reason.message}\n`;
    case 'connection-lost':
      return `${time}connection lost: ${event.message}\n`;
    case 'run-ended':
      return `${time}${event.status}${event.message === undefined ? '' : `: ${event.message}`}\n`;
    default:
      return '';
  }
}

const firstReason = (reasons: readonly { severity: string; message: string }[]): string => {
  const error = reasons.find(({ severity }) => severity === 'error');
  return error ? `: ${error.message}` : '';
};

/** The verdict table, then where the evidence is. */
export function showVerdict({ verdict, runDir, status, message }: RunOutcome): string {
  const widths = { state: 12, id: Math.max(9, ...verdict.criteria.map(({ id }) => id.length)), expected: Math.max(8, ...verdict.criteria.map(({ expected }) => expected.length)), measured: Math.max(8, ...verdict.criteria.map(({ measured }) => (measured ?? '').length)) };
  const row = (state: string, id: string, expected: string, measured: string, reason: string): string =>
    `${state.padEnd(widths.state)}  ${id.padEnd(widths.id)}  ${expected.padEnd(widths.expected)}  ${measured.padEnd(widths.measured)}  ${reason}`.trimEnd();
  return [
    row('STATE', 'CRITERION', 'EXPECTED', 'MEASURED', 'REASON'),
    ...verdict.criteria.map((criterion) => row(stateOf(criterion), criterion.id, criterion.expected, criterion.measured ?? '', criterion.reason)),
    '',
    `${verdict.state.toUpperCase()}${status === 'completed' ? '' : ` (run ${status}${message === undefined ? '' : `: ${message}`})`}`,
    verdict.summary,
    '',
    `Evidence: ${runDir}`,
    `Export:   gpu-acceptance export ${runDir} --to acceptance.zip`,
    `Report:   gpu-acceptance report ${runDir} --to report.html`,
    '',
  ].join('\n');
}

const stateOf = ({ state, level, waiver }: CriterionVerdict): string => (waiver ? `${state} (w)` : level === 'advisory' ? `${state} (a)` : state);
