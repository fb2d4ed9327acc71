import { mergeConfig } from 'vitest/config';
import unit from '../../vitest.config.mjs';
import VariantsReporter from './variants-reporter.mjs';

/** The probes' tests with fifty times as many random mutations of each fixture. */
const config = mergeConfig(unit, { test: { env: { MUTATION_FACTOR: '50' }, testTimeout: 1_800_000 } });
config.test.include = ['core/probes/**/*.test.ts'];
config.test.reporters = ['default', new VariantsReporter()];
export default config;
