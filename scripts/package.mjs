// Makes the VSIX: a minified build, then vsce. Only what `.vscodeignore` lets through goes in, and no dependency folder.
// Relative links stay as they are: there is no public repository that they could lead to.
import { createVSIX, listFiles } from '@vscode/vsce';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_BYTES = 1.5e6;

if (process.argv.includes('--list')) {
  console.log((await listFiles({ cwd: root, dependencies: false })).sort().join('\n'));
} else {
  execFileSync(process.execPath, ['scripts/build.mjs', '--production'], { cwd: root, stdio: 'inherit' });
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = join(root, `${name}-${version}.vsix`);
  await createVSIX({ cwd: root, packagePath: file, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes; at most ${MAX_BYTES} are allowed.`);
}
