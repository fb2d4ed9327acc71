import { expect, it } from 'vitest';
import type { RunEvent } from '../core/run/events';
import { pageEvents } from './page-events';

const envelope = { seq: 4, time: '2026-08-07T10:15:00.000Z', elapsedMs: 12, previous: '0' };

it('keeps what is drawn, without what only the verdict reads', () => {
  const event: RunEvent = {
    ...envelope,
    type: 'measurements',
    probeRun: 'a/b/1',
    measurements: [
      { metric: 'dcgm.field', value: 7, unit: 'W', line: 3, labels: { tag: 'POWER', entity: 'GPU 0', sample: '1' } },
      { metric: 'gpu.uuid', value: 'GPU-1', labels: { gpu: '0' } },
      { metric: 'vllm.running', value: 3, samples: 9, labels: { scrape: '2' } },
    ],
  };
  expect(pageEvents([event])).toEqual([{ ...event, measurements: [{ metric: 'dcgm.field', value: 7, labels: { tag: 'POWER', entity: 'GPU 0', sample: '1' } }, { metric: 'vllm.running', value: 3, labels: { scrape: '2' } }] }]);
});

it('drops a batch of which nothing is drawn, and passes every other event on', () => {
  const other: RunEvent = { ...envelope, type: 'stage-ended', stage: 'functional' };
  expect(pageEvents([{ ...envelope, type: 'measurements', probeRun: 'a/b/1', measurements: [{ metric: 'gpu.count', value: 8 }] }, other])).toEqual([other]);
});
