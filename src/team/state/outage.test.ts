import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.ts';
import { countOf, isLong, SEED, startShare } from '../../../test/cases.ts';
import { lacks } from '../../../test/lacking.ts';
import { pause } from '../../platform/timers.ts';
import { cellId } from '../../state/cells.ts';
import { createMemoryStore } from '../../state/memory.ts';
import { QUEUED, seenId } from '../../state/team-queue.ts';
import { startProxy } from './proxy.fixture.ts';
import type { Proxy } from './proxy.fixture.ts';
import { createNodeFinder } from './open-sync.ts';
import { createRedisServer } from './redis-server.ts';
import { startRedis } from './redis.fixture.ts';
import type { RedisProcess } from './redis.fixture.ts';
import { createSync } from './sync.ts';

const TIMES = countOf(300);
const COUNT = cellId('team', 'acme', 'count');
const COUNT_KEY = `{fairlead:acme}:c:${COUNT}`;
/** A call that takes longer than it may, several times over, on a machine with other work. */
const LONGEST_LOOK_MS = PATIENCE_MS;
const KINDS = ['killed', 'stopped', 'slow', 'cut off', 'failing over'] as const;

let nodes: RedisProcess[] = [];
let proxies: Proxy[] = [];
/** Which of the two may write. */
let first = 0;
beforeAll(async () => {
  if (lacks('redis-server')) return;
  const args = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--repl-diskless-sync-delay', '0'];
  nodes = await Promise.all([startRedis({ args }), startRedis({ args })]);
  proxies = await Promise.all(nodes.map(({ port }) => startProxy(port)));
  await replicate();
});
afterAll(async () => {
  for (const proxy of proxies) proxy.close();
  await Promise.all(nodes.map((node) => node.close()));
});

const primary = () => nodes[first] as RedisProcess;
const replica = () => nodes[1 - first] as RedisProcess;

async function replicate(): Promise<void> {
  await replica().ask('REPLICAOF', '127.0.0.1', String(primary().port));
  while (!String(await replica().ask('INFO', 'replication')).includes('master_link_status:up')) await pause(20);
}

const countAt = async (node: RedisProcess) => Number((await node.ask('GET', COUNT_KEY)) ?? 0);

/** One outage; returns what the server itself lost by it. */
async function suffer(kind: (typeof KINDS)[number], meanwhile: () => Promise<void>): Promise<number> {
  if (kind === 'killed') {
    await primary().kill();
    await meanwhile();
    await primary().start();
  } else if (kind === 'stopped') {
    const { pid } = primary();
    process.kill(pid(), 'SIGSTOP');
    await meanwhile();
    process.kill(pid(), 'SIGCONT');
  } else if (kind === 'slow') {
    for (const proxy of proxies) proxy.delayMs = 120;
    await meanwhile();
    for (const proxy of proxies) proxy.delayMs = 0;
  } else if (kind === 'cut off') {
    for (const proxy of proxies) proxy.cut(true);
    await meanwhile();
    for (const proxy of proxies) proxy.cut(false);
  } else {
    const had = await countAt(primary());
    await primary().kill();
    await replica().ask('REPLICAOF', 'NO', 'ONE');
    const lost = had - (await countAt(replica()));
    first = 1 - first;
    await meanwhile();
    await replica().start();
    await replicate();
    return lost;
  }
  return 0;
}

function addMachine() {
  const store = createMemoryStore();
  // Every look finds that it has waited long enough.
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const connect = createNodeFinder(
    proxies.map(({ port }) => ({ host: '127.0.0.1', port })),
    () => ({ isTls: false, deadlineMs: 400 }),
  );
  const failures: unknown[] = [];
  const sync = createSync({
    ...{ team: 'acme', store, now, random: Math.random },
    server: createRedisServer({ team: 'acme', now, connect }),
    soon: (ms, work) => void setTimeout(work, ms),
    onFailure: (_, error) => void failures.push(error),
  });
  return {
    ...{ store, failures, close: () => sync.close() },
    add: () => store.commit({ reads: new Map(), changes: [{ op: 'add', id: COUNT, by: 1, expires: 0 }], now: now() }),
    async look() {
      ahead += 40_000;
      const began = performance.now();
      await sync.look();
      expect(performance.now() - began).toBeLessThan(LONGEST_LOOK_MS);
    },
    count: () => Number(store.get(COUNT, now()) ?? 0),
    waits: () => store.list(QUEUED, now()).length,
    isWhole: () => now() - Number(store.get(seenId('acme'), now()) ?? 0) < 40_000,
  };
}

describe.skipIf(lacks('redis-server', 'linux'))('a server that fails', () => {
  it(`loses nothing that it promised to keep, at most ${TIMES} times`, async () => {
    const machines = [addMachine(), addMachine()];
    const times = new Map<string, number>();
    let [added, lost] = [0, 0];
    const work = async () => {
      for (const machine of machines) {
        expect(machine.add(), 'the machine itself never refuses').toBe(true);
        added += 1;
      }
      await Promise.all(machines.map((machine) => machine.look()));
    };
    const isOver = startShare();
    // Each kind once at least.
    for (let time = 0; time < TIMES && !(time >= KINDS.length && isOver()); time += 1) {
      const kind = KINDS[(SEED + time) % KINDS.length] ?? 'killed';
      times.set(kind, (times.get(kind) ?? 0) + 1);
      await work();
      lost += await suffer(kind, work);
    }
    // All waits for as long as it takes, and comes to the same everywhere.
    const isDone = () => machines.every((machine) => machine.waits() === 0 && machine.isWhole());
    for (let tries = 0; tries < 100 && !isDone(); tries += 1) for (const machine of machines) await machine.look();
    for (const machine of machines) await machine.look();
    expect(machines.map((machine) => [machine.count(), machine.waits()])).toEqual([
      [added - lost, 0],
      [added - lost, 0],
    ]);
    expect(await countAt(primary())).toBe(added - lost);
    expect(machines.flatMap(({ failures }) => failures)).toEqual([]);
    if (isLong)
      process.stdout.write(`outages: ${JSON.stringify([...times])}, ${added} added, ${lost} lost by promotion\n`);
    await Promise.all(machines.map((machine) => machine.close()));
  });
});
