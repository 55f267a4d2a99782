import fc from 'fast-check';
import { isLong, SEED } from './cases.ts';

const limit = process.env['FAIRLEAD_TEST_LIMIT_MS'];

// A plain run tries the same cases each time, so that it fails by what was changed. A long one tries others.
fc.configureGlobal({
  seed: SEED,
  ...(isLong && { numRuns: 1_000 }),
  ...(limit !== undefined && { interruptAfterTimeLimit: Number(limit) }),
});
