import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium, root } from '../../scripts/setup.mjs';
import type { HostMessage, PageMessage } from '../../core/messages/workbench';
import { THEMES, type ThemeName } from './themes';

const BUNDLE = join(root, 'out', 'webview-test');
const SCREENSHOTS = join(root, 'out', 'screenshots');
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** As in the editor: nothing but our own script and style sheet. The nonce is as good as any here. */
const POLICY = "default-src 'none'; script-src 'nonce-test'; style-src 'nonce-test'; img-src data:";

export const CHROMIUM_MISSING = findChromium() === undefined;

/** One browser for all pages of a test file. */
export async function launchBrowser(): Promise<Browser> {
  buildSync({ absWorkingDir: root, entryPoints: { workbench: 'webview/main.ts' }, bundle: true, outdir: BUNDLE, platform: 'browser', format: 'iife', target: 'es2022', logLevel: 'warning' });
  return chromium.launch({ executablePath: findChromium()!, args: ARGUMENTS });
}

export interface PageOptions {
  theme?: ThemeName;
  width?: number;
  height?: number;
  /** What the page had kept before it was hidden. */
  saved?: unknown;
}

export interface AxeViolation {
  id: string;
  /** Source of the elements. */
  nodes: string[];
}

/** The workbench page alone in a browser, with a stand-in for the editor around it. */
export class WorkbenchPage {
  private constructor(
    readonly page: Page,
    /** Errors of the page's own code, and what its policy has blocked. */
    readonly errors: string[],
  ) {}

  static async open(browser: Browser, { theme = 'dark', width = 1000, height = 1100, saved }: PageOptions = {}): Promise<WorkbenchPage> {
    const page = await browser.newPage({ viewport: { width, height } });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const workbench = new WorkbenchPage(page, errors);
    await page.setContent(frameOf(theme, saved));
    return workbench;
  }

  async send(...messages: HostMessage[]): Promise<void> {
    for (const message of messages) await this.page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  }

  /** What the page has said to the editor. */
  sent(): Promise<PageMessage[]> {
    return this.page.evaluate('window.sent');
  }

  async setTheme(theme: ThemeName): Promise<void> {
    const { bodyClass, css } = THEMES[theme];
    await this.page.evaluate(`document.getElementById('theme').textContent = ${JSON.stringify(css)}; document.body.className = ${JSON.stringify(bodyClass)};`);
  }

  /** Accessibility faults by the rules of axe-core. */
  async faults(): Promise<AxeViolation[]> {
    await this.page.evaluate(readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
    return this.page.evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))");
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `page-${name}.png`), fullPage: true });
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

function frameOf(theme: ThemeName, saved: unknown): string {
  const { bodyClass, css } = THEMES[theme];
  const stub = `window.sent=[];window.acquireVsCodeApi=()=>({postMessage:(m)=>window.sent.push(m),getState:()=>window.savedState,setState:(s)=>{window.savedState=s}});window.savedState=${JSON.stringify(saved) ?? 'undefined'}`;
  const bundled = (name: string): string => readFileSync(join(BUNDLE, name), 'utf8');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Workbench</title>
<style nonce="test" id="theme">${css}</style><style nonce="test">${bundled('workbench.css')}</style></head>
<body class="${bodyClass}"><main id="workbench"></main><script nonce="test">${stub}</script><script nonce="test">${bundled('workbench.js').replaceAll('</script', '<\\/script')}</script></body></html>`;
}
