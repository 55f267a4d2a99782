import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { cellId } from '../../state/cells.ts';
import { appendToLog } from '../../state/session-log.ts';
import type { LoggedLine } from '../../state/session-log.ts';
import { UsageError } from '../command.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import { STATS_VIEWS } from '../stats-view.ts';
import type { StatsView } from '../pack-parts.ts';
import { stats } from './stats.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => {
  STATS_VIEWS.delete('basics');
  stage.remove();
});

/** Counts as a rule of the pack would, in the workspace that the verb is called in and in another one. */
function count(): void {
  const world = stage.world();
  const { telemetry, store, clock } = world.engine();
  const here = telemetry.of('basics', stage.project);
  here.count('runs', 3);
  here.time('span', 0.1);
  here.time('span', 30);
  here.peak('queue', 2);
  telemetry.of('basics', '/elsewhere').count('runs', 4);
  for (const [scope, owner] of [
    ['workspace', stage.project],
    ['workspace', '/elsewhere'],
    ['user', ''],
  ] as const) {
    const id = cellId(scope, owner, 'basics.state', 'a');
    store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: `"${owner}"`, expires: 0 }], now: clock.now() });
  }
  world.close();
}

const view: StatsView = {
  show: ({ pack, span, root, numbers: { counts, peaks }, cells }) =>
    `${pack} · last ${span} · ${root ?? 'all'} · runs ${counts['runs'] ?? 0} · queue ${peaks['queue'] ?? 0} · ${JSON.stringify(cells('workspace', 'basics.state'))} ${JSON.stringify(cells('user', 'basics.state'))}\n`,
  facts: ({ cells }) => ({ states: cells('user', 'basics.state').length }),
};

async function run(...argv: readonly string[]): Promise<string> {
  const world = stage.world({ columns: 140 });
  await world.run(stats, ...argv);
  return world.printed.out;
}

describe('a pack with a view of its own', () => {
  test('shows what was counted in this workspace, or in all', async () => {
    STATS_VIEWS.set('basics', async () => view);
    count();
    expect(await run('basics', '--since', '2d')).toBe(
      `basics · last 2d · ${stage.project} · runs 3 · queue 2 · [{"key":"a","value":"${stage.project}"}] [{"key":"a","value":""}]\n`,
    );
    expect(await run('basics', '--all')).toBe(
      'basics · last 24h · all · runs 7 · queue 2 · [] [{"key":"a","value":""}]\n',
    );
  });

  test('as JSON has the numbers with their percentiles, and what the view adds', async () => {
    STATS_VIEWS.set('basics', async () => view);
    count();
    expect(JSON.parse(await run('basics', '--json'))).toEqual({
      pack: 'basics',
      since: expect.any(Number) as number,
      root: stage.project,
      counts: { runs: 3 },
      peaks: { queue: 2 },
      times: { span: { count: 2, p50: 0.25, p95: 50, p99: 50, buckets: [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0] } },
      states: 1,
    });
  });

  test.each([
    ['--session', 's1'],
    ['--rule', 'basics/generated-file'],
  ])('is not kept by %s', async (option, value) => {
    STATS_VIEWS.set('basics', async () => view);
    await expect(run('basics', option, value)).rejects.toBeInstanceOf(UsageError);
  });
});

describe('a pack without one', () => {
  test('has the table of its rules', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const shown = await run('basics');
    const lines = shown.trimEnd().split('\n');
    expect(lines[0]).toBe('basics, in the last 24h');
    expect(lines[1]).toMatch(/^rule +mode +fires/);
    expect(lines.slice(2).every((line) => line.startsWith('basics/'))).toBe(true);
    expect(lines).toContainEqual(expect.stringMatching(/^basics\/generated-file +\w+ +1 +0 +1 /));
    const { rules, pack } = JSON.parse(await run('basics', '--json')) as { pack: string; rules: { rule: string }[] };
    expect(pack).toBe('basics');
    expect(rules).toHaveLength(lines.length - 2);
  });

  test.each<[readonly string[], RegExp]>([
    [['basic'], /no pack "basic"; did you mean "basics"/],
    [['--reset'], /--reset wants the name of a pack/],
    [['basics', '--all'], /--all goes with a pack that counts/],
    [['basics', 'guard'], /unexpected argument: guard/],
  ])('%j is a mistake', async (argv, message) => {
    await expect(run(...argv)).rejects.toThrow(message);
    await expect(run(...argv)).rejects.toBeInstanceOf(UsageError);
  });
});

describe('--session', () => {
  const line = (prompt: number, tokens: number, event: LoggedLine['event']): LoggedLine => ({
    ...{
      ts: '2026-03-10T10:00:00.000Z',
      prompt,
      tokens,
      pct: Math.floor((tokens * 100) / 200_000),
      window: 200_000,
      event,
    },
  });
  const keep = (session: string, ...lines: readonly LoggedLine[]) => {
    const { state } = stage.world().paths;
    for (const each of lines) appendToLog(nodeFiles, state, session, each);
  };

  test('shows how full its context was at each prompt', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const { sessions } = JSON.parse(await run('--json')) as { sessions: { session: string }[] };
    const session = sessions[0]?.session ?? '';
    expect(await run('--session', session)).not.toContain('Prompts');
    keep(session, line(1, 4_200, 'silent'), line(2, 124_900, 'checkpoint'));
    keep('another-session', line(1, 1, 'suppressed'));
    const shown = (await run('--session', session.slice(0, 8))).split('\nPrompts\n')[1] ?? '';
    expect(shown.split('\n').map((each) => each.trim().split(/ {2,}/))).toEqual([
      ['prompt', 'tokens', 'percent', 'event'],
      ['1', '4200', '2 %', 'silent'],
      ['2', '125k', '62 %', 'checkpoint'],
      [''],
    ]);
    expect(JSON.parse(await run('--session', session, '--json'))).toMatchObject({
      sessions: [{ session }],
      prompts: [line(1, 4_200, 'silent'), line(2, 124_900, 'checkpoint')],
    });
  });

  test('knows a session by its log alone, whatever its id looks like', async () => {
    for (const session of ['5f0c1b2a-0000-4000-8000-000000000000', '../Up', 's1']) {
      keep(session, line(3, 10, 'window-warning'));
      expect(await run('--session', session)).toContain('window-warning');
    }
    expect(await run('--session', '5f0c')).toContain('window-warning');
  });

  test('that is not known names those that are', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    const { sessions } = JSON.parse(await run('--json')) as { sessions: { session: string }[] };
    await expect(run('--session', 'nope')).rejects.toThrow(
      `no session "nope" here; the latest are ${sessions.map(({ session }) => session).join(', ')}`,
    );
  });
});

describe('--reset', () => {
  const runs = async () => {
    STATS_VIEWS.set('basics', async () => view);
    return (await run('basics', '--all')).replace(/.*(runs \d+).*\n/, '$1');
  };

  test('asks first', async () => {
    count();
    const no = stage.world({ answer: false });
    expect(await no.run(stats, 'basics', '--reset')).toBe(1);
    expect(no.asked).toEqual(['Reset the counters of basics in this project?']);
    expect(no.printed.out).toBe('Nothing was reset.\n');
    expect(await runs()).toBe('runs 7');
    const yes = stage.world({ answer: true });
    expect(await yes.run(stats, 'basics', '--reset')).toBe(0);
    expect(yes.printed.out).toBe('Reset 1 hour of counters of basics in this project.\n');
    expect(await runs()).toBe('runs 4');
  });

  test('nobody to ask is no yes', async () => {
    count();
    await expect(run('basics', '--reset')).rejects.toThrow(/nobody to ask/);
    expect(await runs()).toBe('runs 7');
    expect(JSON.parse(await run('basics', '--reset', '--all', '--yes', '--json'))).toEqual({ reset: 2 });
    expect(await runs()).toBe('runs 0');
    expect(await run('basics', '--reset', '--yes')).toBe('basics has counted nothing in this project.\n');
  });
});
