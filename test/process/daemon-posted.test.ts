import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import {
  bash,
  copyProduct,
  decisionOf,
  describeClients,
  isLinux,
  newHome,
  PATIENCE_MS,
  NO_TOUCH,
  put,
  send,
  signal,
  until,
} from './daemon-home.ts';
import type { Home } from './daemon-home.ts';

/** A home from which some agent posts its events, so that a one-shot sees to it that somebody listens. */
function postedTo(port: number): Home {
  const home = newHome();
  home.rule('no-touch', NO_TOUCH);
  mkdirSync(home.run, { recursive: true, mode: 0o700 });
  put(join(home.run, 'port'), `${port}\n`);
  put(join(home.run, 'token'), `${'ab'.repeat(32)}\n`);
  return home;
}

describeClients('where events are posted, the %s client', (client) => {
  it('gives its answer in time although the daemon hangs', async () => {
    const home = postedTo(18_431);
    await send(home, bash(home, 'ls'), { client });
    const { pid } = await home.daemon();
    signal(pid, 'SIGSTOP');
    const ran = await send(home, bash(home, 'touch a'), { client }).finally(() => signal(pid, 'SIGCONT'));
    expect(decisionOf(ran)).toBe('deny');
    expect(ran.ms).toBeLessThan(PATIENCE_MS);
  });

  it('gives its answer although no daemon can be started', async () => {
    const home = postedTo(18_432);
    mkdirSync(join(home.run, 'daemon.log'));
    expect(decisionOf(await send(home, bash(home, 'touch a'), { client }))).toBe('deny');
    expect(home.daemons()).toEqual([]);
  });

  it('answers the first event when somebody listens', async () => {
    const home = postedTo(18_433);
    expect(decisionOf(await send(home, bash(home, 'touch a'), { client }))).toBe('deny');
    expect((await home.status())?.http).toEqual({ port: 18_433 });
  });
});

describe.runIf(isLinux)('a daemon', () => {
  it('ends when its program is deleted', async () => {
    const product = copyProduct();
    const home = newHome();
    await send(home, bash(home, 'ls'), { product });
    await home.daemon();
    renameSync(product.dist, `${product.dist}.gone`);
    await until('it has ended', () => home.daemons().length === 0);
    expect(existsSync(join(home.run, 'daemon.sock'))).toBe(false);
  });

  it('does not bring back a home that was deleted while it started', async () => {
    const home = newHome();
    await send(home, bash(home, 'ls'));
    rmSync(home.state, { recursive: true });
    await until('it has ended', () => home.daemons().length === 0);
    expect(existsSync(home.state)).toBe(false);
  });
});
