import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, it } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { CHROMIUM_MISSING, Editor } from './editor';
import type { TestResult } from './in-host/run';

const TIMEOUT_MS = 180_000;

/** Lets the editor's own test driver run the tests of `in-host/`, and collects what they say. */
async function runInExtensionHost(): Promise<TestResult[]> {
  const outfile = join(root, 'out', 'in-host', 'run.cjs');
  buildSync({ entryPoints: [join(import.meta.dirname, 'in-host', 'run.ts')], outfile, bundle: true, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'], logLevel: 'warning' });
  const workspace = mkdtempSync(join(tmpdir(), 'gpu-acceptance-in-host-'));
  cpSync(join(root, 'examples'), workspace, { recursive: true });
  const editor = await Editor.start({ workspace, flags: ['--enable-smoke-test-driver'] });
  try {
    return await collect(editor, outfile);
  } finally {
    await editor.dispose();
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function collect(editor: Editor, testsPath: string): Promise<TestResult[]> {
  const results: TestResult[] = [];
  await editor.page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    const line = String(args[0]);
    if (line.startsWith('test-result ')) results.push(JSON.parse(line.slice('test-result '.length)) as TestResult);
  });
  const ended = new Promise<number>((resolve, reject) => {
    setTimeout(() => reject(new Error(`The tests in the extension host did not end within ${TIMEOUT_MS} ms.`)), TIMEOUT_MS).unref();
    void editor.page.exposeFunction('codeAutomationExit', resolve).catch(reject);
  });
  const remote = (path: string): string => `vscode-remote://127.0.0.1:${editor.server.port}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(root)],
    ['extensionTestsPath', remote(testsPath)],
  ];
  await editor.open(`&payload=${encodeURIComponent(JSON.stringify(payload))}`);
  const code = await ended;
  if (code !== 0) results.push({ name: 'the test run', error: `The extension host ended its test run with code ${code}.` });
  return results;
}

// The tests are known only after they ran: each result becomes a test of its own here.
const results = CHROMIUM_MISSING ? [] : await runInExtensionHost();

describe.skipIf(CHROMIUM_MISSING)('inside the extension host', () => {
  it('ran', ({ expect }) => expect(results.length).toBeGreaterThan(0));
  it.each(results)('$name', ({ error }) => {
    if (error !== undefined) throw new Error(error);
  });
});
