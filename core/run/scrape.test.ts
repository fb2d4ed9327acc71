import { describe, expect, it } from 'vitest';
import type { ScrapePlan } from '../probes/contract';
import { runScrapes } from './scrape';
import { ScriptedMachine } from './testing/scripted-machine';

const plan = (over: Partial<ScrapePlan> = {}): ScrapePlan => ({ kind: 'scrape', host: '127.0.0.1', port: 8000, path: '/metrics', intervalMs: 1, count: 2, timeoutMs: 10_000, expectedDurationMs: 10, invasive: false, ...over });
const HEAD = /^# gpu-acceptance scrape (\d+) \d{4}-\d\d-\d\dT[\d:.]+Z (.*)$/;

async function scrape(machine: ScriptedMachine, over: Partial<ScrapePlan> = {}, signal = new AbortController().signal, onWrite: (text: string) => void = () => undefined) {
  const written: string[] = [];
  const scrapePlan = plan(over);
  const end = await runScrapes(machine, scrapePlan, (chunk) => {
    written.push(Buffer.from(chunk).toString());
    onWrite(written.at(-1)!);
  }, signal, scrapePlan.timeoutMs);
  return { end, text: written.join(''), heads: written.join('').split('\n').flatMap((line) => HEAD.exec(line)?.slice(1).join(' ') ?? []) };
}

describe('scrapes', () => {
  it('write each body as it is behind a line of its own', async () => {
    const { end, text, heads } = await scrape(new ScriptedMachine({}, ['up 1\n', 'up 0']));
    expect(heads).toEqual(['1 status=200 bytes=5', '2 status=200 bytes=4']);
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual(['up 1', 'up 0', '']);
    expect(end).toMatchObject({ exitCode: 0 });
  });

  it('say why an answer did not come, and go on', async () => {
    const { end, heads } = await scrape(new ScriptedMachine({}));
    expect(heads).toEqual(['1 error=Nothing listens on 127.0.0.1:8000.', '2 error=Nothing listens on 127.0.0.1:8000.']);
    expect(end.exitCode).toBe(0);
  });

  it('without a count go on until they are ended, and take that for no fault of the server', async () => {
    const stop = new AbortController();
    const { end, heads } = await scrape(new ScriptedMachine({}, ['up 1\n']), { count: undefined }, stop.signal, (text) => text.includes('scrape 3 ') && stop.abort());
    expect([heads.length, heads.every((head) => head.includes('status=200'))]).toEqual([3, true]);
    expect(end).toMatchObject({ exitCode: null, cut: 'cancelled' });
  });

  it('leave out the answer that their end cut off', async () => {
    const stop = new AbortController();
    const openTcp = async (): Promise<never> => {
      stop.abort();
      throw new Error('aborted');
    };
    const { end, text } = await scrape(Object.assign(new ScriptedMachine({}), { openTcp }), { count: undefined }, stop.signal);
    expect([text, end.cut]).toEqual(['', 'cancelled']);
  });

  it('end at their deadline', async () => {
    expect((await scrape(new ScriptedMachine({}, ['up 1\n']), { count: undefined, timeoutMs: 20 })).end.cut).toBe('timeout');
  });

  it('end when the connection is lost', async () => {
    const machine = new ScriptedMachine({}, ['up 1\n']);
    expect((await scrape(machine, { count: undefined }, undefined, () => machine.pullCable())).end).toMatchObject({ cut: 'connection-lost', remoteProcesses: 'unknown' });
  });
});
