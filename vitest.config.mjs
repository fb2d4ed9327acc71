import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Scripts that are sent to a machine are imported as text, as in the bundle. */
const textFiles = {
  name: 'text-files',
  enforce: 'pre',
  load(id) {
    return /\.(py|sh)$/.test(id) ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))};` : undefined;
  },
};

export default defineConfig({
  plugins: [textFiles],
  test: {
    include: ['{schemas,core,server,client,webview,cli}/**/*.test.ts', 'test/unit/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 20_000,
    reporters: ['default'],
  },
});
