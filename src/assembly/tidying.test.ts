import { expect, it } from 'vitest';
import { createTidying } from './tidying.ts';
import type { TidyingOptions } from './tidying.ts';

function tidyWith(thrown: Error): Promise<readonly string[]> {
  const told: string[] = [];
  const throwing = () => {
    throw thrown;
  };
  const options = {
    ...{ resident: false, prepareCounts: () => true, lookAtWired: () => {}, now: () => 1, isOff: () => false },
    closed: { keep: () => Promise.resolve() },
    memory: { store: { get: () => undefined, commit: throwing } },
    onFailure: (what: string) => void told.push(what),
  } as unknown as TidyingOptions;
  return createTidying(options)().then(() => told);
}

it('a failure to tidy is told; that another process holds the state is none', async () => {
  expect(await tidyWith(new Error('database is locked'))).toEqual([]);
  expect(await tidyWith(new Error('disk I/O error'))).toEqual(['removing old state']);
});
