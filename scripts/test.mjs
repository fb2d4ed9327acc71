// `npm test`: sets everything up, runs every part, and ends with one line that counts.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, ensurePrograms, installDependencies, npm, root } from './setup.mjs';

const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';
/** Everything that the parts write outside the repository goes here, and is gone afterwards. */
const temporary = mkdtempSync(join(tmpdir(), 'gpu-test-'));
const vitest = (config, ...filters) => ({ config, filters });

const PARTS = [
  { name: 'types', command: [npm, 'run', '--silent', 'typecheck'] },
  { name: 'lint', command: [npm, 'run', '--silent', 'lint'] },
  { name: 'generated files', command: [process.execPath, 'scripts/generate.mjs', '--check'] },
  { name: 'unit', ...vitest('vitest.config.mjs') },
  { name: 'language server', ...vitest('test/language-server/vitest.config.mjs') },
  { name: 'command line and scenarios', ...vitest('test/cli/vitest.config.mjs'), programs: ['setsid', 'python3', 'ps'] },
  { name: 'real sshd', ...vitest('test/sshd/vitest.config.mjs'), programs: ['sshd', 'setsid', 'python3', 'ps'] },
  { name: 'package', ...vitest('test/package/vitest.config.mjs') },
  { name: 'workbench page', ...vitest('test/webview/vitest.config.mjs'), programs: ['chromium'] },
  { name: 'in the extension host', ...vitest('test/vscode/vitest.config.mjs', 'extension-host'), programs: ['chromium', 'ps'], needsEditor: true },
  { name: 'as a user', ...vitest('test/vscode/vitest.config.mjs', 'as-a-user'), programs: ['chromium', 'setsid', 'python3', 'ps'], needsEditor: true },
  { name: 'nothing left behind', check: leftBehind },
];

async function main() {
  installDependencies();
  build();
  const results = [];
  for (const part of selected()) {
    console.log(`\n=== ${part.name} ===`);
    const startedAt = Date.now();
    const result = await runPart(part).catch((error) => ({ passed: 0, failed: 1, skipped: 0, note: error.message }));
    results.push({ name: part.name, seconds: (Date.now() - startedAt) / 1000, ...result });
  }
  report(results);
}

/** Names of parts on the command line choose; none means all. */
function selected() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". Parts: ${PARTS.map(({ name }) => name).join(', ')}.`);
  return wanted.length === 0 ? PARTS : PARTS.filter(({ name }) => wanted.includes(name));
}

async function runPart(part) {
  const obstacle = await prepare(part);
  if (obstacle !== undefined) return notRun(obstacle);
  if (part.check) return counted(part.check());
  if (part.command) return counted((await run(part.command)) === 0 ? [] : ['see above']);
  return runVitest(part);
}

/** Undefined when the part can run; otherwise what is missing and how to get it. */
async function prepare({ programs = [], needsEditor }) {
  const missing = ensurePrograms(programs);
  if (missing.length > 0) return missing.join('; ');
  if (!needsEditor) return undefined;
  const { vscodeServer } = await import('./vscode-server.mjs');
  try {
    vscodeServer();
    return undefined;
  } catch (error) {
    return `VS Code could not be installed from the npm registry: ${error.message}`;
  }
}

/** A part that could not run proves nothing: where everything must be there, that is a failure. */
const notRun = (note) => ({ passed: 0, failed: isCi ? 1 : 0, skipped: isCi ? 0 : 1, note: `not run: ${note}` });
const counted = (problems) => ({ passed: problems.length === 0 ? 1 : 0, failed: problems.length === 0 ? 0 : 1, skipped: 0, note: problems.join('; ') });

async function runVitest({ name, config, filters }) {
  const outputFile = join(temporary, `${name.replaceAll(' ', '-')}.json`);
  const code = await run([process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`, ...filters]);
  if (!existsSync(outputFile)) return counted([`no result, exit code ${code}`]);
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(outputFile, 'utf8'));
  // A file that could not be loaded has no test that could fail.
  const failed = code === 0 ? numFailedTests : Math.max(1, numFailedTests);
  return { passed, failed, skipped: numPendingTests + numTodoTests, note: '' };
}

function run([command, ...args]) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, TMPDIR: temporary } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/** Folders that a test did not remove, and processes whose command line names such a folder. */
function leftBehind() {
  const folders = readdirSync(temporary).filter((name) => name.startsWith('gpu-'));
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid) : [];
  const processes = pids.filter((pid) => commandLineOf(pid).includes(temporary));
  return [...folders.map((name) => `folder ${name}`), ...processes.map((pid) => `process ${pid}: ${commandLineOf(pid).slice(0, 200)}`)];
}

function commandLineOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function report(results) {
  console.log('');
  for (const { name, passed, failed, skipped, seconds, note } of results) {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    console.log(`${name.padEnd(28)}${counts.padEnd(36)}${seconds.toFixed(0).padStart(4)} s  ${note}`.trimEnd());
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const skipped = total('skipped');
  console.log(`\n${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = total('failed') > 0 ? 1 : 0;
}

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
