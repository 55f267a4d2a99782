import { defineConfig } from 'vitest/config';

/** Each test drives whole sessions of a real agent, so they run one after another and may take their time. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
