import { expect, it } from 'vitest';
import { createSharedAnswers } from './server.ts';

it('finds an answer once for all who ask after the same news, and anew after others', async () => {
  let [newest, now, found] = [1, 0, 0];
  const share = createSharedAnswers(
    () => newest,
    () => now,
  );
  const ask = (question: string) => share(question, () => Promise.resolve((found += 1)));
  expect(await Promise.all([ask('stops'), ask('stops'), ask('now'), ask('stops')])).toEqual([1, 1, 2, 1]);
  newest = 2;
  expect(await ask('stops')).toBe(3);
  now = 999;
  expect(await ask('stops')).toBe(3);
  now = 1_000;
  expect(await ask('stops')).toBe(4);
});

it('tries again what failed', async () => {
  const share = createSharedAnswers(
    () => 1,
    () => 0,
  );
  await expect(share('now', () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
  expect(await share('now', () => Promise.resolve(1))).toBe(1);
});
