import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoHostAddress } from './host';

/** Copies the examples and points their `demo` target at a running demo host. */
export function writeDemoWorkspace(root: string, folder: string, { port, user, identityFile, checkpoints }: Pick<DemoHostAddress, 'port' | 'user' | 'identityFile' | 'checkpoints'>): { inferenceCard: string; trainingCard: string } {
  cpSync(join(root, 'examples'), folder, { recursive: true });
  const cards = { inferenceCard: join(folder, 'inference', 'support-chat.acceptance.yaml'), trainingCard: join(folder, 'training', 'lora-8b.acceptance.yaml') };
  for (const card of Object.values(cards)) {
    const text = readFileSync(card, 'utf8')
      .replace('port: 2222', `port: ${port}`)
      .replace('user: demo', `user: ${user}`)
      .replace('identityFile: .demo/id_ed25519', `identityFile: ${identityFile}`)
      .replace('directory: /mnt/checkpoints', `directory: ${checkpoints}`);
    writeFileSync(card, text);
  }
  return cards;
}
