import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startDeadline } from './deadlines.ts';

it('runs what is not called off, each by itself', async () => {
  const ran: string[] = [];
  const stop = startDeadline(20, () => ran.push('called off'));
  startDeadline(20, () => ran.push('first'));
  startDeadline(20, () => ran.push('second'));
  startDeadline(1, () => ran.push('sooner'));
  stop();
  stop();
  await expect.poll(() => ran, { timeout: 60_000 }).toEqual(['sooner', 'first', 'second']);
});

it('is not early for what was started while its timer ran', async () => {
  const stop = startDeadline(40, () => {});
  stop();
  await pause(25);
  const started = performance.now();
  await new Promise<void>((resolve) => {
    startDeadline(40, resolve);
  });
  expect(performance.now() - started).toBeGreaterThanOrEqual(39);
});

it('takes new work while it runs what is due', async () => {
  const ran: string[] = [];
  startDeadline(5, () => {
    ran.push('one');
    startDeadline(5, () => ran.push('another'));
  });
  await expect.poll(() => ran, { timeout: 60_000 }).toEqual(['one', 'another']);
});
