import type { HostCapabilities, ProbePlan } from '../contract';

/** A wedged driver makes nvidia-smi hang for good, so the deadline is short; big machines need some seconds to start NVML. */
const TIMEOUT_MS = 60_000;
const EXPECTED_DURATION_MS = 3_000;

/** A read-only nvidia-smi command, or the reason why this host cannot give it. */
export function planNvidiaSmi(host: HostCapabilities, args: readonly string[]): ProbePlan {
  const tool = host.tools['nvidia-smi'];
  if (!tool) {
    const message = 'nvidia-smi was not found on this machine. Install the NVIDIA driver, or run in a container that was started with GPU access.';
    return { kind: 'unprovable', reason: { code: 'host.tool-missing', severity: 'error', message } };
  }
  return { kind: 'command', argv: [tool.path, ...args], timeoutMs: TIMEOUT_MS, expectedDurationMs: EXPECTED_DURATION_MS, invasive: false };
}
