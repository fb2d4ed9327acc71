import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { bundleName } from '../../core/evidence/bundle';
import { listRuns, readEvents } from '../../core/run/read-run';
import { commandLine } from '../cli/command-line';
import { processesWith, waitFor } from '../sshd/sshd';
import { startDemo, type DemoSetup, type DemoSetupOptions } from './demo-workspace';
import { CHROMIUM_MISSING } from './editor';

const CARD = 'support-chat.acceptance.yaml';
const RUN_TIMEOUT_MS = 90_000;

function useDemo(options: DemoSetupOptions): { demo: DemoSetup } {
  const holder: { demo?: DemoSetup } = {};
  beforeAll(async () => {
    holder.demo = await startDemo(options);
    await holder.demo.editor.open();
    await holder.demo.editor.untilReady();
  });
  afterAll(() => holder.demo?.dispose());
  return {
    get demo() {
      return holder.demo!;
    },
  };
}

const pictureOnFailure = ({ editor }: DemoSetup, name: string): void => onTestFailed(() => editor.screenshot(`failed-${name}`));

/** From the open editor to the moment when the commands of the card run; returns what the dialogs said. */
async function startRun({ editor }: DemoSetup, more: { isNewHost?: boolean; isNewKey?: boolean; readsWholeCommands?: boolean } = {}): Promise<{ frame: Frame; said: string }> {
  await editor.openFile(CARD);
  await editor.runCommand('GPU Acceptance: Run Acceptance Card');
  const said: string[] = [];
  if (more.isNewHost) said.push(await editor.answerDialog(/Connect to demo@127\.0\.0\.1/, 'Connect'));
  if (more.isNewKey) said.push(await editor.answerDialog(/seen for the first time/, 'It Is the Right Key'));
  said.push(await editor.answerDialog(/Run \d+ commands on/, more.readsWholeCommands ? 'Show Whole Commands' : 'Run'));
  if (more.readsWholeCommands) {
    await editor.page.locator('.view-line', { hasText: 'nvidia-smi --query-gpu=' }).first().waitFor({ timeout: RUN_TIMEOUT_MS });
    await editor.screenshot('whole-commands');
    await editor.answerNotification(/Run \d+ commands on/, 'Run');
  }
  said.push(await editor.answerDialog(/take real capacity/, 'Take the Capacity'));
  return { frame: await editor.workbenchFrame(), said: said.join('\n') };
}

const stateOf = (frame: Frame, state: RegExp) => frame.getByTestId('run-state').filter({ hasText: state }).waitFor({ timeout: RUN_TIMEOUT_MS });

/** Different colours of a chart's pixels: an empty canvas has one. */
const colorsOf = (frame: Frame, chart: string): Promise<number> =>
  frame
    .getByTestId(chart)
    .locator('canvas')
    .evaluate((element) => {
      const canvas = element as unknown as { width: number; height: number; getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } } };
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const words = new Uint32Array(data.buffer);
      return new Set(words).size;
    });

describe.skipIf(CHROMIUM_MISSING)('a healthy machine, seen for the first time', () => {
  const setup = useDemo({ scenario: 'healthy', knownHosts: 'empty', speed: 0.5, theme: 'Default Dark Modern' });

  it('asks before each step, draws while probes run, accepts, and exports evidence that verifies', async () => {
    const { demo } = setup;
    const { editor, host } = demo;
    pictureOnFailure(demo, 'healthy');
    const { frame, said } = await startRun(demo, { isNewHost: true, isNewKey: true });
    expect(said).toContain(host.address.fingerprint);
    expect(said).toContain('all_reduce_perf');
    expect(readFileSync(host.address.knownHostsFile, 'utf8')).toContain(`[127.0.0.1]:${host.address.port}`);

    await stateOf(frame, /running/i);
    for (const chart of ['chart-utilization', 'chart-temperature', 'chart-power', 'chart-clocks']) {
      await frame.getByTestId(chart).locator('canvas').waitFor({ timeout: RUN_TIMEOUT_MS });
      await waitFor(async () => (await colorsOf(frame, chart)) > 8, `${chart} is drawn`, RUN_TIMEOUT_MS);
    }
    const [chartWidth, frameWidth] = await Promise.all(['canvas', '.chart-frame'].map(async (part) => (await frame.getByTestId('chart-power').locator(part).boundingBox())?.width ?? 0));
    expect(chartWidth).toBeCloseTo(frameWidth!, -1);
    await frame.getByTestId('chart-bandwidth').locator('canvas').waitFor({ timeout: RUN_TIMEOUT_MS });
    await editor.screenshot('during-dark');

    await stateOf(frame, /accepted/i);
    expect(await frame.getByTestId('verdict').locator('tbody tr').count()).toBe(18);
    expect(await frame.getByTestId('topology').locator('td.link-nv').count()).toBe(56);
    expect(await frame.getByTestId('chart-temperature').locator('.summary').innerText()).not.toBe('');
    await editor.hideSideBar();
    await editor.runCommand('Notifications: Clear All Notifications');
    await editor.screenshot('after-dark');
    await editor.setTheme('Light Modern');
    await frame.getByTestId('charts').scrollIntoViewIfNeeded();
    await editor.screenshot('after-light');
    await editor.screenshot('charts-light', editor.page.locator('iframe.webview'));
    await exportAndVerify(demo, frame);
    expect(processesWith(host.processMark)).toEqual([]);
  });
});

async function exportAndVerify({ editor, workspace, runsFolder }: DemoSetup, frame: Frame): Promise<void> {
  const name = bundleName((await listRuns(runsFolder))[0]!);
  await frame.getByTestId('export').click();
  await editor.acceptFileDialog('inference');
  await editor.page.getByText(`The evidence is in ${name}`).first().waitFor({ timeout: RUN_TIMEOUT_MS });
  const { code, stdout } = await commandLine('verify', join(workspace, name));
  expect(code, stdout).toBe(0);
}

describe.skipIf(CHROMIUM_MISSING)('a machine whose collective falls back to TCP', () => {
  const setup = useDemo({ scenario: 'tcp-fallback', theme: 'Default Light Modern' });

  it('is inconclusive, and the page says why', async () => {
    const { demo } = setup;
    pictureOnFailure(demo, 'tcp-fallback');
    const { frame } = await startRun(demo, { isNewHost: true, readsWholeCommands: true });
    await stateOf(frame, /inconclusive/i);
    expect(await frame.getByTestId('verdict-summary').innerText()).toMatch(/nvlink-busbw.*Socket/s);
    expect(await frame.getByTestId('probes').innerText()).toContain('TCP fallback');
    await demo.editor.hideSideBar();
    await demo.editor.screenshot('tcp-fallback-light');
  });
});

describe.skipIf(CHROMIUM_MISSING)('a run that does not come to its end', () => {
  const setup = useDemo({ scenario: 'hangs', speed: 8 });

  /** Until the command that never ends runs on the machine. */
  async function startHangingRun(more: { isNewHost?: boolean } = {}): Promise<{ frame: Frame; runDir: string }> {
    const { frame } = await startRun(setup.demo, more);
    await waitFor(() => processesWith(setup.demo.host.processMark).some((line) => line.includes('tools.cjs all_reduce_perf')), 'the collective runs', RUN_TIMEOUT_MS);
    return { frame, runDir: (await listRuns(setup.demo.runsFolder))[0]! };
  }

  const nothingLeft = (): Promise<void> => waitFor(() => processesWith(setup.demo.host.processMark).length === 0, 'no process is left on the machine', 30_000);

  it('is cancelled by its button', async () => {
    pictureOnFailure(setup.demo, 'cancel');
    const { frame, runDir } = await startHangingRun({ isNewHost: true });
    await frame.getByTestId('cancel').click();
    await stateOf(frame, /inconclusive/i);
    expect(await frame.locator('.verdict-bar').innerText()).toMatch(/cancelled/i);
    await nothingLeft();
    expect((await readEvents(runDir)).at(-1)).toMatchObject({ type: 'run-ended', status: 'cancelled' });
  });

  it('survives a reload of the window: the page shows what was written, and says that the run did not end', async () => {
    pictureOnFailure(setup.demo, 'reload');
    const { runDir } = await startHangingRun();
    const before = await readEvents(runDir);
    await setup.demo.editor.reload();
    const frame = await setup.demo.editor.workbenchFrame();
    await stateOf(frame, /inconclusive|interrupted/i);
    expect(await frame.locator('.verdict-bar').innerText()).toMatch(/cancelled|gone/i);
    expect(await frame.getByTestId('probes').innerText()).toContain('nvidia-smi-list');
    await nothingLeft();
    expect((await readEvents(runDir)).slice(0, before.length)).toEqual(before);
  });

  it('is called interrupted when the extension host was killed', async () => {
    pictureOnFailure(setup.demo, 'killed');
    const { runDir } = await startHangingRun();
    setup.demo.editor.killExtensionHost();
    await nothingLeft();
    await setup.demo.editor.reload();
    const frame = await setup.demo.editor.workbenchFrame();
    await stateOf(frame, /interrupted/i);
    expect((await readEvents(runDir)).some(({ type }) => type === 'run-ended')).toBe(false);
  });
});
