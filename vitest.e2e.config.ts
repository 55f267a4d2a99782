import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The files that take longest begin first, the last of these before the others, so that none of them is the last to run alone. */
const LONG = 'context-pack packs killed autocontext parallel agents- receipts page.test adopt'.split(' ');

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => LONG.findLastIndex((name) => basename(moduleId).startsWith(name));
    return (await super.sort(files)).toSorted((a, b) => rank(b) - rank(a));
  }
}

/** Each test drives whole sessions of a real agent, which wait half of the time: more of them at once than there are cores. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    environment: 'node',
    maxWorkers: 6,
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Clients of others end as they like. A test that needs its second try is named at the end, and is a fault to look into.
    retry: 1,
    reporters: ['default', './test/skip-reporter.ts'],
    // Only against a hang: a loaded machine may take its time.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    globalSetup: ['test/temporary-files.ts'],
  },
});
