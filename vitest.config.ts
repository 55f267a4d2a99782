import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { sortTests } from './test/kinds.ts';
import { TEST_LIMIT_MS } from './test/patience.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };
const { pure, process: inProcesses, alone } = sortTests();
const isLong = process.env['FAIRLEAD_TEST_LONG'] !== undefined;
/** Half of their time they wait for programs and for time to pass, so more of them than there are cores keep the cores busy. */
const besideEachOther = Number(process.env['FAIRLEAD_TEST_WORKERS'] ?? availableParallelism() + 3);

/** Pure tests in the order of their list, the others as Vitest has them. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = new Map(pure.map((path, at) => [fileURLToPath(new URL(path, import.meta.url)), at]));
    const placeOf = ({ moduleId }: TestSpecification) => place.get(moduleId) ?? pure.length;
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  define: {
    __FAIRLEAD_VERSION__: JSON.stringify(version),
    __FAIRLEAD_BUILD__: JSON.stringify('source'),
    __FAIRLEAD_STAMP__: JSON.stringify('0.0.0+0.source'),
  },
  test: {
    environment: 'node',
    testTimeout: isLong ? 3 * TEST_LIMIT_MS : TEST_LIMIT_MS,
    hookTimeout: isLong ? 3 * TEST_LIMIT_MS : TEST_LIMIT_MS,
    globalSetup: ['test/temporary-files.ts'],
    setupFiles: ['test/property-setup.ts'],
    sequence: { sequencer: InOrder },
    projects: [
      // One after the other: each has a number of workers of its own.
      {
        extends: true,
        test: {
          ...{ name: 'pure', include: [...pure], pool: 'forks', isolate: false },
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      ...[
        { name: 'process', include: [...inProcesses], isolate: false },
        { name: 'alone', include: [...alone], isolate: true },
      ].map((each) => ({
        extends: true as const,
        test: {
          ...each,
          pool: 'forks' as const,
          maxWorkers: besideEachOther,
          // Processes meet each other by chance. A test that needs its second try is named at the end, and is a fault to look into.
          retry: 1,
          sequence: { groupOrder: 1 },
          setupFiles: ['test/process/end-all.ts'],
          globalSetup: ['scripts/vitest-setup.mjs'],
        },
      })),
    ],
  },
});
