import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../core/messages/workbench';
import { createPageState, receive } from './page-state';
import { runState } from './progress';
import { recordedRun, RUN_ID } from './testing/recorded-run';

const events = recordedRun();
const beforeVerdict = events.filter(({ type }) => type !== 'verdict' && type !== 'run-ended');
const whole: Extract<HostMessage, { type: 'run' }> = { type: 'run', runId: RUN_ID, batch: 0, running: true, interrupted: false, events: [], thresholds: [] };

describe('what the page knows', () => {
  it('is the same whether events come at once or in batches', () => {
    const [atOnce, inBatches] = [createPageState(), createPageState()];
    receive(atOnce, { ...whole, events });
    receive(inBatches, { ...whole, events: events.slice(0, 5) });
    for (let from = 5, batch = 1; from < events.length; from += 7, batch++) receive(inBatches, { type: 'events', runId: RUN_ID, batch, events: events.slice(from, from + 7) });
    expect(inBatches.run).toEqual(atOnce.run);
    expect(atOnce.run).toMatchObject({ running: false, status: 'completed' });
  });

  it('asks for the run again when a batch is missing, and takes nothing of a later one in', () => {
    const state = createPageState();
    receive(state, { ...whole, events: events.slice(0, 3) });
    expect(receive(state, { type: 'events', runId: RUN_ID, batch: 2, events: events.slice(5, 8) })).toEqual({ resync: RUN_ID });
    expect(state.run?.probes).toEqual([]);
  });

  it('ignores events of a run that it does not show', () => {
    const state = createPageState();
    receive(state, { ...whole, events: events.slice(0, 3) });
    expect(receive(state, { type: 'events', runId: 'another', batch: 9, events })).toEqual({});
    expect(state.run?.verdict).toBeUndefined();
  });

  it('calls a run whose program is gone interrupted, never accepted', () => {
    const state = createPageState();
    receive(state, { ...whole, events: beforeVerdict });
    expect(runState(state.run!)).toBe('running');
    receive(state, { type: 'status', runId: RUN_ID, running: false, interrupted: true });
    expect(runState(state.run!)).toBe('interrupted');
  });

  it('calls a run that ended without a verdict inconclusive', () => {
    const state = createPageState();
    receive(state, { ...whole, running: false, events: beforeVerdict });
    expect(runState(state.run!)).toBe('inconclusive');
  });

  it('forgets raw output of a run that is no longer shown', () => {
    const state = createPageState();
    receive(state, { ...whole, events });
    receive(state, { type: 'raw', runId: RUN_ID, probeRun: 'a/b/1', stream: 'stdout', text: 'x\n', firstLine: 1, totalLines: 1, totalBytes: 2 });
    expect(state.raw?.text).toBe('x\n');
    receive(state, { ...whole, runId: 'another', events: [] });
    expect(state.raw).toBeUndefined();
  });

  it('keeps imported output while the list of runs changes, and leaves it for a run', () => {
    const state = createPageState();
    receive(state, { type: 'imported', source: 'saved.log', importedAt: '2026-08-07T10:00:00Z', result: { probe: 'nccl-tests', parser: 'nccl-tests/1', outcome: 'inconclusive', reasons: [], context: {}, measurements: [{ metric: 'nccl.busbw', value: 11, labels: { collective: 'all_reduce', sizeBytes: '1024', place: 'out' } }] } });
    receive(state, { type: 'runs', runs: [] });
    expect(state.run?.measured.bandwidth.get('all_reduce, out of place')).toEqual([{ x: 1024, y: 11 }]);
    receive(state, { ...whole, events });
    expect(state.run?.imported).toBeUndefined();
  });

  it('shows nothing when the last run was deleted', () => {
    const state = createPageState();
    receive(state, { ...whole, events });
    receive(state, { type: 'runs', runs: [] });
    expect(state.run).toBeUndefined();
  });
});
