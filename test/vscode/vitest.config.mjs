import base from '../../vitest.config.mjs';

/** One VS Code at a time: two of them on two cores would only wait for each other. */
export default { ...base, test: { ...base.test, include: ['test/vscode/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 120_000, fileParallelism: false } };
