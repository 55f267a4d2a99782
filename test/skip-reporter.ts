import type { Reporter, TestModule } from 'vitest/node';
import { missing } from './lacking.ts';

/**
 * Counts what was skipped and says why, and names what passed only when it was tried again. With FAIRLEAD_NO_SKIPS, where everything
 * has to run, a skip is a failure.
 */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests('passed'))
        if (test.diagnostic()?.flaky === true)
          process.stdout.write(`tried again: ${module.relativeModuleId} > ${test.fullName}\n`);
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    const why = missing().join(', ') || 'nothing that it knows of';
    process.stdout.write(`skipped ${skipped.length} tests, because this machine lacks ${why}\n`);
    if (!process.env['FAIRLEAD_NO_SKIPS']) return;
    for (const { module, fullName } of skipped) process.stdout.write(`  ${module.relativeModuleId} > ${fullName}\n`);
    process.exitCode = 1;
  }
}
