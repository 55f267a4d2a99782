import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isLong } from '../cases.ts';
import { until } from '../patience.ts';
import {
  bash,
  call,
  copyProduct,
  decisionOf,
  describeClients,
  describeUsual,
  ensureDaemon,
  fairlead,
  findings,
  isLinux,
  newHome,
  NO_TOUCH,
  product,
  runEntry,
  send,
  signal,
} from './daemon-home.ts';
import type { Home, Ran } from './daemon-home.ts';

function homeWithGuard(options: Parameters<typeof newHome>[0] = {}): Home {
  const home = newHome(options);
  home.rule('no-touch', NO_TOUCH);
  return home;
}

async function oneDaemon(home: Home): Promise<number> {
  const { pid } = await home.daemon();
  await until('one daemon is left', () => home.daemons().join() === String(pid));
  return pid;
}

describeClients('many at once, by the %s client', (client) => {
  it('events on a cold home', async () => {
    const home = homeWithGuard({ isNew: true });
    // Node is a client that takes a hundred times as much to start.
    const events = isLong ? 20 : client === 'native' ? 12 : 6;
    const ran = await Promise.all(
      Array.from({ length: events }, (_, at) =>
        send(home, bash(home, at % 2 ? `touch ${at}` : `ls ${at}`), { client }),
      ),
    );
    expect(ran.map(decisionOf)).toEqual(ran.map((_, at) => (at % 2 ? 'deny' : 'none')));
    await oneDaemon(home);
    const rows = home.ledger().filter(({ copy }) => copy === 0);
    expect(rows.filter(({ action }) => action === 'deny')).toHaveLength(events / 2);
    expect((await findings(home)).filter(({ what }) => /no engine in time|failed|×/.test(what))).toEqual([]);
  });
});

describe.runIf(isLinux)('many at once', () => {
  it('two of `daemon start`, and a third', async () => {
    const home = newHome();
    const start = async () => {
      const { code, out, err } = await fairlead(home, 'daemon', 'start', '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return (JSON.parse(out) as { pid: number }).pid;
    };
    const [one, two] = await Promise.all([start(), start()]);
    expect(one).toBe(two);
    expect(await oneDaemon(home)).toBe(one);
    expect(await start()).toBe(one);
  });

  it('leaves no mark of a start that found another daemon, so that the next one can be started at once', async () => {
    const home = newHome();
    const { pid } = await ensureDaemon(home);
    const mark = join(home.run, 'starting');
    writeFileSync(mark, '');
    const words = ['--config', home.config, '--state', home.state];
    const env = { HOME: join(home.dir, 'person') };
    const second = await runEntry([process.execPath, join(product.dist, 'daemon.js'), ...words], '', { cwd: '/', env });
    expect([second.code, second.err, existsSync(mark)]).toEqual([0, '', false]);
    expect(await oneDaemon(home)).toBe(pid);
  });
});

describeUsual('an old daemon and a newer %s client', (client) => {
  const old = copyProduct({ builtAt: 1_600_000_000_000 });
  const later = copyProduct({ builtAt: 4_000_000_000_000 });

  it('is replaced without an event that goes unanswered', async () => {
    const home = homeWithGuard();
    const before = await ensureDaemon(home, old);
    expect(decisionOf(await send(home, bash(home, 'touch a'), { client, product: old }))).toBe('deny');
    expect(before.stamp).toBe(old.stamp);
    expect(decisionOf(await send(home, bash(home, 'touch b'), { client, product: old }))).toBe('deny');

    // Old clients are under way all the time.
    let stop = false;
    const ran: Ran[] = [];
    const worker = async (from: typeof old): Promise<void> => {
      while (!stop) {
        ran.push(await send(home, bash(home, 'touch c'), { client, product: from }));
        // Without a pause they would take the time from the daemon that they wait for.
        await sleep(20);
      }
    };
    const half = call(home, bash(home, 'touch half'), old.stamp);
    half.socket.write(half.frame.subarray(0, 40));
    const workers = [worker(old), worker(old), worker(product)];
    const after = await until('the new one answers', async () => {
      const status = await home.status();
      return status?.stamp === product.stamp && status.requests.socket > 5 && status;
    }).finally(() => (stop = true));
    await Promise.all(workers);
    expect(after.pid).not.toBe(before.pid);
    expect(ran.length).toBeGreaterThan(3);
    expect(new Set(ran.map(decisionOf))).toEqual(new Set(['deny']));
    // Whoever had not finished asking is told, or sees the end of the line: a client takes either for "not by this one".
    half.socket.write(half.frame.subarray(40));
    expect((await half.reply)?.outcome ?? 'aside').toBe('aside');
    await oneDaemon(home);
    const denied = home.ledger().filter(({ action, copy }) => action === 'deny' && copy === 0);
    expect(denied).toHaveLength(ran.length + 2);
    expect((await findings(home)).filter(({ what }) => /lacks the numbers|×/.test(what))).toEqual([]);
  });

  it('serves an older client', async () => {
    const home = homeWithGuard();
    const { pid } = await ensureDaemon(home, later);
    for (const from of [old, product])
      expect(decisionOf(await send(home, bash(home, 'touch a'), { client, product: from }))).toBe('deny');
    expect(await home.status()).toMatchObject({ pid, stamp: later.stamp, requests: { socket: 2, aside: 0 } });
    expect(home.daemons()).toEqual([pid]);
  });
});

describe.runIf(isLinux)('a daemon that is asked to end while it answers', () => {
  it('answers whatever it has stored', async () => {
    const home = homeWithGuard();
    let total = 0;
    for (const delay of isLong ? [1, 3, 5, 7, 9, 12] : [1, 5, 12]) {
      const { pid, stamp } = await ensureDaemon(home);
      const calls = Array.from({ length: 150 }, () => {
        const payload = bash(home, 'touch a');
        return { ...call(home, payload, stamp), id: String(payload['tool_use_id']) };
      });
      for (const { socket, frame } of calls) socket.write(frame);
      await sleep(delay);
      signal(pid, 'SIGTERM');
      const answered = new Map(await Promise.all(calls.map(async ({ id, reply }) => [id, await reply] as const)));
      await until('it is gone', () => !home.daemons().includes(pid));
      const stored = home.ledger().filter(({ call: id }) => id !== undefined && answered.has(id));
      expect(stored.filter(({ call: id = '' }) => answered.get(id)?.outcome !== 'answered')).toEqual([]);
      total += stored.length;
    }
    expect(total).toBeGreaterThan(0);
    expect((await findings(home)).filter(({ what }) => /lacks the numbers|×/.test(what))).toEqual([]);
  });
});
