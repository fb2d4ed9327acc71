import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The path of a file in another program's package, installed once into a cache folder: a yardstick and no dependency. */
export function yardstick(name, version, file) {
  const folder = join(homedir(), '.cache', 'gpu-acceptance', 'bench', `${name}-${version}`);
  const path = join(folder, 'node_modules', name, file);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${version}`], { stdio: 'inherit' });
  }
  return path;
}
