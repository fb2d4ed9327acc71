import base from '../../vitest.config.mjs';

/** Every run on the demo host takes as long as the card's own scrapes; a few at once, as the machine has few cores. */
export default { ...base, test: { ...base.test, include: ['test/{cli,demo-host}/**/*.test.ts'], testTimeout: 180_000, maxConcurrency: 4, maxWorkers: 1 } };
