import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { waitFor } from '../sshd/sshd';
import { vsix } from './demo-workspace';
import { CHROMIUM_MISSING, Editor } from './editor';

const CARD = 'support-chat.acceptance.yaml';
const SHOWN_TIMEOUT_MS = 30_000;
const MENU_TIMEOUT_MS = 3_000;

describe.skipIf(CHROMIUM_MISSING)('a card under the keyboard', () => {
  let workspace: string;
  let editor: Editor;
  beforeAll(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'gpu-acceptance-editing-'));
    cpSync(join(root, 'examples'), workspace, { recursive: true });
    editor = await Editor.start({ workspace, vsix: vsix(), userSettings: { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'off' } });
    await editor.open();
    await editor.untilReady();
    await editor.openFile(CARD);
  });
  afterAll(async () => {
    await editor.dispose();
    rmSync(workspace, { recursive: true, force: true });
  });

  const part = (selector: string) => editor.page.locator(selector).first();
  const saved = (): string => readFileSync(join(workspace, 'inference', CARD), 'utf8');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await editor.page.keyboard.press(key);
  };
  const untilSavedAs = async (text: string): Promise<void> => {
    await press('Control+S');
    await waitFor(() => saved() === text, 'the card is saved as it was', SHOWN_TIMEOUT_MS);
  };

  it('underlines a mistake, explains it, and corrects it with a quick fix', async () => {
    onTestFailed(() => editor.screenshot('failed-quick-fix'));
    const whole = saved();
    await part('.view-line').click();
    await press('Control+Home', 'End');
    await editor.page.keyboard.type('s');
    await part('.squiggly-error').waitFor({ timeout: SHOWN_TIMEOUT_MS });
    // Soon after the start the editor may not know yet who offers fixes: a person presses again.
    await waitFor(
      async () => {
        await press('Control+.');
        return part('.action-widget').waitFor({ timeout: MENU_TIMEOUT_MS }).then(() => true, () => false);
      },
      'the menu of fixes is shown',
      SHOWN_TIMEOUT_MS,
    );
    await editor.screenshot('editing-quick-fix');
    await part('.action-widget .monaco-list-row.action').click();
    await part('.squiggly-error').waitFor({ state: 'detached', timeout: SHOWN_TIMEOUT_MS });
    await untilSavedAs(whole);
  });

  it('offers the metrics of the probes, with their units, and writes the chosen one', async () => {
    onTestFailed(() => editor.screenshot('failed-completion'));
    const whole = saved();
    await editor.select('metric: gpu.count');
    await press('End', 'Shift+Home');
    await editor.page.keyboard.type('metric: ');
    await press('Control+Space');
    await part('.suggest-widget .monaco-list-row').waitFor({ timeout: SHOWN_TIMEOUT_MS });
    await editor.page.keyboard.type('gpu.cou');
    const row = editor.page.locator('.suggest-widget .monaco-list-row', { hasText: 'gpu.count' }).first();
    await row.waitFor({ timeout: SHOWN_TIMEOUT_MS });
    await editor.screenshot('editing-completion');
    await row.click();
    await untilSavedAs(whole);
  });

  it('says in a hover what a metric measures', async () => {
    onTestFailed(() => editor.screenshot('failed-hover'));
    await editor.select('nccl.busbw');
    await press('Control+K', 'Control+I');
    const hover = part('.monaco-hover-content');
    await hover.waitFor({ timeout: SHOWN_TIMEOUT_MS });
    await editor.screenshot('editing-hover');
    expect(await hover.innerText()).toMatch(/GB\/s/);
  });
});
