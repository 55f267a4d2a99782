import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { allowOnce } from './allow-once.ts';
import { doctor } from './doctor.ts';
import { add, end, list } from './exception.ts';
import { explain } from './explain.ts';
import { log } from './log.ts';
import { list as rulesList } from './rules-list.ts';
import { enable, mode } from './rules-set.ts';

let stage: Stage;
let world: FakeWorld;
beforeEach(() => {
  stage = createStage();
  world = stage.world();
});
afterEach(() => stage.remove());

async function told<T>(command: Command, ...argv: string[]): Promise<T> {
  world.printed.out = '';
  await world.run(command, ...argv, '--json');
  return JSON.parse(world.printed.out) as T;
}

const ASKS = 'basics/generated-file';

type Rows = { id: string; seq: number; tool: string }[];
const rowsOf = async (...argv: string[]): Promise<Rows> => {
  world.printed.out = '';
  await world.run(log, '-n', 'all', '--json', ...argv);
  return world.printed.out
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Rows[number]);
};

/** The recorded session has one edit of a lock file, which a rule asks about. */
async function playAsk(session: string): Promise<void> {
  const calls = stage.calls('heavy-parcel').map((call) => ({
    ...call,
    payload: { ...(call.payload as object), session_id: session },
  }));
  await stage.play(calls);
}

describe('allow-once', () => {
  it('without a decision means the newest call that was stopped here, once the person agrees', async () => {
    await expect(world.run(allowOnce)).rejects.toThrow(/nothing was stopped/);
    await playAsk('first');
    const stopped = await rowsOf('--action', 'ask', '--action', 'deny');
    const made = await told<{ decision: string }>(allowOnce, '--yes');
    expect(made.decision).toBe(stopped.at(-1)?.id);
    const declining = stage.world({ answer: false });
    expect(await declining.run(allowOnce)).toBe(1);
    expect(declining.printed.out).toContain('Nothing was changed');
    const agreeing = stage.world({ answer: true });
    expect(await agreeing.run(allowOnce)).toBe(0);
    expect(agreeing.asked[0]).toMatch(/stopped by guard\/catastrophe, guard\/git: let it through once\?$/);
  });

  it('lets the same call of another session through, once', async () => {
    await playAsk('first');
    const [asked] = await rowsOf('--action', 'ask', '--rule', ASKS);
    const made = await told<{ id: string; rules: string[]; root: string; until: number; since: number }>(
      allowOnce,
      asked?.id ?? '',
    );
    expect(made).toMatchObject({ rules: ['basics/generated-file'], root: stage.project });
    expect(made.until - made.since).toBe(15 * 60_000);
    await playAsk('second');
    expect(await rowsOf('--action', 'ask', '--rule', ASKS, '--session', 'second')).toEqual([]);
    const [passed] = (await rowsOf('--session', 'second', '--rule', 'basics/generated-file')).slice(-1);
    world.printed.out = '';
    await world.run(explain, passed?.id ?? '');
    expect(world.printed.out).toContain(`allowed by exception ${made.id}, once, after decision ${asked?.id}`);
    expect(world.printed.out).toContain(`; silenced by exception ${made.id}`);
    expect(await told(list)).toEqual([]);
    await playAsk('third');
    expect(await rowsOf('--action', 'ask', '--rule', ASKS, '--session', 'third')).toHaveLength(1);
  });

  it('says what it made, and again for the same decision makes no second', async () => {
    await playAsk('first');
    const [asked] = await rowsOf('--action', 'ask', '--rule', ASKS);
    await world.run(allowOnce, asked?.id ?? '', '--within', '1h');
    expect(world.printed.out).toMatch(
      /passes basics\/generated-file once, until .*rules enable basics\/generated-file` takes it back/s,
    );
    await world.run(allowOnce, asked?.id ?? '');
    expect(await told<unknown[]>(list)).toHaveLength(1);
  });

  it('refuses what stopped nothing, is unknown, or would wait too long', async () => {
    await playAsk('first');
    const rows = await rowsOf();
    const [asked] = await rowsOf('--action', 'ask', '--rule', ASKS);
    const passed = rows.find(({ id }) => id !== asked?.id);
    await expect(async () => world.run(allowOnce, passed?.id ?? '')).rejects.toThrow(/stopped nothing: it was pass/);
    await expect(async () => world.run(allowOnce, 'nothing')).rejects.toThrow(CommandError);
    await expect(async () => world.run(allowOnce, asked?.id ?? '', '--within', '2d')).rejects.toThrow(/at most 24h/);
  });
});

describe('rules mode RULE off --for', () => {
  const RULE = 'basics/generated-file';

  it('quiets a rule until rules enable, and writes no settings', async () => {
    const made = await told<{ id: string; since: number; until: number }>(
      mode,
      ...[RULE, 'off', '--for', '1h', '--path', 'package-lock.json', '--reason', 'moving'],
    );
    expect(made).toMatchObject({ rules: [RULE], path: 'package-lock.json', reason: 'moving' });
    expect(made.until - made.since).toBe(3_600_000);
    expect((await told<{ quiet: unknown }>(rulesList)).quiet).toEqual([made]);
    world.printed.out = '';
    await world.run(rulesList);
    expect(world.printed.out).toContain(`${RULE} is quiet on package-lock.json`);
    await playAsk('first');
    expect(await rowsOf('--action', 'ask', '--rule', ASKS)).toEqual([]);
    world.printed.out = '';
    await world.run(enable, RULE);
    expect(world.printed.out).toMatch(/^Ended: e\w+ {2}basics\/generated-file is quiet/);
    expect((await told<{ quiet: unknown }>(rulesList)).quiet).toEqual([]);
    expect(existsSync(join(world.paths.config, 'config.yaml'))).toBe(false);
    await playAsk('second');
    expect(await rowsOf('--action', 'ask', '--rule', ASKS, '--session', 'second')).toHaveLength(1);
  });

  it('quiets a pack, and takes back what was allowed once', async () => {
    const { rules } = await told<{ rules: string[] }>(mode, 'basics', 'off', '--for', '1h');
    expect(rules).toContain(RULE);
    expect(rules.length).toBeGreaterThan(1);
    await world.run(enable, RULE);
    await playAsk('first');
    const [asked] = await rowsOf('--action', 'ask', '--rule', ASKS);
    await world.run(allowOnce, asked?.id ?? '');
    await world.run(enable, RULE);
    await playAsk('second');
    expect(await rowsOf('--action', 'ask', '--rule', ASKS, '--session', 'second')).toHaveLength(1);
  });

  it.each([
    [['ask', '--for', '1h'], /--for goes with off/],
    [['off', '--for', 'soon'], /--for takes a time/],
    [['off', '--path', 'x'], /--path goes with --for/],
  ])('refuses %j', async (argv, message) => {
    await expect(world.run(mode, RULE, ...argv)).rejects.toThrow(UsageError);
    await expect(world.run(mode, RULE, ...argv)).rejects.toThrow(message);
  });
});

describe('exception add, list and end, as they were', () => {
  it('is in force until it is ended', async () => {
    expect(await told(list)).toEqual([]);
    const made = await told<{ id: string; since: number; until: number }>(
      add,
      ...['basics/generated-file', '--for', '1h', '--path', 'package-lock.json', '--reason', 'moving'],
    );
    expect(made).toMatchObject({ rules: ['basics/generated-file'], path: 'package-lock.json', reason: 'moving' });
    expect(made.until - made.since).toBe(3_600_000);
    expect(await told(list)).toEqual([made]);
    await playAsk('first');
    expect(await rowsOf('--action', 'ask', '--rule', ASKS)).toEqual([]);
    world.printed.out = '';
    await world.run(doctor);
    expect(world.printed.out).toMatch(/Exception e\w+ {1,2}basics\/generated-file is quiet on package-lock\.json/);
    expect(await told(end, made.id)).toEqual({ ended: [made.id] });
    expect(await told(list)).toEqual([]);
  });

  it('ends all at once', async () => {
    await world.run(add, 'basics/generated-file', '--for', '1h');
    await world.run(add, 'basics/conflict-marker', '--for', '1h', '--command', 'x');
    const all = await told<{ id: string }[]>(list);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2);
    expect(await told(end, '--all')).toEqual({ ended: all.map(({ id }) => id) });
    await expect(async () => world.run(end, 'e1')).rejects.toThrow(/no exception "e1"/);
  });

  it.each<[string, Command, string[]]>([
    ['no end', add, ['basics/generated-file']],
    ['an unknown rule', add, ['basics/generated', '--for', '1h']],
    ['no id', end, []],
    ['an id and all', end, ['e1', '--all']],
  ])('refuses %s', async (_, command, argv) => {
    await expect(async () => world.run(command, ...argv)).rejects.toThrow(UsageError);
  });
});
