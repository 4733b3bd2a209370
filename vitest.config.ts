import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'bench/**/*.test.ts',
      'harden/**/*.test.ts',
      'tools/**/*.test.ts',
      'examples/**/*.test.ts',
      'studio/**/*.test.ts',
      'site/*.test.ts',
    ],
    // Worker threads and the command line run from dist/, so it is built once before the tests.
    globalSetup: ['./vitest.setup.ts'],
    reporters: ['default', './vitest.reporter.ts'],
    testTimeout: 60_000,
    pool: 'forks',
  },
});
