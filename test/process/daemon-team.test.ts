import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { countOf, startShare } from '../cases.ts';
import { lacks } from '../lacking.ts';
import { startProxy } from '../../src/team/state/proxy.fixture.ts';
import { startRedis } from '../../src/team/state/redis.fixture.ts';
import { bash, decisionOf, fairlead, newHome, NO_TOUCH, send } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';

const EVENTS = countOf(500);

const touch = (home: Home, name: string) => send(home, bash(home, `touch ${name}`)).then(decisionOf);

async function factsOf(home: Home): Promise<Readonly<Record<string, string>>> {
  const { out } = await fairlead(home, 'doctor', '--json');
  const { sections } = JSON.parse(out) as { sections: { title: string; facts: Record<string, string> }[] };
  return sections.find(({ title }) => title === 'State of the team')?.facts ?? {};
}

describe.skipIf(lacks('linux', 'redis-server'))('an engine with a team', () => {
  it('answers every event, whatever the server does, and finds it again', async () => {
    const redis = await startRedis();
    const proxy = await startProxy(redis.port);
    try {
      const home = newHome({ config: `state:\n  team: redis://127.0.0.1:${proxy.port}\n` });
      home.rule('no-touch', NO_TOUCH);
      await touch(home, 'first');
      const { pid } = await home.daemon();
      const isConnected = async () => (await factsOf(home))['connected']?.startsWith('for ') === true;
      await until('it is connected', isConnected);
      expect((await factsOf(home))['copy']).toMatch(/^was whole /);
      const outages: Readonly<Record<string, readonly [begin: () => unknown, end: () => unknown]>> = {
        slow: [() => (proxy.delayMs = 2_000), () => (proxy.delayMs = 0)],
        stopped: [() => process.kill(redis.pid(), 'SIGSTOP'), () => process.kill(redis.pid(), 'SIGCONT')],
        'cut off': [() => proxy.cut(true), () => proxy.cut(false)],
        killed: [() => redis.kill(), () => redis.start()],
      };
      const isOver = startShare();
      for (const [kind, [begin, end]] of Object.entries(outages)) {
        await begin();
        for (let at = 0; at < EVENTS && !isOver(at); at += 1) expect(await touch(home, `${at}`), kind).toBe('deny');
        await end();
      }
      await until('it is connected again', isConnected);
      expect((await home.daemon()).pid, 'it is the same engine').toBe(pid);
    } finally {
      proxy.close();
      await redis.close();
    }
  });
});
