// Throughput of the nccl-debug parser on a generated log, beside the plain line splitter on the same bytes.
//   node bench/nccl-debug.bench.mjs [MEBIBYTES]     default 256; memory stays flat whatever the size
import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MEBIBYTE = 1024 * 1024;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const totalBytes = Number(process.argv[2] ?? 256) * MEBIBYTE;

const folder = mkdtempSync(join(tmpdir(), 'nccl-debug-bench-'));
const outfile = join(folder, 'bench.mjs');
buildSync({
  stdin: {
    contents: "export { probe } from './core/probes/nccl-debug'; export { createByteParser } from './core/probes/parse'; export { LineSplitter } from './core/probes/lines';",
    resolveDir: root,
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
});
const { probe, createByteParser, LineSplitter } = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true });

/** One chunk of the size that a stream delivers, of the lines that a large job logs most. */
function generateChunk() {
  const lines = [];
  let bytes = 0;
  for (let index = 0; bytes < MEBIBYTE; index++) {
    const [rank, host] = [index % 64, `node${index % 8}`];
    const head = `${host}:${41000 + rank}:${42000 + rank} [${rank % 8}] NCCL INFO `;
    const text = [
      `Channel ${index % 16}/0 : ${rank}[${rank % 8}] -> ${(rank + 8) % 64}[${rank % 8}] [send] via NET/IB/${rank % 8}/GDRDMA`,
      `Channel ${index % 16}/0 : ${rank}[${rank % 8}] -> ${(rank + 1) % 64}[${(rank + 1) % 8}] via P2P/CUMEM/read`,
      `Trees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->-1 [2] 1/-1/-1->0->-1 [3] 1/-1/-1->0->-1`,
      `AllReduce: opCount ${index.toString(16)} sendbuff 0x7f3c4a000000 recvbuff 0x7f3c5a000000 count 67108864 datatype 7 op 0 root 0 comm 0x55d0c8a0 [nranks=64] stream 0x55d0c8`,
    ][index % 4];
    const line = index % 50 === 49 ? 'step 1200 loss 2.0312 throughput 13041 tokens/s\n' : `${head}${text}\n`;
    lines.push(line);
    bytes += line.length;
  }
  return Buffer.from(lines.join(''));
}

function megabytesPerSecond(write, chunk) {
  const startedAt = performance.now();
  let bytes = 0;
  for (; bytes < totalBytes; bytes += chunk.length) write(chunk);
  return bytes / 1e6 / ((performance.now() - startedAt) / 1000);
}

const chunk = generateChunk();
let lineCount = 0;
const splitter = new LineSplitter(() => lineCount++);
const plain = megabytesPerSecond((bytes) => splitter.write(bytes), chunk);
const parser = createByteParser(probe);
const parsed = megabytesPerSecond((bytes) => parser.write(bytes), chunk);
const { outcome, measurements } = parser.end({ exitCode: 0 });
const heapMebibytes = process.memoryUsage().heapUsed / MEBIBYTE;

console.log(`line splitter  ${plain.toFixed(0)} MB/s`);
console.log(`nccl-debug     ${parsed.toFixed(0)} MB/s   ratio ${(parsed / plain).toFixed(2)}   ${outcome}, ${measurements.length} measurements, heap ${heapMebibytes.toFixed(0)} MiB`);
