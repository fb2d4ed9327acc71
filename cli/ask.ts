import { createInterface } from 'node:readline/promises';

/** From the environment, or from whoever sits at the terminal. */
export const askPassphrase = async (file: string): Promise<string | undefined> => process.env['GPU_ACCEPTANCE_PASSPHRASE'] ?? askHidden(`Passphrase for ${file}: `);

/** Undefined without a terminal: a script must give the secret by environment. */
export async function askHidden(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const prompt = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  // A terminal that is read key by key sends no signal by itself.
  prompt.once('SIGINT', () => {
    process.emit('SIGINT');
    prompt.close();
  });
  const asking = prompt.question(question);
  // What is typed is not shown.
  (prompt as unknown as { _writeToOutput(text: string): void })._writeToOutput = () => undefined;
  // The end of the input is no answer, but it must not leave the question open.
  const closed = new Promise<undefined>((resolve) => prompt.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([asking, closed]);
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
