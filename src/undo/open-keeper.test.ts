import { expect, test } from 'vitest';
import type { KeepRequest } from './keeper.ts';
import { openKeeper } from './open-keeper.ts';

const HOME = { state: '/nowhere', userHome: '/nowhere', env: {} };
const REQUEST: KeepRequest = {
  effects: [],
  about: { at: 0, session: 's', root: '/nowhere', agent: 'a', command: '' },
  budget: { ms: 100, bytes: 1 },
  excluded: [],
};

test('a keeper that was asked for nothing has opened nothing', () => {
  const keeper = openKeeper(HOME);
  keeper.close();
  expect(keeper).toBeDefined();
});

test('where the thread has no program nothing is kept, and nothing is copied in its place', async () => {
  const keeper = openKeeper({ ...HOME, copier: '/nowhere/copier.js' });
  await expect(keeper.keep(REQUEST)).resolves.toEqual({ unkept: expect.any(String) });
  keeper.close();
});
