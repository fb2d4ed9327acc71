import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, chromium, type Frame, type Locator, type Page } from 'playwright-core';
import { findChromium, root } from '../../scripts/setup.mjs';
import { startVscode, type VscodeOptions, type VscodeServer } from '../../scripts/vscode-server.mjs';
import { processesWith, waitFor } from '../sshd/sshd';

const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** Both cores may be busy with the editor's own start. */
const READY_TIMEOUT_MS = 60_000;
const LIST_TIMEOUT_MS = 3_000;
const SCREENSHOTS = join(root, 'out', 'screenshots');

export const CHROMIUM_MISSING = findChromium() === undefined ? 'Chromium is missing: apt-get install chromium' : undefined;

export type EditorOptions = Omit<VscodeOptions, 'dataFolder'> & { workspace: string };

/** A real VS Code in a real browser, driven as a person would. */
export class Editor {
  private constructor(
    readonly server: VscodeServer,
    private readonly browser: Browser,
    readonly page: Page,
    private readonly dataFolder: string,
    private readonly workspace: string,
  ) {}

  static async start({ workspace, userSettings = {}, ...options }: EditorOptions): Promise<Editor> {
    const dataFolder = mkdtempSync(join(tmpdir(), 'gpu-acceptance-vscode-'));
    const settings = { 'workbench.startupEditor': 'none', 'chat.disableAIFeatures': true, 'security.workspace.trust.enabled': false, 'workbench.secondarySideBar.defaultVisibility': 'hidden', ...userSettings };
    const server = await startVscode({ dataFolder, userSettings: settings, ...options });
    const browser = await chromium.launch({ executablePath: findChromium()!, args: CHROMIUM_ARGUMENTS });
    const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
    return new Editor(server, browser, page, dataFolder, workspace);
  }

  /** `query` is added to the address of the workspace. */
  async open(query = ''): Promise<void> {
    await this.page.goto(`${this.server.origin}/?folder=${encodeURIComponent(this.workspace)}${query}`);
  }

  async untilReady(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: READY_TIMEOUT_MS });
    await this.page.locator('.statusbar-item').first().waitFor({ timeout: READY_TIMEOUT_MS });
  }

  /** F1, the command's title, Enter. */
  async runCommand(title: string): Promise<void> {
    // Commands of an extension come some time after the window; an open list does not learn of them.
    await waitFor(
      async () => {
        await this.page.keyboard.press('F1');
        await this.page.locator('.quick-input-widget input.input').fill(`>${title}`);
        // Enter would take whatever the list holds at that moment.
        const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
        const isThere = await row.click({ timeout: LIST_TIMEOUT_MS }).then(() => true, () => false);
        if (!isThere) await this.page.keyboard.press('Escape');
        return isThere;
      },
      `the palette has "${title}"`,
      READY_TIMEOUT_MS,
    );
    // Away from whatever would show a tip under the pointer.
    await this.page.mouse.move(0, 0);
  }

  /** Opens a file of the workspace by its name, beside whatever else is open. */
  async openFile(name: string): Promise<void> {
    if ((await this.page.locator('.tab').count()) > 0) await this.runCommand('View: Focus First Editor Group');
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
    await this.page.keyboard.press('Control+P');
    await this.page.locator('.quick-input-widget input.input').fill(name);
    await row.waitFor({ timeout: READY_TIMEOUT_MS });
    await row.click();
    // The tab comes before what it shows.
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor({ timeout: READY_TIMEOUT_MS });
    await this.page.locator(`.editor-instance[aria-label*="${name}"] .view-line`).first().waitFor({ timeout: READY_TIMEOUT_MS });
  }

  /** Selects the first place of this text in the file that is open. */
  async select(text: string): Promise<void> {
    await this.page.keyboard.press('Control+F');
    const input = this.page.locator('.find-widget.visible .find-part .input').first();
    await input.fill(text);
    await this.page.locator('.find-widget .matchesCount', { hasText: / of /i }).waitFor({ timeout: READY_TIMEOUT_MS });
    await this.page.keyboard.press('Enter');
    await this.page.keyboard.press('Escape');
    await this.page.locator('.find-widget.visible').waitFor({ state: 'hidden', timeout: READY_TIMEOUT_MS });
  }

  /** Waits for a modal dialog with this text; returns the whole text after its button was pressed. */
  async answerDialog(text: RegExp, button: string): Promise<string> {
    const dialog = this.page.locator('.monaco-dialog-box', { hasText: text });
    await dialog.waitFor({ timeout: READY_TIMEOUT_MS });
    const shown = await dialog.innerText();
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden', timeout: READY_TIMEOUT_MS });
    return shown;
  }

  /** Presses a button of a notification with this text. */
  async answerNotification(text: RegExp, button: string): Promise<void> {
    const toast = this.page.locator('.notification-toast', { hasText: text });
    await toast.getByRole('button', { name: button, exact: true }).click({ timeout: READY_TIMEOUT_MS });
    await toast.waitFor({ state: 'detached', timeout: READY_TIMEOUT_MS });
  }

  dialog(text: RegExp): Locator {
    return this.page.locator('.monaco-dialog-box', { hasText: text });
  }

  /** The page inside the workbench panel's two frames. */
  async workbenchFrame(): Promise<Frame> {
    let found: Frame | undefined;
    await waitFor(
      async () => {
        for (const frame of this.page.frames()) {
          if ((await frame.locator('main#workbench').count().catch(() => 0)) > 0) found = frame;
        }
        return found !== undefined;
      },
      'the workbench page is there',
      READY_TIMEOUT_MS,
    );
    return found!;
  }

  /** Accepts what a file dialog proposes. `entry`: what the proposed folder shows. */
  async acceptFileDialog(entry: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible');
    // Before it shows the folder, the dialog takes an answer for something else.
    await widget.locator('.monaco-list-row', { hasText: entry }).first().waitFor({ timeout: READY_TIMEOUT_MS });
    await widget.locator('input.input').press('Enter');
    await widget.waitFor({ state: 'hidden', timeout: READY_TIMEOUT_MS });
  }

  /** Names a file in a dialog that asks for one. */
  async chooseFile(path: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible');
    // Before it shows a folder, the dialog takes an answer for something else.
    await widget.locator('.monaco-list-row').first().waitFor({ timeout: READY_TIMEOUT_MS });
    await widget.locator('input.input').fill(path);
    await widget.locator('.monaco-list-row', { hasText: basename(path) }).first().waitFor({ timeout: READY_TIMEOUT_MS });
    await widget.locator('input.input').press('Enter');
    await widget.waitFor({ state: 'hidden', timeout: READY_TIMEOUT_MS });
  }

  async setTheme(title: string): Promise<void> {
    await this.runCommand('Preferences: Color Theme');
    await this.page.locator('.quick-input-widget input.input').fill(title);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click({ timeout: READY_TIMEOUT_MS });
    await this.page.locator('.monaco-workbench.vs').waitFor({ timeout: READY_TIMEOUT_MS });
    await this.page.mouse.move(0, 0);
  }

  async hideSideBar(): Promise<void> {
    await this.runCommand('View: Toggle Primary Side Bar Visibility');
    await this.page.locator('.part.sidebar').waitFor({ state: 'hidden', timeout: READY_TIMEOUT_MS });
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.untilReady();
  }

  /** As the system does when memory runs out: no handler of the extension gets to run. */
  killExtensionHost(): void {
    const hosts = processesWith('--type=extensionHost')
      .map((line) => Number.parseInt(line, 10))
      .filter((pid) => isInGroup(pid, this.server.pid));
    if (hosts.length === 0) throw new Error('This VS Code has no extension host.');
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
  }

  /** A picture of the whole window, or of one part of it. */
  async screenshot(name: string, part: Pick<Page | Locator, 'screenshot'> = this.page): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await part.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  async dispose(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    rmSync(this.dataFolder, { recursive: true, force: true });
  }
}

/** proc(5): the fifth word of `stat` is the process group; the second, a name in brackets, may hold blanks. */
function isInGroup(pid: number, group: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group;
}
