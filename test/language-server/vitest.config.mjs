import base from '../../vitest.config.mjs';

/** The built server as a process, spoken to over its standard input and output. */
export default { ...base, test: { ...base.test, include: ['test/language-server/**/*.test.ts'], testTimeout: 30_000, maxWorkers: 1 } };
