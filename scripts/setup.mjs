// What `npm start` and `npm test` do before anything else. Plain Node 20: it runs before the dependencies are there.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Characters of a failed step's output that are shown. */
const SHOWN_OUTPUT = 4_000;

/** Programs that npm cannot bring: where each is looked for, and the Debian package that holds it. */
const SYSTEM_PROGRAMS = {
  chromium: { names: ['chromium', 'chromium-browser', 'google-chrome'], package: 'chromium' },
  sshd: { names: ['/usr/sbin/sshd', 'sshd'], package: 'openssh-server' },
  python3: { names: ['python3'], package: 'python3' },
  setsid: { names: ['setsid'], package: 'util-linux' },
  ps: { names: ['ps'], package: 'procps' },
};

/** Full path of the first of these programs; undefined when none is there. */
export function findProgram(names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const name of names) {
    const paths = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
    const found = paths.find(isProgram);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const demoHostProgram = join(root, 'out', 'demo-host', 'main.cjs');

export const findChromium = () => findProgram(SYSTEM_PROGRAMS.chromium.names);

/** Runs a program and says so in one line; throws with the end of its output when it fails. */
export function runStep(title, command, args, options = {}) {
  console.error(`- ${title}`);
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES, ...options });
  if (error) throw new Error(`${title}: ${error.message}`);
  if (status !== 0) throw new Error(`${title}: "${command} ${args.join(' ')}" ended with exit code ${status}.\n${`${stdout}${stderr}`.slice(-SHOWN_OUTPUT)}`);
}

/** `npm ci` when `node_modules` is older than the lock file, or is not there. */
export function installDependencies() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const isFresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
  if (!isFresh) runStep('Installing dependencies (npm ci)', npm, ['ci', '--no-audit', '--no-fund']);
}

export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

export function build() {
  runStep('Building', process.execPath, ['scripts/build.mjs', '--if-stale']);
}

/** Packages the extension anew when a file that goes into it changed; returns the path of the VSIX. */
export function packageExtension() {
  runStep('Packaging the extension', process.execPath, ['scripts/package.mjs']);
  const [newest] = readdirSync(root)
    .filter((name) => name.endsWith('.vsix'))
    .map((name) => join(root, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest === undefined) throw new Error('Packaging the extension: scripts/package.mjs left no .vsix file.');
  return newest;
}

/**
 * Installs missing system programs where this account may (root with apt-get).
 * Returns one sentence for each that is still missing.
 */
export function ensurePrograms(wanted) {
  const missing = () => wanted.filter((id) => findProgram(SYSTEM_PROGRAMS[id].names) === undefined);
  const packages = missing().map((id) => SYSTEM_PROGRAMS[id].package);
  if (packages.length > 0 && process.getuid?.() === 0 && findProgram(['apt-get'])) installPackages(packages);
  return missing().map((id) => `${id} is missing: sudo apt-get install ${SYSTEM_PROGRAMS[id].package}`);
}

function installPackages(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    runStep('Updating the list of system packages (apt-get update)', 'apt-get', ['update', '-qq'], { env });
    runStep(`Installing ${packages.join(', ')} (apt-get)`, 'apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  } catch (error) {
    console.error(error.message);
  }
}

/** Starts the demo host; resolves with its address. It ends by itself when this process is gone. */
export function startDemoHost({ scenario = 'healthy', seed = 1, speed = 1, workspace, knownHosts = 'verified' }) {
  const args = [demoHostProgram, '--root', root, '--scenario', scenario, '--seed', String(seed), '--speed', String(speed), '--known-hosts', knownHosts];
  if (workspace !== undefined) args.push('--workspace', workspace);
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('\n')) resolve({ address: JSON.parse(text), stop });
    });
    child.once('error', reject);
    ended.then((code) => reject(new Error(`The demo host ended with exit code ${code}.`)));
  });
}

/** Bundles the demo host; it builds the programs of its machine itself when it starts. */
export async function buildDemoHost() {
  const { build: bundle } = await import('esbuild');
  await bundle({
    absWorkingDir: root,
    entryPoints: ['test/demo-host/main.ts'],
    outfile: demoHostProgram,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['esbuild', 'cpu-features', '*.node'],
    logLevel: 'warning',
  });
}
