import { expect, it } from 'vitest';
import { createKeeper } from './keep.ts';
import type { Keeping } from './keep.ts';

const KEEPING: Keeping = { keepMs: 10_000, lateMs: 100_000, limitMs: 5_000 };

function world(waitMs = 40) {
  const timers: { at: number; run(): void }[] = [];
  const state = { now: 1_000_000, searches: 0 };
  const ends: ((value: unknown) => void)[] = [];
  const keeper = createKeeper({
    now: () => state.now,
    soon: (ms, run) => void timers.push({ at: state.now + ms, run }),
    waitMs,
  });
  return {
    state,
    keeper,
    /** Asks for what the test tells later. */
    ask: (key = 'key') =>
      keeper.ask(key, KEEPING, () => {
        state.searches += 1;
        return new Promise<unknown>((resolve, reject) => {
          ends.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
        });
      }),
    async tell(value: unknown) {
      await settle();
      ends.shift()?.(value);
      await settle();
    },
    async pass(ms: number) {
      await settle();
      state.now += ms;
      for (const timer of timers.splice(0)) {
        if (timer.at > state.now) timers.push(timer);
        else timer.run();
      }
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await Promise.resolve();
}

it('what is found in time is told to all who asked, found once, and known at once for a while', async () => {
  const { ask, tell, pass, state } = world();
  const both = [ask(), ask()];
  await pass(39);
  await tell('fact');
  await expect(Promise.all(both)).resolves.toEqual(['fact', 'fact']);
  await pass(9_999);
  expect(ask()).toBe('fact');
  expect(state.searches).toBe(1);
  await pass(1);
  const again = ask();
  await tell('newer');
  await expect(again).resolves.toBe('newer');
  expect(state.searches).toBe(2);
});

it('nobody waits longer than 40 ms, and what comes later is there for the next event, even one that is long in coming', async () => {
  const { ask, tell, pass, state } = world();
  const first = ask();
  await pass(40);
  await expect(first).resolves.toBeUndefined();
  const second = ask();
  await pass(40);
  await expect(second).resolves.toBeUndefined();
  await tell('fact');
  await pass(99_999);
  expect(ask()).toBe('fact');
  await pass(9_999);
  expect(ask()).toBe('fact');
  expect(state.searches).toBe(1);
  await pass(1);
  expect(ask()).toBeInstanceOf(Promise);
});

it('a late fact that nobody came for is found out anew', async () => {
  const { ask, tell, pass, state } = world();
  void ask();
  await pass(40);
  await tell('fact');
  await pass(100_000);
  void ask();
  await settle();
  expect(state.searches).toBe(2);
});

it.each([
  ['a failure', new Error('no')],
  ['nothing found', undefined],
])('%s is remembered for as long as an answer would be, and no longer than half a minute', async (_, value) => {
  const { ask, tell, pass, state } = world();
  const first = ask();
  await tell(value);
  await expect(first).resolves.toBeUndefined();
  await pass(9_999);
  expect(ask()).toBeUndefined();
  expect(state.searches).toBe(1);
  await pass(1);
  const again = ask();
  await tell('fact');
  await expect(again).resolves.toBe('fact');
});

it('a late failure is not kept like a late answer', async () => {
  const { ask, tell, pass, state } = world();
  void ask();
  await pass(40);
  await tell(new Error('no'));
  await pass(30_000);
  void ask();
  await settle();
  expect(state.searches).toBe(2);
});

it('a search that throws before it begins has failed', async () => {
  const { keeper } = world();
  const thrown = keeper.ask('key', KEEPING, () => {
    throw new Error('no');
  });
  await expect(thrown).resolves.toBeUndefined();
});

it('a search that never ends is given up at its limit, and made again later', async () => {
  const { ask, pass, keeper, state } = world();
  void ask();
  await pass(5_000);
  await keeper.idle();
  await pass(10_000);
  void ask();
  await settle();
  expect(state.searches).toBe(2);
});

it('in sync mode everybody waits for as long as it takes', async () => {
  const { ask, tell, pass } = world(Infinity);
  const first = ask();
  await pass(4_999);
  await tell('fact');
  await expect(first).resolves.toBe('fact');
});

it('without any patience a fact is late unless it is known', async () => {
  const { ask, tell, keeper } = world(0);
  expect(ask()).toBeUndefined();
  await tell('fact');
  await keeper.idle();
  expect(ask()).toBe('fact');
});

it('a clock that was set back makes what is known old', async () => {
  const { ask, tell, state } = world();
  void ask();
  await tell('fact');
  state.now -= 1;
  expect(ask()).toBeInstanceOf(Promise);
});

it('keeps no more than 200 facts; the oldest goes first', async () => {
  const { ask, tell, state } = world();
  for (let key = 0; key <= 200; key += 1) {
    void ask(String(key));
    await tell(key);
  }
  expect(ask('200')).toBe(200);
  expect(ask('1')).toBe(1);
  expect(state.searches).toBe(201);
  expect(ask('0')).toBeInstanceOf(Promise);
});

it('begins to look when the event that asked has its reply', async () => {
  const waiting: (() => void)[] = [];
  let searches = 0;
  const keeper = createKeeper({
    now: () => 0,
    soon: () => {},
    waitMs: 40,
    afterReply: (work) => void waiting.push(work),
  });
  const fact = keeper.ask('key', KEEPING, async () => (searches += 1));
  await settle();
  expect(searches).toBe(0);
  for (const work of waiting) work();
  await expect(fact).resolves.toBe(1);
});
