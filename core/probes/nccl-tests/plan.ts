import type { HostCapabilities, ProbeParameters, ProbePlan, UnprovablePlan } from '../contract';

const TIMEOUT_MS = 600_000;
/** Start and connections, then the sweep; measured machines need 20 to 90 s for 8 MiB to 8 GiB. */
const EXPECTED_DURATION_MS = 60_000;
/**
 * One process with all GPUs of the machine. NCCL's log goes to standard output too, so that `nccl-debug` can read from the same
 * bytes which path the traffic took. It occupies all these GPUs, so it is invasive.
 * The program's own time limit (-T) is not used: versions before v2.13.4 print their usage for it and measure nothing.
 */
export function planCollective(parameters: ProbeParameters, host: HostCapabilities): ProbePlan {
  const collective = (parameters['collective'] as string | undefined) ?? 'all_reduce';
  const tool = host.tools[`${collective}_perf`];
  if (!tool) return unprovable('nccl.not-installed', `There is no ${collective}_perf of nccl-tests on the machine, so this collective cannot be measured. Build github.com/NVIDIA/nccl-tests there, or use an image that has it.`);
  const gpus = (parameters['gpus'] as number | undefined) ?? host.gpuCount;
  if (gpus === undefined) return unprovable('nccl.gpu-count-unknown', 'It is not known how many GPUs the machine has. Name the number in `gpus`.');
  if (gpus < 2) return unprovable('nccl.one-gpu', 'A collective needs two GPUs; with one its bus bandwidth is always 0.');
  if (host.gpuCount !== undefined && gpus > host.gpuCount) return unprovable('nccl.too-few-gpus', `The card asks for ${gpus} GPUs, but the machine has ${host.gpuCount}.`);
  const number = (name: string, fallback: number): string => String((parameters[name] as number | undefined) ?? fallback);
  const text = (name: string, fallback: string): string => (parameters[name] as string | undefined) ?? fallback;
  const sizes = ['-b', text('minBytes', '8M'), '-e', text('maxBytes', '8G'), '-f', number('stepFactor', 2)];
  const repeats = ['-g', String(gpus), '-c', '1', '-n', number('iterations', 20), '-w', number('warmupIterations', 5)];
  return {
    kind: 'command',
    argv: [tool.path, ...sizes, ...repeats],
    env: { NCCL_DEBUG: 'INFO', NCCL_DEBUG_SUBSYS: 'INIT,ENV,NET,GRAPH,P2P,SHM,NVLS' },
    timeoutMs: TIMEOUT_MS,
    expectedDurationMs: EXPECTED_DURATION_MS,
    invasive: true,
  };
}

const unprovable = (code: string, message: string): UnprovablePlan => ({ kind: 'unprovable', reason: { code, severity: 'error', message } });
