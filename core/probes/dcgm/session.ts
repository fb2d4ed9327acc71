import type { HostCapabilities, ProbePlan, StreamEnd } from '../contract';
import type { ResultCollector } from '../text/result-collector';

/** Texts with which dcgmi refuses (dcgmi/Command.cpp, dcgmi/Health.cpp, dcgmi/DeviceMonitor.cpp of DCGM 2.4 to 4.6). */
const REFUSALS: readonly [RegExp, string, string][] = [
  [/unable to (establish a connection|connect) to|Host engine connection invalid|host engine is not running/i, 'dcgm.no-host-engine', 'There is no DCGM host engine to connect to. Start nvidia-dcgm, then run again.'],
  [/Health watches not enabled/i, 'dcgm.no-health-watches', 'DCGM watches no health of this group, so it knows nothing of it.'],
  [/requires? the host ?engine to be running as root/i, 'dcgm.engine-not-root', 'The DCGM host engine does not run as root, so it refuses these fields.'],
  [/Error setting watches|Result: -33|module .*(not loaded|failed to load)/i, 'dcgm.module-not-loaded', 'DCGM refused the watches: a module is not loaded.'],
  [/No data returned from the host ?engine/i, 'dcgm.no-data', 'The DCGM host engine returned no data.'],
  [/MIG (mode )?(is )?enabled|diagnostic.*MIG|MIG.*diagnostic/i, 'dcgm.mig', 'DCGM does not run this on GPUs with MIG enabled.'],
  [/already running|being run by another/i, 'dcgm.busy', 'Another diagnostic is running.'],
  [/command not found|No such file or directory.*dcgmi|dcgmi: not found/i, 'dcgm.not-installed', 'There is no dcgmi on the machine.'],
  [/^\s*Error:?\s+\S/i, 'dcgm.error', 'dcgmi reported an error.'],
];

/** dcgmReturn_t, negated and cut to eight bits (dcgmlib/dcgm_structs.h). */
const EXIT_WORDS: Readonly<Record<number, string>> = {
  124: 'it was ended by its time limit',
  127: 'dcgmi was not found',
  137: 'it was killed',
  143: 'it was ended by a signal',
  189: 'GPUs are detached',
  190: 'it was stopped',
  198: 'no test was available',
  199: 'the NVML driver did not answer',
  203: 'it was killed',
  205: 'an error asks to isolate the machine',
  216: 'the answer was no valid JSON',
  217: 'another diagnostic is running',
  221: 'the group is empty',
  223: 'a module is not loaded',
  226: 'tests reported errors, or plugins could not be loaded',
  227: 'it needs root',
  235: 'there is no host engine',
  239: 'permission was denied',
  242: 'no data came',
  245: 'the host engine did not answer in time',
  253: 'a call was not valid',
  255: 'it failed, or the connection to the machine did',
};

/** Notes a refusal on a line. True when there was one. */
export function noteRefusal(collector: ResultCollector, text: string, line?: number): boolean {
  const found = REFUSALS.find(([pattern]) => pattern.test(text));
  if (!found) return false;
  const [, code, message] = found;
  collector.doubt(code, code === 'dcgm.error' ? `dcgmi reported: ${text.trim().slice(0, 300)}` : `${message}${/connect/i.test(text) ? ' (host engine connection)' : ''}`, line);
  return true;
}

/** Exit codes that do not decide anything by themselves are left to `accepted`. */
export function noteExit(collector: ResultCollector, { exitCode, plannedStop, stderr }: StreamEnd, accepted: readonly number[] = [0]): void {
  for (const text of (stderr ?? '').split('\n')) if (text.trim() !== '') noteRefusal(collector, text);
  if (exitCode === undefined || plannedStop) return;
  if (exitCode === null) collector.doubt('dcgm.no-exit-code', 'dcgmi ended without an exit code, so its output may not be whole.');
  else if (!accepted.includes(exitCode)) collector.doubt('dcgm.exit-code', `dcgmi ended with exit code ${exitCode}: ${EXIT_WORDS[exitCode] ?? 'unknown'}.`);
}

/** A plan needs dcgmi; nothing is ever installed. */
export function withDcgmi(host: HostCapabilities, plan: (path: string) => ProbePlan): ProbePlan {
  const tool = host.tools['dcgmi'];
  if (tool) return plan(tool.path);
  return { kind: 'unprovable', reason: { code: 'dcgm.not-installed', severity: 'error', message: 'There is no dcgmi on the machine, so DCGM cannot be asked. It can be installed by whoever runs the machine.' } };
}

/** `4.2.3` at least `4`. False when the version is not known. */
export function isDcgmAtLeast(version: string | undefined, wanted: readonly number[]): boolean {
  const have = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version ?? '')?.slice(1).map((part) => Number(part ?? 0));
  if (!have) return false;
  for (let index = 0; index < wanted.length; index++) {
    const difference = (have[index] ?? 0) - wanted[index]!;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
