import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import { PATIENCE_MS, until } from '../patience.ts';
import {
  bash,
  clients,
  copyProduct,
  decisionOf,
  describeUsual,
  ensureDaemon,
  isLinux,
  newHome,
  NO_TOUCH,
  send,
  signal,
  withoutDaemon,
} from './daemon-home.ts';
import type { Home } from './daemon-home.ts';
import { isAlive } from '../../src/platform/processes.ts';
import { letPost } from './posted.ts';
import type { Posted } from './posted.ts';

/** How long a one-shot waits at most until somebody listens. */
const AWAITED_MS = 3_000;

async function postedTo(): Promise<Home & Posted> {
  const home = newHome();
  home.rule('no-touch', NO_TOUCH);
  return Object.assign(home, await letPost(home));
}

describe.runIf(isLinux)('where events are posted', () => {
  it('each client gives its answer in time although the daemon hangs', async () => {
    const home = await postedTo();
    const { pid } = await ensureDaemon(home);
    signal(pid, 'SIGSTOP');
    // At once: whoever waited for it in vain has another one take its place.
    const ran = await Promise.all(
      clients.map((client) => send(home, bash(home, `touch ${client}`), { client })),
    ).finally(() => signal(pid, 'SIGCONT'));
    expect(ran.map(decisionOf)).toEqual(ran.map(() => 'deny'));
    for (const { ms } of ran) expect(ms).toBeLessThan(PATIENCE_MS);
  });

  it.each(clients)('the %s client gives its answer although no daemon can be started', async (client) => {
    const home = await postedTo();
    withoutDaemon(home);
    expect(decisionOf(await send(home, bash(home, 'touch a'), { client }))).toBe('deny');
    expect(home.daemons()).toEqual([]);
  });
});

describeUsual('where events are posted, the %s client', (client) => {
  it('answers the first event when somebody listens', async () => {
    const home = await postedTo();
    const ran = await send(home, bash(home, 'touch a'), { client });
    expect(decisionOf(ran)).toBe('deny');
    if (ran.ms < AWAITED_MS) expect((await home.status())?.http).toEqual({ port: home.port });
    else await until('somebody listens', async () => (await home.status())?.http?.port === home.port);
  });
});

describe.runIf(isLinux)('a daemon', () => {
  it('ends when its program is deleted', async () => {
    const product = copyProduct();
    const home = newHome();
    const { pid } = await ensureDaemon(home, product);
    renameSync(product.dist, `${product.dist}.gone`);
    await until('it has ended', () => !isAlive(pid));
    expect(home.daemons()).toEqual([]);
    expect(existsSync(join(home.run, 'daemon.sock'))).toBe(false);
  });

  it('does not bring back a home that was deleted while it started', async () => {
    const home = newHome();
    await send(home, bash(home, 'ls'));
    rmSync(home.state, { recursive: true });
    await until('it has ended', () => home.daemons().length === 0);
    expect(existsSync(home.state) ? readdirSync(home.state, { recursive: true }) : []).toEqual([]);
  });
});
