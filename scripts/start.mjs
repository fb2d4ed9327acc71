// `npm start`: the demo GPU host and a real VS Code with the extension, on the examples. `--headless`: the same card in the terminal.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, buildDemoHost, ensurePrograms, findProgram, installDependencies, packageExtension, root, runStep, startDemoHost } from './setup.mjs';

const COULD_NOT_RUN = 2;
const RUNS = join(root, '.gpu-acceptance', 'runs');
const WORKSPACE = join(root, '.gpu-acceptance', 'demo-workspace');

const USAGE = `npm start -- [--headless] [--scenario NAME] [--seed N] [--speed N]
  --headless   run the example card in the terminal; the exit code is the verdict's: 0 accepted, 1 rejected, 3 inconclusive
  --scenario   what is wrong with the demo machine (default: healthy)
  --seed       other numbers for the same scenario (default: 1)
  --speed      the demo machine's tools answer this many times faster (default: 1)`;

/** What has to be ended, newest first, however this ends. */
const cleanups = [];

async function main() {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  await prepare();
  return options.headless ? runHeadless(options) : openEditor(options);
}

function readOptions() {
  try {
    const text = { type: 'string' };
    return parseArgs({ options: { headless: { type: 'boolean' }, scenario: text, seed: text, speed: text, help: { type: 'boolean' } } }).values;
  } catch (error) {
    throw new Error(`${error.message}\n${USAGE}`);
  }
}

async function prepare() {
  installDependencies();
  const missing = ensurePrograms(['setsid', 'python3']);
  if (missing.length > 0) throw new Error(`The demo host needs programs that are not here.\n${missing.join('\n')}`);
  build();
  await buildDemoHost();
}

async function startHost({ scenario, seed, speed }, more) {
  const host = await startDemoHost({ scenario, seed, speed, ...more });
  cleanups.push(host.stop);
  return host.address;
}

async function runHeadless(options) {
  const workspace = temporaryFolder('workspace');
  const address = await startHost(options, { workspace });
  const access = ['--yes', '--allow-invasive', '--known-hosts', address.knownHostsFile];
  const { code, stdout } = await runCommandLine(['run', address.inferenceCard, ...access, '--out', RUNS]);
  process.stdout.write(stdout);
  const runDir = /^Evidence: (.+)$/m.exec(stdout)?.[1];
  if (runDir !== undefined) {
    const report = join(runDir, 'report.html');
    await runCommandLine(['report', runDir, '--to', report]);
    process.stdout.write(`HTML:     ${report}\n`);
  }
  process.exitCode = code ?? COULD_NOT_RUN;
}

/** A Ctrl-C reaches the command line as well, which cancels its run in order; this waits for it. */
function runCommandLine(args) {
  const child = spawn(process.execPath, ['dist/cli.js', ...args], { cwd: root, stdio: ['inherit', 'pipe', 'inherit'] });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout }));
  });
}

async function openEditor(options) {
  const vsix = packageExtension();
  // The key is not on record: the editor asks, as it does for any new machine.
  const address = await startHost(options, { workspace: WORKSPACE, knownHosts: 'empty' });
  const settings = { 'gpuAcceptance.knownHostsFiles': [address.knownHostsFile] };
  const interrupted = new Promise((resolve) => ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => process.once(signal, resolve)));
  const code = desktopEditor();
  const editor = code === undefined ? await openServer({ vsix, settings }) : await openDesktop({ code, vsix, settings });
  console.log(`
Demo GPU host: ${address.user}@${address.host}:${address.port}, scenario ${options.scenario ?? 'healthy'}
Its host key:  ${address.fingerprint}
Workspace:     ${WORKSPACE}
Run a card:    F1, "GPU Acceptance: Run Acceptance Card"
Ctrl-C ends all of it.

Open ${editor.where}
`);
  await Promise.race([interrupted, editor.closed]);
}

/** A window can only open where there is a display. */
function desktopEditor() {
  const hasDisplay = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  return hasDisplay ? findProgram(['code']) : undefined;
}

async function openServer({ vsix, settings }) {
  const { startVscode } = await import('./vscode-server.mjs');
  const token = randomBytes(16).toString('hex');
  const userSettings = { 'workbench.startupEditor': 'none', 'chat.disableAIFeatures': true };
  const server = await startVscode({ dataFolder: temporaryFolder('vscode'), vsix, userSettings, machineSettings: settings, token });
  cleanups.push(server.stop);
  return { where: `${server.origin}/?tkn=${token}&folder=${encodeURIComponent(WORKSPACE)}`, closed: new Promise(() => undefined) };
}

/** Data and extensions of its own: the user's editor stays as it is. */
async function openDesktop({ code, vsix, settings }) {
  const data = temporaryFolder('vscode');
  const { writeSettings } = await import('./vscode-server.mjs');
  writeSettings(join(data, 'User'), settings);
  const places = ['--user-data-dir', data, '--extensions-dir', join(data, 'extensions')];
  runStep('Installing the extension', code, [...places, '--install-extension', vsix]);
  const child = spawn(code, [...places, '--new-window', '--wait', WORKSPACE], { stdio: 'inherit' });
  cleanups.push(() => child.kill());
  return { where: `vscode://file${WORKSPACE} (the window that opens now)`, closed: new Promise((resolve) => child.once('exit', resolve)) };
}

function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `gpu-acceptance-${name}-`));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = COULD_NOT_RUN;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}
process.exit();
