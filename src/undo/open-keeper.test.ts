import { expect, test } from 'vitest';
import { openKeeper } from './open-keeper.ts';

test('a keeper that was asked for nothing has opened nothing', () => {
  const keeper = openKeeper({ state: '/nowhere', resident: true, userHome: '/nowhere', env: {} });
  keeper.close();
  expect(keeper).toBeDefined();
});
