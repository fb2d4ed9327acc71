import { describe, expect, it } from 'vitest';
import type { CommandPlan, ProbePlan } from '../contract';
import { probe } from './index';

const host = (version?: string) => ({ tools: { vllm: { path: '/opt/venv/bin/vllm', ...(version === undefined ? {} : { version }) } }, isRoot: false });
const plan = (parameters: object, version?: string): ProbePlan | undefined => probe.plan?.({ ...parameters }, host(version));
const argv = (parameters: object, version?: string): string => (plan({ model: 'acme/loadtest-8b', ...parameters }, version) as CommandPlan).argv.join(' ');

describe('the plan of vllm bench serve', () => {
  it('asks for each latency and percentile by name, and takes the capacity of others', () => {
    expect(plan({ model: 'acme/loadtest-8b' })).toMatchObject({ kind: 'command', invasive: true });
    expect(argv({})).toContain('/opt/venv/bin/vllm bench serve --backend vllm --model acme/loadtest-8b --host 127.0.0.1 --port 8000 --dataset-name random --random-input-len 1024 --random-output-len 256 --ignore-eos --num-prompts 200 --seed 0');
    expect(argv({})).toContain('--percentile-metrics ttft,tpot,itl,e2el --metric-percentiles 50,90,95,99');
  });

  it('passes what the card says of the load on', () => {
    const text = argv({ host: '10.0.0.7', port: 9000, prompts: 600, requestRate: 4, concurrency: 32, inputTokens: 64, outputTokens: 8, seed: 7 });
    expect(text).toContain('--host 10.0.0.7 --port 9000 --dataset-name random --random-input-len 64 --random-output-len 8 --ignore-eos --num-prompts 600 --seed 7 --request-rate 4 --max-concurrency 32');
    expect(argv({ dataset: '/data/prompts.jsonl' })).toContain('--dataset-name custom --dataset-path /data/prompts.jsonl --num-prompts');
    expect(argv({ dataset: '/data/prompts.jsonl' })).not.toContain('random');
  });

  it.each([['0.11.1', true], ['0.11.1rc2', true], ['0.12.0', true], ['1.0', true], ['v0.13.0', true], ['0.11.0', false], ['0.9.2', false], ['0.11', false], ['nightly', false], [undefined, false]])('warms up with %s: %s', (version, does) => {
    expect(argv({}, version).includes('--num-warmups 8')).toBe(does);
  });

  it('waits in proportion to the load, and longer than it expects', () => {
    const slow = plan({ model: 'm', prompts: 600, requestRate: 2 }) as CommandPlan;
    expect(slow.expectedDurationMs).toBe(330_000);
    expect(slow.timeoutMs).toBeGreaterThan(2 * slow.expectedDurationMs);
  });

  it('cannot prove anything without the tool or the model', () => {
    expect(probe.plan?.({ model: 'm' }, { tools: {}, isRoot: false })).toMatchObject({ kind: 'unprovable', reason: { code: 'host.tool-missing' } });
    expect(plan({})).toMatchObject({ kind: 'unprovable', reason: { code: 'load.no-model' } });
  });
});
