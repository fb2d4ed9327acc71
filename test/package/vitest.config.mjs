import base from '../../vitest.config.mjs';

export default { ...base, test: { ...base.test, include: ['test/package/**/*.test.ts'], testTimeout: 60_000, maxWorkers: 1 } };
