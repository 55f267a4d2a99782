import fc from 'fast-check';

const limit = process.env['FAIRLEAD_TEST_LIMIT_MS'];

fc.configureGlobal({
  seed: Number(process.env['FAIRLEAD_TEST_LONG']),
  numRuns: 1_000,
  ...(limit !== undefined && { interruptAfterTimeLimit: Number(limit) }),
});
