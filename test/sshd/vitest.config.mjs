import base from '../../vitest.config.mjs';

export default { ...base, test: { ...base.test, include: ['test/sshd/**/*.test.ts'], testTimeout: 60_000, fileParallelism: false } };
