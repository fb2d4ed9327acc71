import { ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ScrapePlan } from '../probes/contract';
import type { ExecEnd, Transport } from '../transport/contract';

const SCRAPE_TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Repeats an HTTP GET through the connection. Every answer is written behind a comment line, so that the whole stays one
 * exposition text: `# gpu-acceptance scrape N TIME status=S bytes=B`, or `error=TEXT` for an answer that did not come.
 */
export async function runScrapes(transport: Transport, plan: ScrapePlan, write: (chunk: Uint8Array) => void, signal: AbortSignal, timeoutMs: number): Promise<ExecEnd> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  const end = (over: Partial<ExecEnd>): ExecEnd => ({ exitCode: null, remoteProcesses: 'ended', durationMs: elapsed(), ...over });
  let lost = false;
  void transport.lost.then(() => (lost = true));
  for (let index = 1; plan.count === undefined || index <= plan.count; index++) {
    if (signal.aborted) return end({ cut: 'cancelled' });
    if (lost) return end({ cut: 'connection-lost', remoteProcesses: 'unknown' });
    if (elapsed() > timeoutMs) return end({ cut: 'timeout' });
    const scrape = await scrapeOnce(transport, plan, index, signal);
    // What the end of the probe cut off says nothing about the server.
    if (signal.aborted) return end({ cut: 'cancelled' });
    write(scrape);
    const due = index * plan.intervalMs;
    if (plan.count === undefined || index < plan.count) await pause(Math.max(0, due - elapsed()), signal);
  }
  return end({ exitCode: 0 });
}

async function scrapeOnce(transport: Transport, plan: ScrapePlan, index: number, signal: AbortSignal): Promise<Buffer> {
  const time = new Date().toISOString();
  try {
    const { status, body } = await get(transport, plan, signal);
    const head = `# gpu-acceptance scrape ${index} ${time} status=${status} bytes=${body.length}\n`;
    const gap = body.length === 0 || body.at(-1) === 0x0a ? '' : '\n';
    return Buffer.concat([Buffer.from(head), body, Buffer.from(gap)]);
  } catch (error) {
    const message = (error as Error).message.replace(/\s+/g, ' ');
    return Buffer.from(`# gpu-acceptance scrape ${index} ${time} error=${message}\n`);
  }
}

async function get(transport: Transport, { host, port, path }: ScrapePlan, signal: AbortSignal): Promise<{ status: number; body: Buffer }> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(SCRAPE_TIMEOUT_MS)]);
  const connection: Duplex = await transport.openTcp(host, port, deadline);
  try {
    return await new Promise((resolve, reject) => {
      // Not `http.request`: the editor replaces that with one that opens a connection of its own, from this computer and not
      // from the machine.
      const message = new ClientRequest(
        { host, port, path, method: 'GET', headers: { Accept: 'text/plain;version=0.0.4', Connection: 'close' }, signal: deadline, createConnection: () => connection as never },
        (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > MAX_BODY_BYTES) return response.destroy(new Error('the answer is larger than 32 MiB'));
            chunks.push(chunk);
            return undefined;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
          response.on('error', reject);
          response.on('aborted', () => reject(new Error('the answer was cut')));
        },
      );
      message.on('error', (error) => reject(deadline.aborted && !signal.aborted ? new Error(`no answer within ${SCRAPE_TIMEOUT_MS} ms`) : error));
      message.end();
    });
  } finally {
    connection.destroy();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
