// Our language server beside yaml-language-server with the same schema, in one run: first diagnostics, diagnostics after a key, memory.
// node bench/language-server.bench.mjs [--runs N]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { yardstick } from './yardstick.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = createRequire(import.meta.url)('vscode-jsonrpc/node');
const RUNS = Number(process.argv[process.argv.indexOf('--runs') + 1] || 7) || 7;
const KEYS = 200;
const KEYS_IN_LARGE = 20;

const schema = join(root, 'dist/schemas/acceptance-card.schema.json');
const servers = {
  'gpu-acceptance': { file: join(root, 'dist/server.js'), settings: {} },
  'yaml-language-server': { file: yardstick('yaml-language-server', '1.25.0', 'bin/yaml-language-server'), settings: { yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false }, schemas: { [pathToFileURL(schema).href]: '*.acceptance.yaml' } } } },
};

/** A card with as many lines as wanted: the example's criteria again under other names. */
function cardOf(lines) {
  const text = readFileSync(join(root, 'examples/inference/support-chat.acceptance.yaml'), 'utf8');
  const marker = '\nrestoreTest:';
  const [head, tail] = [text.slice(0, text.indexOf(marker)), text.slice(text.indexOf(marker))];
  let middle = '';
  for (let index = 0; (head + middle + tail).split('\n').length < lines; index++) {
    middle += `\n      - id: more-${index}\n        probe: collective\n        metric: nccl.busbw\n        labels: { collective: all_reduce, sizeBytes: "${2 ** 23 * (index + 1)}", place: out }\n        comparator: ">="\n        value: 120 GB/s\n        context: { fabric: NVLink, ranks: 8, nodes: 1, collective: all_reduce }\n        source: { kind: own-measurement, reference: run ${index}, date: 2026-11-20 }`;
  }
  return head + middle + tail;
}

async function start({ file, settings }) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [file, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const waiting = [];
  connection.onNotification('textDocument/publishDiagnostics', (params) => waiting.splice(0).forEach((resume) => resume(params)));
  connection.onRequest('workspace/configuration', ({ items }) => items.map(({ section }) => settings[section] ?? {}));
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities: { workspace: { configuration: true } } });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('workspace/didChangeConfiguration', { settings });
  const diagnostics = (fits) =>
    new Promise((resolve) => {
      const next = (params) => (fits(params) ? resolve(params) : waiting.push(next));
      waiting.push(next);
    });
  return { child, connection, diagnostics, startedAt, stop: () => { connection.dispose(); child.kill(); } };
}

const uri = 'file:///bench/card.acceptance.yaml';
const BROKEN = (text) => text.replace('comparator: ">="', 'comparatr: ">="');

async function measure(server, lines, keys) {
  const text = BROKEN(cardOf(lines));
  const session = await start(server);
  const first = session.diagnostics(({ diagnostics }) => diagnostics.length > 0);
  await session.connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'acceptance-card', version: 1, text } });
  await first;
  const firstMs = performance.now() - session.startedAt;
  const keyMs = [];
  for (let key = 0; key < keys; key++) {
    const startedAt = performance.now();
    const answer = session.diagnostics(({ diagnostics }) => diagnostics.length > 0);
    await session.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version: key + 2 }, contentChanges: [{ text: text.replace('name: support-chat', `name: support-chat${'x'.repeat(key + 1)}`) }] });
    await answer;
    keyMs.push(performance.now() - startedAt);
  }
  const rssMiB = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${session.child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  session.stop();
  return { firstMs, keyMs, rssMiB };
}

const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];

const results = {};
for (const [name, server] of Object.entries(servers)) {
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await measure(server, 300, run === 0 ? KEYS : 0));
  const large = [];
  for (const lines of [1000, 5000]) large.push(await measure(server, lines, KEYS_IN_LARGE));
  results[name] = {
    firstMs: quantile(runs.map(({ firstMs }) => firstMs), 0.5),
    keyP95Ms: quantile(runs[0].keyMs, 0.95),
    rssMiB: quantile(runs.map(({ rssMiB }) => rssMiB), 0.5),
    key1000Ms: quantile(large[0].keyMs, 0.5),
    key5000Ms: quantile(large[1].keyMs, 0.5),
  };
}
const [ours, theirs] = Object.values(results);
const rows = [
  ['first diagnostics after spawn, median (ms)', 'firstMs'],
  ['diagnostics after a key, 300 lines, p95 (ms)', 'keyP95Ms'],
  ['diagnostics after a key, 1,000 lines, median (ms)', 'key1000Ms'],
  ['diagnostics after a key, 5,000 lines, median (ms)', 'key5000Ms'],
  ['peak memory (MiB)', 'rssMiB'],
];
console.log('| | gpu-acceptance | yaml-language-server 1.25.0 | ratio |\n| --- | ---: | ---: | ---: |');
for (const [title, key] of rows) console.log(`| ${title} | ${ours[key].toFixed(0)} | ${theirs[key].toFixed(0)} | ${(ours[key] / theirs[key]).toFixed(2)} |`);
