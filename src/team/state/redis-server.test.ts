import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../../../test/lacking.ts';
import type { RedisAddress, RedisOptions } from '../../platform/redis.ts';
import { describeCells } from '../../state/contract.ts';
import { createNodeFinder } from './open-sync.ts';
import { createRedisServer } from './redis-server.ts';
import { makeCertificates, PLAIN, startCluster, startRedis } from './redis.fixture.ts';
import type { RedisProcess } from './redis.fixture.ts';
import { cellsOf } from './server.fixture.ts';
import type { Push, TeamServer } from './server.ts';

const HOST = '127.0.0.1';
let teams = 0;
/** What docs/team.md says that a user needs. */
const RIGHTS = ['~{fairlead:*', '&{fairlead:*', '+@all', '-@admin', '-@dangerous', '+role'];

interface Started {
  readonly addresses: readonly RedisAddress[];
  readonly options: RedisOptions;
  /** Asks the node that has the keys of a team. */
  readonly nodes: readonly RedisProcess[];
  stop(): Promise<void>;
}

const addressesOf = (nodes: readonly RedisProcess[]) => nodes.map(({ port }) => ({ host: HOST, port }));
const stopAll = (nodes: readonly RedisProcess[]) => Promise.all(nodes.map((node) => node.close()));

const KINDS: readonly [string, () => Promise<Started>][] = [
  [
    'Redis',
    async () => {
      const nodes = [await startRedis()];
      return { nodes, addresses: addressesOf(nodes), options: PLAIN, stop: async () => void (await stopAll(nodes)) };
    },
  ],
  [
    'Redis with TLS and a password',
    async () => {
      const { args, ca, drop } = makeCertificates();
      const options = { ...PLAIN, isTls: true, ca, username: 'fairlead', password: 'a b:c' };
      const users = ['--user', 'fairlead', 'on', '>a b:c', ...RIGHTS, '--user', 'default', 'off'];
      const nodes = [await startRedis({ args: [...args, ...users], options })];
      const stop = async () => {
        await stopAll(nodes);
        drop();
      };
      return { nodes, addresses: addressesOf(nodes), options, stop };
    },
  ],
  [
    'a cluster of three',
    async () => {
      const nodes = await startCluster();
      return { nodes, addresses: addressesOf(nodes), options: PLAIN, stop: async () => void (await stopAll(nodes)) };
    },
  ],
];

describe.skipIf(lacks('redis-server', 'openssl')).each(KINDS)('%s', (kind, start) => {
  let started: Started | undefined;
  const servers: TeamServer[] = [];
  beforeAll(async () => void (started = await start()));
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await started?.stop();
  });

  async function open(team = `t${++teams}`, onPush: (push: Push) => void = () => {}) {
    if (!started) throw new Error('not started');
    const { addresses, options } = started;
    const connect = createNodeFinder(addresses, () => options);
    const server = createRedisServer({ team, now: Date.now, connect });
    await server.watch(onPush, () => {});
    servers.push(server);
    return server;
  }

  /** Lets time pass for a team's cells: each has so much less to live. */
  async function advance(team: string, ms: number): Promise<void> {
    const base = `{fairlead:${team}}`;
    if (!started) return;
    const connection = await createNodeFinder(started.addresses, () => started?.options ?? PLAIN)(base);
    const script = `for _, id in ipairs(redis.call('SMEMBERS', KEYS[1] .. ':ids')) do
      local left = redis.call('PTTL', KEYS[1] .. ':c:' .. id)
      if left > 0 then redis.call('PEXPIRE', KEYS[1] .. ':c:' .. id, string.format('%.0f', left - tonumber(ARGV[1]))) end
    end`;
    await connection.send(['EVAL', script, '1', base, String(ms)]);
    connection.end();
  }

  describeCells(kind, async () => {
    const team = `t${++teams}`;
    const server = await open(team);
    // A minute for a unit: no machine is so slow that one passes unnoticed.
    const store = cellsOf(server, { unitMs: 60_000, now: Date.now, advance: (ms) => advance(team, ms) });
    return { store, goesBack: false, close: () => server.close() };
  });

  it('applies a delivery once, and answers the same again', async () => {
    const server = await open();
    const add = {
      delivery: 'd1',
      reads: new Map(),
      changes: [{ op: 'add', id: 'n', by: 1, expires: 0 }],
      now: 0,
    } as const;
    const refused = { ...add, delivery: 'd2', reads: new Map([['n', '7']]) };
    expect(await server.commit([add, refused, add])).toEqual([true, false, true]);
    expect(await server.commit([refused, add])).toEqual([false, true]);
    await server.forget(['d1', 'd2']);
    expect(await server.commit([refused, add]), 'a machine may come back').toEqual([false, true]);
    expect(await server.read(['n', 'other'])).toEqual([
      { id: 'n', value: '1', expires: 0 },
      { id: 'other', value: undefined, expires: 0 },
    ]);
  });

  it('counts what a late commit adds although it is refused', async () => {
    const server = await open();
    const changes = [
      { op: 'add', id: 'n', by: 0.5, expires: 0 },
      { op: 'set', id: 'a', value: '1', expires: 0 },
    ] as const;
    const late = { delivery: 'd1', reads: new Map([['a', '7']]), changes, now: 0, isLate: true };
    expect(await server.commit([late])).toEqual([false]);
    expect((await server.list('')).map(({ id, value }) => [id, value])).toEqual([['n', '0.5']]);
  });

  it('pushes what changed to all, numbered without a gap', async () => {
    const heard: Push[] = [];
    let whenHeard = () => {};
    const team = `t${++teams}`;
    const here = await open(team, (push) => {
      heard.push(push);
      if (heard.length === 3) whenHeard();
    });
    const there = await open(team);
    const all = new Promise<void>((resolve) => (whenHeard = resolve));
    const set = (delivery: string, value: string) =>
      there.commit([{ delivery, reads: new Map(), changes: [{ op: 'set', id: 'a', value, expires: 60_000 }], now: 0 }]);
    await set('d1', '"one\u001f é"');
    await set('d1', '"one\u001f é"');
    await there.commit([
      { delivery: 'd2', reads: new Map([['a', '0']]), changes: [{ op: 'delete', id: 'a' }], now: 0 },
    ]);
    await set('d3', '2');
    await here.commit([{ delivery: 'd4', reads: new Map([['a', '2']]), changes: [{ op: 'delete', id: 'a' }], now: 0 }]);
    await all;
    expect(heard.map(({ delivery, cells }) => [delivery, cells[0]?.value])).toEqual([
      ['d1', '"one\u001f é"'],
      ['d3', '2'],
      ['d4', undefined],
    ]);
    expect(heard[0]?.cells[0]?.expires).toBeGreaterThan(Date.now() - 60_000);
    expect(heard.map(({ before }) => before)).toEqual([0, heard[0]?.number, heard[1]?.number]);
    expect(await here.newest()).toBe(heard[2]?.number);
  });

  it('lends a lease to one, with a number that rises', async () => {
    const [one, other] = [await open('lease'), await open('lease')];
    const first = await one.takeLease('deploy', 'one', 600_000);
    const second = await other.takeLease('deploy', 'other two', 600_000);
    expect(second).toMatchObject({ taken: false, holder: 'one' });
    expect(await one.takeLease('deploy', 'one', 600_000)).toMatchObject({ fence: first.taken && first.fence });
    expect(await other.releaseLease('deploy', 'other two')).toBe(false);
    expect(await one.releaseLease('deploy', 'one')).toBe(true);
    const third = await other.takeLease('deploy', 'other two', 600_000);
    expect(third.taken && first.taken && third.fence > first.fence).toBe(true);
    expect(await one.takeLease('deploy', 'one', 1)).toMatchObject({ taken: false, holder: 'other two' });
  });
});

it('says at once that no server is connected', async () => {
  const server = createRedisServer({ team: 'x', now: Date.now, connect: () => Promise.reject(new Error('away')) });
  await expect(
    server.watch(
      () => {},
      () => {},
    ),
  ).rejects.toThrow('away');
  await expect(server.takeLease('a', 'b', 1)).rejects.toThrow('not connected');
  await expect(server.newest()).rejects.toThrow('not connected');
  await expect(server.list('')).rejects.toThrow('not connected');
});
