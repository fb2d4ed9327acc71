import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { exportBundle } from '../../core/evidence/bundle';
import { listOf } from '../../core/probes/nvidia-smi/testing/fixtures';
import { runCard } from '../../core/run/run-card';
import { ScriptedMachine } from '../../core/run/testing/scripted-machine';
import { waitFor } from '../sshd/sshd';
import { vsix } from './demo-workspace';
import { CHROMIUM_MISSING, Editor } from './editor';

const SHOWN_TIMEOUT_MS = 30_000;
const CARD = `kind: AcceptanceCard
schemaVersion: 1
name: four-gpus
targets:
  - { name: rack-a, host: rack-a.example.com, user: root }
  - { name: rack-b, host: rack-b.example.com, user: root }
stages:
  environment-smoke:
    probes: [{ id: nvidia-smi-list }]
    criteria:
      - { id: gpus, metric: gpu.count, comparator: "==", value: 4 }
`;

/** A run of the card in the workspace, as if it had been made there before. */
async function keepRun(workspace: string, target: string, gpus: number): Promise<string> {
  const hooks = { approveHost: async () => true, consent: async () => ({ readOnly: true, invasive: false }), acceptFirstSeenKey: async () => false, onEvent: () => undefined };
  const request = { cardPath: 'four.acceptance.yaml', cardText: CARD, target, outDir: join(workspace, '.gpu-acceptance', 'runs'), by: 'cli' as const, toolVersion: '0.0.0' };
  const { runDir } = await runCard(request, hooks, { connect: async () => new ScriptedMachine({ 'nvidia-smi -L': { stdout: `${listOf(gpus)}\n` } }) });
  return runDir;
}

describe.skipIf(CHROMIUM_MISSING)('runs of one card on two machines', () => {
  let workspace: string;
  let editor: Editor;
  beforeAll(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'gpu-acceptance-evidence-'));
    writeFileSync(join(workspace, 'four.acceptance.yaml'), CARD);
    await exportBundle(await keepRun(workspace, 'rack-a', 4), join(workspace, 'acceptance-rack-a.zip'));
    await keepRun(workspace, 'rack-b', 3);
    editor = await Editor.start({ workspace, vsix: vsix(), userSettings: { 'workbench.colorTheme': 'Default Dark Modern' } });
    await editor.open();
    await editor.untilReady();
  });
  afterAll(async () => {
    await editor.dispose();
    rmSync(workspace, { recursive: true, force: true });
  });

  async function comparisonFrame(): Promise<Frame> {
    const find = async (): Promise<Frame | undefined> => {
      for (const frame of editor.page.frames()) {
        if ((await frame.getByText('GPU acceptance comparison').count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    };
    await waitFor(async () => (await find()) !== undefined, 'the comparison is shown', SHOWN_TIMEOUT_MS);
    return (await find())!;
  }

  it('are compared side by side, in the colours of the editor', async () => {
    onTestFailed(() => editor.screenshot('failed-comparison'));
    await editor.runCommand('GPU Acceptance: Compare Runs');
    const choices = editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'four-gpus' });
    await choices.nth(1).waitFor({ timeout: SHOWN_TIMEOUT_MS });
    for (const index of [0, 1]) await choices.nth(index).click();
    await editor.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();

    const frame = await comparisonFrame();
    const row = frame.locator('tr', { hasText: 'gpus' }).filter({ hasText: '= 4' });
    expect((await row.locator('td').allInnerTexts()).map((cell) => cell.replace(/\s+/g, ' ').trim())).toEqual(['= 4', '✓ pass 4', '✗ fail 3 3 is not = 4.', '25.0 %']);
    expect(await frame.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(22, 25, 29)');
    await editor.screenshot('comparison-dark');
  });

  it('come as bundles that are verified step by step', async () => {
    onTestFailed(() => editor.screenshot('failed-verification'));
    await editor.runCommand('GPU Acceptance: Verify Evidence Bundle');
    await editor.chooseFile(join(workspace, 'acceptance-rack-a.zip'));
    const dialog = editor.dialog(/acceptance-rack-a\.zip is verified: accepted\./);
    await dialog.waitFor({ timeout: SHOWN_TIMEOUT_MS });
    const said = await dialog.innerText();
    for (const step of ['container', 'manifests', 'log', 'plan', 'documents', 'raw files', 'host', 'parsing', 'verdict']) expect(said).toContain(`✓ ${step}: `);
    expect(said).toContain('- who made the bundle');
    await editor.screenshot('verification-dark');
    await editor.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden', timeout: SHOWN_TIMEOUT_MS });
  });
});
