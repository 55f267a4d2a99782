import { stamp } from '../../text/stamp.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import { log } from './log.ts';
import { clear, get, list } from './state.ts';
import { stats } from './stats.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

/** The rule keeps a stamp of the command, not its text. */
const FORCED_PUSH = stamp(['git push --force origin main']);

const SESSION = '586f2e51-c21d-4bcf-8472-b047eddabd85';

describe('log', () => {
  async function logged(...argv: string[]) {
    const world = stage.world();
    const code = await world.run(log, ...argv);
    return { code, lines: world.printed.out.trimEnd().split('\n') };
  }

  test('an empty ledger says so', async () => {
    expect(await logged()).toEqual({ code: 0, lines: [expect.stringContaining('The ledger is empty')] });
    expect(await logged('--json')).toEqual({ code: 0, lines: [''] });
  });

  test('one line per event, newest last, with everything on it', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const { lines } = await logged();
    expect(lines).toHaveLength(51);
    expect(lines[0]).toMatch(/^time +event +what +decision +rule +id$/);
    expect(lines.at(-1)).toMatch(/^(\d\d-\d\d )?\d\d:\d\d:\d\d {2}session\.end +\S+ +pass +\w{11}$/);
    expect(lines.find((line) => /package-lock/.test(line) && / ask /.test(line))).toMatch(
      / tool\.before +Edit package-lock\.json +ask +basics\/gen\S* +\w{11}$/,
    );
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('what is asked for is what is shown', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    await stage.play(stage.calls('compacted'), { startAt: Date.now() - 7_200_000 });
    const count = async (...argv: string[]) =>
      (await logged(...argv, '--json')).lines.filter((line) => line !== '').length;
    expect(await count('-n', 'all')).toBe(94 + 41);
    expect(await count('-n', '7')).toBe(7);
    expect(await count('--session', '586f', '-n', 'all')).toBe(94);
    expect(await count('--since', '1h', '-n', 'all')).toBe(94);
    expect(await count('--denied')).toBe(2);
    expect(await count('--denied', '--action', 'ask')).toBe(3);
    expect(await count('--action', 'ask', '--action', 'note')).toBe(3);
    expect(await count('--action', 'deny,note')).toBe(4);
    expect(await count('--rule', 'basics/generated-file')).toBe(1);
    expect(await count('--event', 'prompt.submit', '--session', SESSION)).toBe(3);
    const nothing = ['--rule', 'basics/generated-file', '--event', 'session.end'];
    expect((await logged(...nothing)).lines).toEqual([
      `No event matches in ${stage.project}; \`--all\` looks in every project.`,
    ]);
    expect((await logged(...nothing, '--all')).lines).toEqual(['No event matches.']);
    const [first] = (await logged('--action', 'ask', '--json')).lines.map((line) => JSON.parse(line) as object);
    expect(first).toMatchObject({
      session: SESSION,
      seq: 49,
      outcome: 'ask',
      rules: 'basics/generated-file',
      tier: 3,
    });
  });

  test.each([[['--last', 'x']], [['-n', '-3']], [['--action', 'stop']], [['--since', 'soon']]])(
    '%j is a mistake',
    async (argv) => {
      await expect(logged(...argv)).rejects.toBeInstanceOf(UsageError);
    },
  );
});

test.each<[Command, string]>([
  [log, '--rule'],
  [stats, '--rule'],
])('%o %s takes the name of a rule without its pack', async (command, option) => {
  await stage.play(stage.calls('compacted').slice(0, 5));
  const [short, whole] = ['repeated-failure', 'basics/repeated-failure'].map((name) => {
    const world = stage.world();
    return { world, run: world.run(command, option, name) };
  });
  await short?.run;
  await whole?.run;
  expect(short?.world.printed).toEqual(whole?.world.printed);
});

describe('a word that nothing is called is no empty answer', () => {
  test.each<[Command, string, string, RegExp]>([
    [log, '--session', 'nope', /no session "nope"/],
    [log, '--rule', 'generated-fil', /no rule "generated-fil"; did you mean "basics\/generated-file"/],
    [log, '--rule', 'no/such', /no rule "no\/such"; `fairlead rules list --all`/],
    [log, '--event', 'tool.befor', /no event is called "tool.befor"; did you mean "tool.before"/],
    [log, '--event', 'nope', /no event is called "nope"; there is session\.start, /],
    [stats, '--session', 'nope', /no session "nope"/],
    [stats, '--rule', 'basics/generated-fil', /did you mean "basics\/generated-file"/],
  ])('%o %s %s', async (command, option, word, message) => {
    await stage.play(stage.calls('compacted').slice(0, 5));
    const failure = stage.world().run(command, option, word);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(UsageError);
  });
});

describe('stats', () => {
  test('adds up with the ledger', async () => {
    const played = await stage.play(stage.calls('heavy-parcel'));
    const world = stage.world();
    await world.run(stats, '--json');
    const { totals, rules, sessions } = JSON.parse(world.printed.out) as {
      totals: object;
      rules: Record<string, number>[];
      sessions: object[];
    };
    const chars = played.reduce((sum, { row }) => sum + (row?.chars ?? 0), 0);
    expect(totals).toMatchObject({ events: 94, neutral: 89, denies: 2, asks: 1, notes: 2, chars });
    expect(sessions).toMatchObject([{ session: SESSION, events: 94, asks: 1, chars }]);
    expect(rules.reduce((sum, rule) => sum + (rule['chars'] ?? 0), 0)).toBe(chars);
    const before = played.filter(({ row }) => row?.event === 'tool.before').length;
    const failure = rules.find((rule) => String(rule['rule']) === 'basics/repeated-failure');
    const generated = rules.find((rule) => String(rule['rule']) === 'basics/generated-file');
    expect(generated).toMatchObject({ fires: 1, asks: 1, tier3: 1, tier2: 0, failures: 0, breaker: 'closed' });
    expect((generated?.['tier0'] ?? 0) + (generated?.['tier1'] ?? 0) + 1).toBe(before);
    expect(failure).toMatchObject({ fires: 1, notes: 1, followed: 1, ignored: 0, tier1: 0 });
  });

  test('one rule, one session, a time without events', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const world = stage.world({ columns: 140 });
    await world.run(stats, '--rule', 'basics/generated-file', '--session', '586f');
    expect(world.printed.out).toContain('1 event in session 586f2e51');
    expect(world.printed.out).not.toContain('basics/repeated-failure');
    const none = stage.world();
    await none.run(stats, '--since', '1s');
    expect(none.printed.out).toContain('No event in the last 1s.');
  });

  test('names what went wrong in the engine', async () => {
    const world = stage.world();
    world.engine().failures.add('reading a payload', 'it is empty');
    world.engine().failures.add('reading a payload', 'it is empty');
    await world.run(stats, '--json');
    expect((JSON.parse(world.printed.out) as { failures: object[] }).failures).toMatchObject([
      { what: 'reading a payload: it is empty', count: 2 },
    ]);
  });
});

describe('state', () => {
  async function cells(...argv: string[]) {
    const world = stage.world();
    await world.run(list, ...argv, '--json');
    return JSON.parse(world.printed.out) as {
      scope: string;
      owner: string;
      name: string;
      key: string;
      value: unknown;
      expiresIn?: number;
    }[];
  }

  test('lists every cell with whose it is', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const all = await cells();
    expect(all).toContainEqual(
      expect.objectContaining({ scope: 'session', owner: SESSION, name: 'project', value: stage.project }),
    );
    expect(all).toContainEqual(
      expect.objectContaining({
        scope: 'turn',
        owner: `${SESSION} · main · 1`,
        name: 'basics.failures',
        key: FORCED_PUSH,
        value: 1,
      }),
    );
    expect((await cells('--scope', 'user')).map(({ scope }) => scope)).toEqual(['user']);
    expect(await cells('--session', '586f')).toHaveLength(all.length - 1);
    const world = stage.world();
    await world.run(list);
    expect(world.printed.out).toMatch(/^scope +owner +name +key +value +expires in\n/);
  });

  test('get shows one, and a missing one is an error', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const world = stage.world();
    await world.run(get, 'basics.failures', '--key', FORCED_PUSH, '--json');
    expect(JSON.parse(world.printed.out)).toMatchObject([{ value: 1 }]);
    await expect(world.run(get, 'nothing')).rejects.toThrow(/no state cell is called "nothing"/);
  });

  test('clear takes exactly what was named', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const before = await cells();
    const world = stage.world();
    expect(await world.run(clear, 'basics.failures', '--key', FORCED_PUSH, '--yes')).toBe(0);
    expect(world.printed.out).toBe('Cleared 1 state cell.\n');
    expect(await cells()).toHaveLength(before.length - 1);
    await world.run(clear, '--session', '586f', '--yes');
    expect((await cells()).map(({ scope }) => scope)).toEqual(['user']);
    await world.run(clear, '--all', '--yes');
    expect(await cells()).toEqual([]);
    world.printed.out = '';
    expect(await world.run(clear, '--all')).toBe(0);
    expect(world.printed.out).toContain('nothing to clear');
  });

  test('a key that begins like another stays', async () => {
    const world = stage.world();
    const { store, clock } = world.engine();
    const id = (key: string) => ['user', '', 'mark', key].join('\u001f');
    store.commit({
      reads: new Map(),
      changes: ['a', 'ab'].map((key) => ({ op: 'set', id: id(key), value: '1', expires: 0 })),
      now: clock.now(),
    });
    await world.run(clear, 'mark', '--key', 'a', '--yes');
    expect((await cells()).map(({ key }) => key)).toEqual(['ab']);
  });

  test('clear asks a person first', async () => {
    await stage.play(stage.calls('compacted').slice(0, 5));
    const count = (await cells()).length;
    const no = stage.world({ answer: false });
    expect(await no.run(clear, '--all')).toBe(1);
    expect(no.asked).toEqual([`Clear ${count} state cells?`]);
    expect(await cells()).toHaveLength(count);
    const yes = stage.world({ answer: true });
    expect(await yes.run(clear, '--all')).toBe(0);
    expect(await cells()).toEqual([]);
  });

  test.each([[[]], [['turn', '--all']], [['--scope', 'galaxy']]])('clear %j is a mistake', async (argv) => {
    await expect(stage.world().run(clear, ...argv)).rejects.toBeInstanceOf(UsageError);
  });

  test('nobody to ask is no yes', async () => {
    await stage.play(stage.calls('compacted').slice(0, 5));
    await expect(stage.world().run(clear, '--all')).rejects.toThrow(/nobody to ask/);
  });
});
