import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startDeadline } from './deadlines.ts';

const now = () => performance.now();

/** Keeps the event loop from everything else. */
function block(ms: number): void {
  for (const until = now() + ms; now() < until;);
}

/** How long a deadline takes to come. */
async function timeOf(ms: number, meanwhile?: () => unknown): Promise<number> {
  const started = now();
  const over = new Promise<void>((resolve) => {
    startDeadline(ms, resolve, now);
  });
  await meanwhile?.();
  await over;
  return now() - started;
}

it('runs what is not called off, each by itself', async () => {
  const ran: string[] = [];
  const stop = startDeadline(20, () => ran.push('called off'), now);
  startDeadline(20, () => ran.push('first'), now);
  startDeadline(20, () => ran.push('second'), now);
  startDeadline(1, () => ran.push('sooner'), now);
  stop();
  stop();
  await expect.poll(() => ran, { timeout: 60_000 }).toEqual(['sooner', 'first', 'second']);
});

it('is not early for what was started while its timer ran', async () => {
  startDeadline(40, () => {}, now)();
  await pause(25);
  expect(await timeOf(40)).toBeGreaterThanOrEqual(39);
});

it('is no later for a loop that was busy meanwhile', async () => {
  const started = now();
  const timeOfEnd = (start: (over: () => void) => unknown) =>
    new Promise<number>((resolve) => {
      start(() => resolve(now() - started));
    });
  // Beside a timer of Node in the same loop, on whatever machine this is.
  const ends = [
    timeOfEnd((over) => startDeadline(300, over, now)),
    timeOfEnd((over) => void setTimeout(over, 300)),
  ] as const;
  for (let turn = 0; turn < 8; turn += 1) {
    block(30);
    await pause(1);
  }
  const [ours, plain] = await Promise.all(ends);
  expect(ours - plain).toBeLessThan(100);
});

it('does not wait for a clock that stands still', async () => {
  const ran: string[] = [];
  startDeadline(
    11,
    () => ran.push('over'),
    () => 0,
  );
  await expect.poll(() => ran, { timeout: 60_000 }).toEqual(['over']);
});

it('takes new work while it runs what is due', async () => {
  const ran: string[] = [];
  const first = () => {
    ran.push('one');
    startDeadline(5, () => ran.push('another'), now);
  };
  startDeadline(5, first, now);
  await expect.poll(() => ran, { timeout: 60_000 }).toEqual(['one', 'another']);
});

it('lets one that throws keep no other from its turn', async () => {
  const thrown: unknown[] = [];
  const ran: string[] = [];
  const onRejection = (error: unknown) => void thrown.push(error);
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', onRejection);
  try {
    const fails = () => {
      throw new Error('no');
    };
    startDeadline(7, fails, now);
    startDeadline(7, () => ran.push('other'), now);
    await expect.poll(() => [ran, thrown.length], { timeout: 60_000 }).toEqual([['other'], 1]);
  } finally {
    process.removeListener('unhandledRejection', onRejection);
    for (const each of before) process.on('unhandledRejection', each);
  }
});
