import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { sortTests } from './test/kinds.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };
const { pure, process: inProcesses } = sortTests();
const isLong = process.env['FAIRLEAD_TEST_LONG'] !== undefined;

export default defineConfig({
  define: {
    __FAIRLEAD_VERSION__: JSON.stringify(version),
    __FAIRLEAD_BUILD__: JSON.stringify('source'),
    __FAIRLEAD_STAMP__: JSON.stringify('0.0.0+0.source'),
  },
  test: {
    environment: 'node',
    maxWorkers: availableParallelism(),
    // Only against a hang: a loaded machine may take its time.
    testTimeout: isLong ? 1_800_000 : 240_000,
    hookTimeout: 240_000,
    globalSetup: ['test/temporary-files.ts'],
    setupFiles: ['test/property-setup.ts'],
    projects: [
      { extends: true, test: { name: 'pure', include: [...pure], pool: 'forks', isolate: false } },
      {
        extends: true,
        test: {
          name: 'process',
          include: [...inProcesses],
          // The rows of the seeds take minutes, and some of them need a machine for themselves: `npm test -- specs`.
          exclude: process.argv.some((word) => word.includes('specs')) ? [] : ['test/process/specs/**'],
          globalSetup: ['scripts/vitest-setup.mjs'],
        },
      },
    ],
  },
});
