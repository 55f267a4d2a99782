import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, until } from '../patience.ts';
import { bash, clients, decisionOf, ensureDaemon, isLinux, newHome, NO_TOUCH, send, signal } from './daemon-home.ts';

const AT_ONCE = 6;
/** A start that came to nothing is tried again ten seconds later; events until then are answered by processes of their own. */
const BETWEEN_MS = 1_000;
/** Speaks at no event of the test, and counts each of them. */
const COUNTS = '---\nevent: bash\nwords: [count]\nthrottle: every 100000\n---\nThat is many.\n';

describe.runIf(isLinux)('a daemon in a bad state', () => {
  it('killed while it comes up: events are answered, and another one comes by itself', async () => {
    const home = newHome();
    home.rule('no-touch', NO_TOUCH);
    const first = send(home, bash(home, 'touch a'));
    const pid = await until('it is on its way', () => home.daemons()[0]);
    signal(pid, 'SIGKILL');
    expect(decisionOf(await first)).toBe('deny');
    await until('another one answers', async () => {
      expect(decisionOf(await send(home, bash(home, 'touch b')))).toBe('deny');
      await sleep(BETWEEN_MS);
      return home.status();
    });
    expect(home.daemons()).not.toContain(pid);
  });

  it.each(clients)('stopped in its tracks: the %s client answers in time, and nothing counts twice', async (client) => {
    const home = newHome();
    home.rule('no-touch', NO_TOUCH);
    home.rule('counts', COUNTS);
    const { pid } = await ensureDaemon(home);
    signal(pid, 'SIGSTOP');
    const ran = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => send(home, bash(home, at % 2 ? 'touch a' : 'count'), { client })),
    ).finally(() => signal(pid, 'SIGCONT'));
    expect(ran.map(decisionOf)).toEqual(ran.map((_, at) => (at % 2 ? 'deny' : 'none')));
    expect(Math.max(...ran.map(({ ms }) => ms))).toBeLessThan(PATIENCE_MS);
    // It goes on with what it was asked meanwhile, and finds that all of it has been answered.
    await until('it has caught up', async () => (await home.status())?.requests.socket === AT_ONCE);
    await until('it is alone again', () => home.daemons().join() === String(pid));
    const first = home
      .ledger()
      .filter(({ copy, changed, action }) => copy === 0 && (changed === 1 || action === 'deny'));
    expect(first).toHaveLength(AT_ONCE);
    expect(Number(home.cell('throttle:user/counts'))).toBe(AT_ONCE / 2);
  });
});

it.runIf(isLinux)('a daemon that never answers again is replaced', async () => {
  const home = newHome();
  home.rule('no-touch', NO_TOUCH);
  const { pid } = await ensureDaemon(home);
  signal(pid, 'SIGSTOP');
  expect(decisionOf(await send(home, bash(home, 'touch a')))).toBe('deny');
  await until('another one answers', async () => ((await home.status())?.pid ?? pid) !== pid);
  expect(home.daemons()).toHaveLength(1);
  expect(decisionOf(await send(home, bash(home, 'touch b')))).toBe('deny');
});
