import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HostMessage } from '../../core/messages/workbench';
import { recordedRun, RUN_ID, THRESHOLDS } from '../../webview/testing/recorded-run';
import { CHROMIUM_MISSING, launchBrowser, type PageOptions, WorkbenchPage } from './page';
import { THEMES, type ThemeName } from './themes';

const events = recordedRun();
const duringLoad = events.filter(({ elapsedMs }) => elapsedMs < 20_000);
const listed: HostMessage = { type: 'runs', selectedRunId: RUN_ID, runs: [{ runId: RUN_ID, cardName: 'night-shift-4xl40s', target: 'rack-7', startedAt: '2026-08-07T10:15:00Z', status: 'completed', verdict: 'rejected' }] };
const run = (part = events, running = false): HostMessage => ({ type: 'run', runId: RUN_ID, batch: 0, running, interrupted: false, events: part, thresholds: THRESHOLDS });
const rawPage: HostMessage = { type: 'raw', runId: RUN_ID, probeRun: 'representative-load/all-reduce/1', stream: 'stdout', text: Array.from({ length: 200 }, (_, line) => `row ${line + 1} <b>not bold</b>\n`).join(''), firstLine: 1, totalLines: 1_400, totalBytes: 30_000, wantedLine: 61 };

describe.skipIf(CHROMIUM_MISSING)('the workbench page', () => {
  let browser: Browser;
  let page: WorkbenchPage;
  beforeAll(async () => void (browser = await launchBrowser()));
  afterEach(() => page.close());
  afterAll(() => browser.close());

  async function opened(options: PageOptions = {}, ...messages: HostMessage[]): Promise<void> {
    page = await WorkbenchPage.open(browser, options);
    await page.send(...messages);
  }
  const byId = (id: string) => page.page.getByTestId(id);

  it('says that it is ready, with the run that it showed before', async () => {
    await opened({ saved: { runId: RUN_ID, filter: 'fail' } });
    expect(await page.sent()).toEqual([{ type: 'ready', runId: RUN_ID }]);
    await byId('empty').waitFor();
    await page.send(listed, run());
    await byId('verdict').locator('tbody tr').waitFor();
    expect(await byId('verdict').locator('tbody tr').count()).toBe(1);
  });

  it.each(Object.keys(THEMES) as ThemeName[])('has no accessibility fault after a run, in the theme %s', async (theme) => {
    await opened({ theme }, listed, run());
    await byId('chart-requests').locator('canvas').waitFor();
    expect(await page.faults()).toEqual([]);
    await page.screenshot(`after-${theme}`);
    await page.send(rawPage);
    await byId('raw').waitFor();
    expect(await page.faults()).toEqual([]);
    expect(page.errors).toEqual([]);
  });

  it('has room in a side bar', async () => {
    await opened({ width: 320 }, listed, run());
    await byId('topology').waitFor();
    expect(await page.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(await page.faults()).toEqual([]);
    await page.screenshot('side-bar');
  });

  it('keeps the focus, and what is unfolded, while new values arrive', async () => {
    await opened({}, listed, run(duringLoad, true));
    const details = byId('probes').locator('details').first();
    await details.locator('summary').click();
    await byId('cancel').focus();
    await page.send({ type: 'events', runId: RUN_ID, batch: 1, events: events.filter(({ elapsedMs }) => elapsedMs >= 20_000 && elapsedMs < 30_000) });
    await page.page.waitForFunction("document.querySelector('[data-testid=chart-power] .summary').textContent.includes('max')");
    await byId('probes').getByText('all-reduce', { exact: true }).waitFor();
    expect(await page.page.evaluate('document.activeElement.dataset.testid')).toBe('cancel');
    expect(await details.getAttribute('open')).toBe('');
    await page.screenshot('during-dark');
  });

  it('asks again when a batch is missing', async () => {
    await opened({}, listed, run(duringLoad, true), { type: 'events', runId: RUN_ID, batch: 3, events: [] });
    await page.page.waitForFunction('window.sent.length > 1');
    expect((await page.sent()).at(-1)).toEqual({ type: 'resync', runId: RUN_ID });
  });

  it('leads from a criterion to the line that proves it, and back', async () => {
    await opened({}, listed, run());
    const link = byId('verdict').getByRole('button', { name: 'all-reduce, line 61' }).first();
    await link.click();
    expect((await page.sent()).at(-1)).toEqual({ type: 'raw', runId: RUN_ID, probeRun: 'representative-load/all-reduce/1', stream: 'stdout', line: 61, isWanted: true });
    await page.send(rawPage);
    await page.page.locator('#wanted-line').waitFor();
    expect(await page.page.locator('#wanted-line').innerText()).toContain('row 61 <b>not bold</b>');
    expect(await page.page.locator('#wanted-line b').count()).toBe(0);
    await page.page.keyboard.press('Escape');
    await byId('raw').waitFor({ state: 'hidden' });
    expect(await link.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  });

  it('shows a criterion in its card', async () => {
    await opened({}, listed, run());
    await byId('verdict').getByRole('button', { name: 'gather', exact: true }).click();
    expect((await page.sent()).at(-1)).toEqual({ type: 'reveal-criterion', runId: RUN_ID, stage: 'representative-load', criterion: 'gather' });
  });

  it('draws in the colours of a new theme', async () => {
    await opened({ theme: 'dark' }, listed, run());
    const canvas = byId('chart-power').locator('canvas');
    await canvas.waitFor();
    const pixels = (): Promise<unknown> => page.page.evaluate("document.querySelector('[data-testid=chart-power] canvas').toDataURL()");
    const before = await pixels();
    await page.setTheme('light');
    await expect.poll(pixels).not.toBe(before);
    expect(page.errors).toEqual([]);
  });

  it('speaks the verdict once, and no progress', async () => {
    await opened({}, listed, run(duringLoad, true));
    const live = page.page.locator('[aria-live]');
    await byId('chart-power').waitFor();
    expect(await live.textContent()).toBe('');
    await page.send(run());
    await expect.poll(() => live.textContent()).toBe('rejected: made up for a test.');
  });

  it('calls imported output imported', async () => {
    const imported: HostMessage = { type: 'imported', source: 'saved.log', importedAt: '2026-08-07T10:00:00Z', result: { probe: 'nccl-tests', parser: 'nccl-tests/1', outcome: 'failed', reasons: [{ code: 'nccl.wrong', severity: 'error', message: 'Wrong values.', line: 9 }], context: {}, measurements: [{ metric: 'nccl.busbw', value: 11, unit: 'GB/s', labels: { collective: 'all_reduce', sizeBytes: '1024', place: 'out' }, line: 8 }] } };
    await opened({}, listed, run(), imported);
    await byId('imported').getByText('This program did not run the tool').waitFor();
    expect(await byId('verdict').count()).toBe(0);
    expect(await byId('values').locator('tbody tr').count()).toBe(1);
    expect(await page.faults()).toEqual([]);
  });
});
