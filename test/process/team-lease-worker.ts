// Contenders for one lease, each with a connection of its own. It writes a line for each time that one takes it: its number,
// from when and until when the holder counts on it, by the machine's clock.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeFinder } from '../../src/team/state/open-sync.ts';
import { createRedisServer } from '../../src/team/state/redis-server.ts';

const [port = '0', name = '', contenders = '0', ttl = '0'] = process.argv.slice(2);
const ttlMs = Number(ttl);
const options = { isTls: false, deadlineMs: 60_000 };

async function contend(holder: string): Promise<void> {
  const connect = createNodeFinder([{ host: '127.0.0.1', port: Number(port) }], () => options);
  const server = createRedisServer({ team: 'leases', now: Date.now, connect });
  await server.watch(
    () => {},
    () => {},
  );
  for (;;) {
    const taken = await server.takeLease('deploy', holder, ttlMs);
    if (taken.taken) {
      writeSync(1, `took ${taken.fence} ${holder} ${Date.now()} ${taken.until}\n`);
      // Now and then one is held up for longer than it has.
      await sleep(Math.random() < 0.02 ? ttlMs * 1.5 : Math.random() * 3);
      writeSync(1, `left ${taken.fence} ${holder} ${Date.now()} 0\n`);
      await server.releaseLease('deploy', holder);
    }
    await sleep(5 + Math.random() * 25);
  }
}

await Promise.all(Array.from({ length: Number(contenders) }, (_, nth) => contend(`${name}.${nth}`)));
