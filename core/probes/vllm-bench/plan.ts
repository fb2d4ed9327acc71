import type { VllmBenchParameters } from '../../../schemas';
import type { HostCapabilities, ProbeParameters, ProbePlan } from '../contract';

const DEFAULT_PROMPTS = 200;
/** Without a rate the duration is the server's, so only a guess can be shown. */
const GUESSED_SECONDS_PER_PROMPT = 0.5;
const STARTUP_MS = 30_000;
/** `--num-warmups` came with 0.11.1 (vllm/benchmarks/serve.py); an older tool refuses the option. */
const WARM_UPS_SINCE = [0, 11, 1] as const;
const WARM_UPS = 8;

/**
 * `vllm bench serve` against a running server. The percentiles are asked for by name, because the default leaves out the
 * end-to-end latency and everything but p99. It writes no file: the result is the block on its standard output.
 */
export function planVllmBench(parameters: ProbeParameters, host: HostCapabilities): ProbePlan {
  const tool = host.tools['vllm'];
  if (!tool) {
    const message = 'vllm was not found on this machine. Run the load test where vLLM is installed, or import the result of a load generator.';
    return { kind: 'unprovable', reason: { code: 'host.tool-missing', severity: 'error', message } };
  }
  const { model, prompts = DEFAULT_PROMPTS, requestRate } = parameters as VllmBenchParameters;
  if (model === undefined) {
    return { kind: 'unprovable', reason: { code: 'load.no-model', severity: 'error', message: 'The card does not say which model is served: add "model" to the probe.' } };
  }
  const expectedDurationMs = STARTUP_MS + Math.round(1000 * (requestRate === undefined ? prompts * GUESSED_SECONDS_PER_PROMPT : prompts / requestRate));
  return {
    kind: 'command',
    argv: [tool.path, 'bench', 'serve', ...serverArguments(parameters as VllmBenchParameters), ...loadArguments(parameters as VllmBenchParameters), ...reportArguments(tool.version)],
    timeoutMs: 3 * expectedDurationMs + 300_000,
    expectedDurationMs,
    // It takes the server's capacity away from everyone else who uses it.
    invasive: true,
  };
}

function serverArguments({ model, host = '127.0.0.1', port = 8000 }: VllmBenchParameters): string[] {
  return ['--backend', 'vllm', '--model', model!, '--host', host, '--port', String(port)];
}

function loadArguments({ dataset, prompts = DEFAULT_PROMPTS, requestRate, concurrency, inputTokens = 1024, outputTokens = 256, seed = 0 }: VllmBenchParameters): string[] {
  const inputs =
    dataset === undefined
      ? ['--dataset-name', 'random', '--random-input-len', String(inputTokens), '--random-output-len', String(outputTokens), '--ignore-eos']
      : ['--dataset-name', 'custom', '--dataset-path', dataset];
  return [
    ...inputs,
    ...['--num-prompts', String(prompts), '--seed', String(seed)],
    ...(requestRate === undefined ? [] : ['--request-rate', String(requestRate)]),
    ...(concurrency === undefined ? [] : ['--max-concurrency', String(concurrency)]),
  ];
}

function reportArguments(version: string | undefined): string[] {
  const percentiles = ['--percentile-metrics', 'ttft,tpot,itl,e2el', '--metric-percentiles', '50,90,95,99'];
  return isAtLeast(version, WARM_UPS_SINCE) ? [...percentiles, '--num-warmups', String(WARM_UPS)] : percentiles;
}

function isAtLeast(version: string | undefined, wanted: readonly number[]): boolean {
  const parts = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version ?? '')?.slice(1).map((part) => Number(part ?? 0));
  if (!parts) return false;
  const differing = wanted.findIndex((part, index) => parts[index] !== part);
  return differing === -1 || parts[differing]! > wanted[differing]!;
}
