import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageExtension, root } from '../../scripts/setup.mjs';

const MAX_BYTES = 1.5e6;

describe('the packaged extension', () => {
  let path: string;
  beforeAll(() => {
    path = packageExtension();
  }, 60_000);

  it('holds these files and no other', () => {
    const listed = execFileSync(process.execPath, ['scripts/package.mjs', '--list'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    expect(listed).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'client/languages/acceptance-card.tmLanguage.json',
      'client/languages/language-configuration.json',
      'client/languages/workload-brief.tmLanguage.json',
      'client/media/brief-dark.svg',
      'client/media/brief-light.svg',
      'client/media/card-dark.svg',
      'client/media/card-light.svg',
      'client/media/icon.png',
      'client/media/workbench.svg',
      'dist/client.js',
      'dist/schemas/acceptance-card.schema.json',
      'dist/schemas/common.schema.json',
      'dist/schemas/hardware-profile.schema.json',
      'dist/schemas/probes.schema.json',
      'dist/schemas/workload-brief.schema.json',
      'dist/server.js',
      'dist/webview/workbench.css',
      'dist/webview/workbench.js',
      'docs/checks.md',
      'docs/images/charts-light.png',
      'docs/images/workbench-dark.png',
      'l10n/bundle.l10n.json',
      'package.json',
      'package.nls.json',
    ]);
  });

  it('is small', () => {
    expect(statSync(path).size).toBeLessThan(MAX_BYTES);
  });

  it('holds nothing of the demo host and no dependency folder', () => {
    const files = unzipSync(readFileSync(path));
    expect(Object.keys(files).filter((name) => /node_modules|demo-host|\.map$/.test(name))).toEqual([]);
    for (const [name, bytes] of Object.entries(files)) {
      if (name.endsWith('.js')) expect(Buffer.from(bytes).includes('GPU_DEMO_SCENARIO'), name).toBe(false);
    }
  });
});
