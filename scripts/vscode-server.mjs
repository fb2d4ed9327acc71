// A real VS Code without a download of an editor: the npm package code-server carries the whole server and web workbench.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm, runStep } from './setup.mjs';

const CODE_SERVER = '4.139.1';
/** Runs the server, whatever Node runs this. */
const NODE = { package: `node-${process.platform}-${process.arch}`, range: '24' };
const START_TIMEOUT_MS = 60_000;

const cacheFolder = () => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gpu-acceptance');

/** Paths of the server and of the Node that runs it. The first call installs about 800 MB into the user's cache folder. */
export function vscodeServer() {
  const folder = join(cacheFolder(), `vscode-${CODE_SERVER}`);
  if (!existsSync(folder)) install(folder);
  const modules = join(folder, 'node_modules');
  return { main: join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'), node: join(modules, NODE.package, 'bin', 'node') };
}

/** Into a folder beside the final one, so that an install that was cut is never taken for a whole one. */
function install(folder) {
  mkdirSync(cacheFolder(), { recursive: true });
  const partial = mkdtempSync(`${folder}.partial-`);
  try {
    writeFileSync(join(partial, 'package.json'), '{ "private": true }\n');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    runStep(`Installing VS Code (code-server ${CODE_SERVER}) into ${folder}`, npm, ['install', ...quiet, `code-server@${CODE_SERVER}`, `${NODE.package}@${NODE.range}`], { cwd: partial });
    const vscode = join(partial, 'node_modules', 'code-server', 'lib', 'vscode');
    runStep("Installing VS Code's own packages", npm, ['install', '--omit=dev', ...quiet], { cwd: vscode });
    symlinkSync('node_modules', join(vscode, 'node_modules.asar'));
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Starts a VS Code server of its own on loopback: fresh data, only the given extension.
 * `token`: what the address must carry; without one anybody on this machine could use the editor.
 */
export async function startVscode({ dataFolder, vsix, userSettings = {}, machineSettings = {}, token, flags = [] }) {
  const { main, node } = vscodeServer();
  const places = ['--server-data-dir', dataFolder, '--extensions-dir', join(dataFolder, 'extensions'), '--accept-server-license-terms'];
  writeSettings(join(dataFolder, 'data', 'User'), userSettings);
  writeSettings(join(dataFolder, 'data', 'Machine'), machineSettings);
  if (vsix !== undefined) runStep('Installing the extension', node, [main, '--install-extension', vsix, ...places]);
  const port = await freePort();
  const access = token === undefined ? ['--without-connection-token'] : ['--connection-token', token];
  const child = spawnWithLifeline(node, [main, '--host', '127.0.0.1', '--port', String(port), '--telemetry-level', 'off', ...access, ...places, ...flags]);
  await untilListening(child);
  return { port, origin: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => endGroup(child) };
}

export function writeSettings(folder, settings) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}

function untilListening(child) {
  let said = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`VS Code did not start within ${START_TIMEOUT_MS} ms.\n${said}`)), START_TIMEOUT_MS);
    const read = (chunk) => {
      if (timer.hasRef()) said = (said + chunk).slice(-4000);
      if (!said.includes('Extension host agent listening')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => reject(new Error(`VS Code ended with exit code ${code}.\n${said}`)));
  });
}

/** As a process group of its own that ends when its standard input does: however this process ends, nothing is left. */
function spawnWithLifeline(command, args) {
  const script = 'exec 3<&0; (trap "" TERM; read -r _ <&3; kill -TERM 0; sleep 1; kill -KILL 0) & "$@" </dev/null 3<&-';
  return spawn('sh', ['-c', script, 'lifeline', command, ...args], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
}

/** The server and everything that it started: extension hosts, file watchers, terminals. */
async function endGroup(child) {
  child.stdin.end();
  while (isGroupAlive(child.pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}

function isGroupAlive(pid) {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
