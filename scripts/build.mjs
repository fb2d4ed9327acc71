// Bundles the four entry points into dist/. `--watch` rebuilds, `--production` minifies, `--if-stale` skips a fresh build.
import { build, context } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  loader: { '.py': 'text', '.sh': 'text', '.css': 'text' },
};

/** ssh2's optional native parts are left out: its pure JavaScript paths are used. */
const nodeOptions = { ...common, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode', 'cpu-features', '*.node'] };

const targets = [
  { ...nodeOptions, entryPoints: { client: 'client/extension.ts' }, outdir: 'dist' },
  { ...nodeOptions, entryPoints: { server: 'server/main.ts' }, outdir: 'dist' },
  { ...nodeOptions, entryPoints: { cli: 'cli/main.ts' }, outdir: 'dist', banner: { js: '#!/usr/bin/env node' } },
  {
    ...common,
    loader: { ...common.loader, '.css': 'css' },
    entryPoints: { workbench: 'webview/main.ts' },
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
].filter((options) => Object.values(options.entryPoints).every((file) => existsSync(join(root, file))));

function newestMtimeMs(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    const mtimeMs = entry.isDirectory() ? newestMtimeMs(path) : statSync(path).mtimeMs;
    if (mtimeMs > newest) newest = mtimeMs;
  }
  return newest;
}

const stampFile = join(root, 'dist', '.built');
const sources = ['schemas', 'core', 'server', 'client', 'webview', 'cli', 'scripts'].map((name) => join(root, name));
const isFresh = () => existsSync(stampFile) && statSync(stampFile).mtimeMs > Math.max(...sources.map(newestMtimeMs));

mkdirSync(join(root, 'dist'), { recursive: true });
if (flags.has('--watch')) {
  for (const options of targets) await (await context(options)).watch();
} else if (!(flags.has('--if-stale') && isFresh())) {
  const results = await Promise.all(targets.map((options) => build(options)));
  const outputs = Object.assign({}, ...results.map((result) => result.metafile.outputs));
  writeFileSync(join(root, 'dist', 'meta.json'), JSON.stringify({ outputs }));
  cpSync(join(root, 'schemas'), join(root, 'dist', 'schemas'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
  writeFileSync(stampFile, '');
}
