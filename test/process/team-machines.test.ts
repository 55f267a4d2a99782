import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { join } from 'node:path';
import { teamCarefulId } from '../../src/engine/careful/team-careful.ts';
import { openMemory } from '../../src/ledger/open.ts';
import { startRedis } from '../../src/team/state/redis.fixture.ts';
import type { RedisProcess } from '../../src/team/state/redis.fixture.ts';
import { lacks } from '../lacking.ts';
import { bash, eventIn, newHome, send } from './daemon-home.ts';
import type { Home, Payload } from './daemon-home.ts';

const DEPLOY = `---
event: bash
runs: npm run deploy
action: deny
lease: { name: deploy, for: 10m, within: 2s, else: ask }
---
One session deploys at a time.
`;
const NAG = `---
event: bash
words: [npm pack]
throttle: once per day per person
---
Look at the list of files first.
`;

interface Answer {
  readonly decision: string;
  readonly text: string;
}

async function ask(home: Home, payload: Payload): Promise<Answer> {
  const { out, code } = await send(home, payload);
  expect(code).toBe(0);
  const { hookSpecificOutput: said = {} } = (out === '' ? {} : JSON.parse(out)) as {
    hookSpecificOutput?: Readonly<Record<string, string>>;
  };
  const text = `${said['permissionDecisionReason'] ?? ''}${said['additionalContext'] ?? ''}`;
  return { decision: said['permissionDecision'] ?? 'none', text };
}

/** What a verb for a person does, without a person. */
function change(home: Home, id: string, value: string): void {
  const memory = openMemory({
    ...{ path: join(home.state, 'state.db'), busyMs: 4_000, resident: false },
    now: Date.now,
    random: Math.random,
    onFailure: (_, error) => {
      throw error;
    },
  });
  const done = memory.store.commit({
    reads: new Map(),
    changes: [{ op: 'set', id, value, expires: 0 }],
    now: Date.now(),
  });
  memory.close();
  expect(done).toBe(true);
}

describe.skipIf(lacks('linux', 'redis-server'))('two machines of a team, with real engines and a real server', () => {
  let redis: RedisProcess;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  async function startMachine(name: string): Promise<Home> {
    const home = newHome({ config: `state:\n  team: { url: '${redis.url}', name: acme, person: alice }\n` });
    home.rule('deploy', DEPLOY);
    home.rule('nag', NAG);
    await ask(home, bash(home, 'true', { session_id: name }));
    await home.daemon();
    await until('its copy is whole', () => home.cell('team.seen'));
    return home;
  }
  const call = (home: Home, command: string, session: string, id: string) =>
    bash(home, command, { session_id: session, tool_use_id: id });

  it('share a lease, a throttle and careful mode, and answer without the server', async () => {
    const [one, two] = [await startMachine('one'), await startMachine('two')];

    const first = await ask(one, call(one, 'npm run deploy', 'one', 'a'));
    expect(first.decision).not.toMatch(/deny|ask/);
    const second = await ask(two, call(two, 'npm run deploy', 'two', 'b'));
    expect(second.decision).toBe('deny');
    expect(second.text).toMatch(/alice@\S+, session one holds the lease deploy/);
    const end = { session_id: 'one', tool_use_id: 'a', tool_input: { command: 'npm run deploy' } };
    await ask(one, eventIn(one, 'PostToolUse/bash.json', end));
    let tries = 0;
    await until('the other machine has the lease', async () => {
      tries += 1;
      return (await ask(two, call(two, 'npm run deploy', 'two', `again-${tries}`))).decision !== 'deny';
    });

    expect((await ask(one, call(one, 'npm pack', 'one', 'c'))).text).toContain('Look at the list of files first');
    await until('the throttle is known there', () => two.cell('throttle:user/nag'));
    expect((await ask(two, call(two, 'npm pack', 'two', 'd'))).text).toBe('');

    const push = 'git push --force origin topic';
    const usual = await ask(two, call(two, push, 'two', 'e'));
    change(one, teamCarefulId('acme'), JSON.stringify({ since: Date.now(), by: 'user' }));
    await ask(one, call(one, 'true', 'one', 'f'));
    await until('careful mode is known there', () => two.cell('careful'));
    const careful = await ask(two, call(two, push, 'two', 'g'));
    expect([usual.text, careful.text].map((text) => text.includes('careful off --team'))).toEqual([false, true]);

    await redis.kill();
    await until('the engine knows', () => two.cell('team.link')?.includes('problem'));
    const alone = await ask(two, call(two, 'npm run deploy', 'three', 'h'));
    expect(alone.decision).toBe('ask');
    expect(alone.text).toContain('Nobody knows whether another session holds the lease deploy');
    expect((await ask(two, call(two, 'true', 'two', 'i'))).decision).toBe('none');
  });
});
