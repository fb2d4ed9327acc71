import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{schemas,core,server,client,webview,cli}/**/*.test.ts', 'test/unit/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
    reporters: ['default'],
  },
});
