// What a team's state costs one Redis: bytes and time of a commit, memory of a connection, a cell and a mark, and what it
// takes to push a commit to many machines. Processor time is the server's own, so what this process takes does not count.
import { cellId } from '../src/state/cells.ts';
import { createNodeFinder } from '../src/team/state/open-sync.ts';
import { createRedisServer } from '../src/team/state/redis-server.ts';
import { PLAIN, startRedis } from '../src/team/state/redis.fixture.ts';
import type { RedisProcess } from '../src/team/state/redis.fixture.ts';
import type { TeamServer } from '../src/team/state/server.ts';
import { lacks } from '../test/lacking.ts';
import { report } from './lib/figures.ts';

const MACHINES = [0, 100, 1_000];
const COMMITS = 2_000;
let deliveries = 0;
const told: Record<string, number> = {};

/** A throttle of a day, of one person, in one rule: what rules do most. */
const commitOf = (person: number) => ({
  delivery: `${String(deliveries++).padStart(8, '0')}-0000-4000-8000-000000000000`,
  reads: new Map(),
  changes: [
    { op: 'add', id: cellId('team', 'acme', 'throttle', `basics/rule\u001e${person}`), by: 1, expires: 86_400_000 },
  ] as const,
  now: 1,
  isLate: true,
});

async function connectMachine(redis: RedisProcess, onPush: () => void): Promise<TeamServer> {
  const connect = createNodeFinder([{ host: '127.0.0.1', port: redis.port }], () => ({ ...PLAIN, deadlineMs: 60_000 }));
  const server = createRedisServer({ team: 'acme', now: Date.now, connect });
  await server.watch(onPush, () => {});
  return server;
}

async function figures(redis: RedisProcess) {
  const text = String(await redis.ask('INFO', 'everything'));
  const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    cpu: of('used_cpu_user') + of('used_cpu_sys'),
    memory: of('used_memory'),
    in: of('total_net_input_bytes'),
    out: of('total_net_output_bytes'),
  };
}

const row = (what: string, ...values: (string | number)[]) => console.log(`  ${what.padEnd(46)} ${values.join('  ')}`);

async function measurePushes(redis: RedisProcess, machines: number): Promise<void> {
  const bare = await figures(redis);
  let pushed = 0;
  const others: TeamServer[] = [];
  for (let nth = 0; nth < machines; nth += 1) others.push(await connectMachine(redis, () => void (pushed += 1)));
  const one = await connectMachine(redis, () => {});
  await one.commit([commitOf(0)]);
  const before = await figures(redis);
  const began = performance.now();
  const commits = machines > 100 ? COMMITS / 10 : COMMITS;
  for (let nth = 0; nth < commits; nth += 1) await one.commit([commitOf(nth % 50)]);
  const took = performance.now() - began;
  while (pushed < machines * commits) await new Promise((resolve) => setTimeout(resolve, 10));
  const after = await figures(redis);
  const cpu = ((after.cpu - before.cpu) * 1e6) / commits;
  if (machines === 0) told['commit'] = cpu;
  else {
    told['push'] = (cpu - (told['commit'] ?? Number.NaN)) / machines;
    told['connection'] = (before.memory - bare.memory) / machines / 1024;
  }
  row(
    `${machines + 1} machines`,
    `${cpu.toFixed(0)} µs of the server for a commit,`,
    `${((after.in - before.in) / commits).toFixed(0)} bytes in, ${((after.out - before.out) / commits).toFixed(0)} out,`,
    `${Math.round((commits * 1_000) / took)} commits/s one after the other`,
  );
  if (machines > 0)
    row('', `${((before.memory - bare.memory) / machines / 1024).toFixed(1)} KiB of memory for a connection`);
  await Promise.all([...others, one].map((machine) => machine.close()));
}

async function measureMost(redis: RedisProcess, batch: number): Promise<void> {
  const machines = await Promise.all(Array.from({ length: 20 }, () => connectMachine(redis, () => {})));
  // Nobody watches: what is measured is the commit.
  await Promise.all(machines.map((machine) => machine.commit([commitOf(0)])));
  const { cpu } = await figures(redis);
  const began = performance.now();
  const each = COMMITS / batch / 4;
  await Promise.all(
    machines.map(async (machine) => {
      for (let nth = 0; nth < each; nth += 1)
        await machine.commit(Array.from({ length: batch }, (_, at) => commitOf(at)));
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const count = machines.length * each * batch;
  const used = (await figures(redis)).cpu - cpu;
  if (batch > 1) told['batch'] = (used * 1e6) / count;
  row(
    `20 machines at once, ${batch} in a batch`,
    `${Math.round(count / seconds)} commits/s,`,
    `${((used * 1e6) / count).toFixed(0)} µs of the server for each, with 20 pushes`,
  );
  await Promise.all(machines.map((machine) => machine.close()));
}

async function measureMemory(redis: RedisProcess): Promise<void> {
  await redis.ask('FLUSHALL');
  const machine = await connectMachine(redis, () => {});
  const before = await figures(redis);
  const made: string[] = [];
  for (let nth = 0; nth < 100; nth += 1) {
    const batch = Array.from({ length: 100 }, (_, at) => commitOf(nth * 100 + at));
    made.push(...batch.map(({ delivery }) => delivery));
    await machine.commit(batch);
  }
  const both = await figures(redis);
  for (const delivery of made) await redis.ask('DEL', `{fairlead:acme}:d:${delivery}`);
  const cells = await figures(redis);
  row('a cell', `${Math.round((cells.memory - before.memory) / made.length)} bytes of memory`);
  row('a mark of a delivery', `${Math.round((both.memory - cells.memory) / made.length)} bytes of memory`);
  const start = await figures(redis);
  for (let nth = 0; nth < 10; nth += 1) await machine.list('');
  const read = await figures(redis);
  row(
    '10,000 cells read anew',
    `${Math.round((read.out - start.out) / 10 / 1024)} KiB,`,
    `${((read.cpu - start.cpu) * 100).toFixed(0)} ms of the server`,
  );
  for (let nth = 0; nth < COMMITS; nth += 1) await machine.newest();
  const asked = await figures(redis);
  told['cell'] = (cells.memory - before.memory) / made.length;
  told['mark'] = (both.memory - cells.memory) / made.length;
  told['anew'] = (read.cpu - start.cpu) * 100;
  told['look'] = ((asked.cpu - read.cpu) * 1e6) / COMMITS;
  row(
    'a look whether the copy is whole',
    `${Math.round(((asked.cpu - read.cpu) * 1e6) / COMMITS)} µs of the server,`,
    `${Math.round((asked.in - read.in) / COMMITS)} bytes in, ${Math.round((asked.out - read.out) / COMMITS)} out`,
  );
  await machine.close();
}

if (lacks('redis-server')) console.log('  needs redis-server');
else {
  const redis = await startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''] });
  try {
    for (const machines of MACHINES) await measurePushes(redis, machines);
    for (const batch of [1, 16]) await measureMost(redis, batch);
    await measureMemory(redis);
    report('team', told);
  } finally {
    await redis.close();
  }
}
