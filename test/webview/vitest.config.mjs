import base from '../../vitest.config.mjs';

export default { ...base, test: { ...base.test, include: ['test/webview/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 1 } };
