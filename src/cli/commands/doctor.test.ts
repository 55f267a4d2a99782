import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pausedId } from '../../engine/session/pause.ts';
import { turnId } from '../../engine/session/turn.ts';
import { BUILT_IN } from '../../packs/index.generated.ts';
import { openMemory } from '../../ledger/open.ts';
import { createUnrecordedCount } from '../../ledger/unrecorded.ts';
import { writeSwitch } from '../../state/switch.ts';
import { nodeFiles } from '../../platform/files.ts';
import { cellId } from '../../state/cells.ts';
import { row as plainRow } from '../../state/contract.ts';
import type { Finding } from '../doctor/report.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

async function examine(
  world: FakeWorld,
): Promise<{ code: number; findings: Finding[]; facts: Record<string, string> }> {
  world.printed.out = '';
  const code = await world.run(doctor, '--json');
  const { sections, healthy } = JSON.parse(world.printed.out) as {
    healthy: boolean;
    sections: { findings: Finding[]; facts: Record<string, string> }[];
  };
  expect(healthy).toBe(code === 0);
  return {
    code,
    findings: sections.flatMap(({ findings }) => findings),
    facts: Object.assign({}, ...sections.map(({ facts }) => facts)) as Record<string, string>,
  };
}

async function installed(): Promise<FakeWorld> {
  const world = stage.world();
  expect(await world.run(init, '--yes')).toBe(0);
  return world;
}

/** Rules that wait for somebody to switch them on: of a pack that does, or alone. */
const OFF_AT_FIRST = BUILT_IN.filter(
  ({ meta: { pack, mode, optIn } }) =>
    mode === 'off' || optIn === true || !['basics', 'guard', 'increments', 'peers'].includes(pack),
);

test('a fresh installation with a played session is healthy', async () => {
  const world = await installed();
  await stage.play(stage.calls('heavy-parcel'));
  const { code, findings, facts } = await examine(world);
  expect(findings).toEqual([]);
  expect(code).toBe(0);
  expect(facts).toMatchObject({
    engine: 'on',
    integrity: 'ok',
    project: stage.project,
    off: String(OFF_AT_FIRST.length),
    broken: '0',
    paused: '0',
  });
  expect(facts['events']).toMatch(/^94, the oldest of /);
  world.printed.out = '';
  expect(await world.run(doctor)).toBe(0);
  expect(world.printed.out).toContain('Nothing needs attention.');
});

interface Ill {
  readonly name: string;
  readonly level?: Finding['level'];
  make(world: FakeWorld): void | Promise<void>;
  readonly what: RegExp;
  readonly next: RegExp;
}

const settingsOf = (world: FakeWorld, text: string, file = 'config.yaml') => {
  mkdirSync(join(world.paths.config, 'rules'), { recursive: true });
  writeFileSync(join(world.paths.config, file), text);
};

const failing = JSON.stringify({ failedAt: [], openedAt: Date.now(), error: 'boom' });

const ills: readonly Ill[] = [
  {
    name: 'switched off',
    make: ({ paths }) => writeSwitch(nodeFiles, paths.state, { since: 1 }),
    what: /switched off/,
    next: /^fairlead on$/,
  },
  {
    name: 'a damaged database',
    make(world) {
      world.engine();
      world.close();
      for (const suffix of ['-wal', '-shm']) rmSync(join(world.paths.state, `state.db${suffix}`), { force: true });
      writeFileSync(
        join(world.paths.state, 'state.db'),
        'this is not a database, and it is long enough to be read as one',
      );
    },
    what: /damaged database was set aside: state\.db\.damaged-/,
    next: /rm '/,
  },
  {
    name: 'a key that is not known',
    level: 'note',
    make: (world) => settingsOf(world, 'packs: {basics: {enabled: true}}\nrulez: {}\n'),
    what: /config\.yaml:2 rulez: /,
    next: /edit /,
  },
  {
    name: 'a broken rule file',
    make: (world) => settingsOf(world, '---\nname: x\nevent: nothing-like-it\n---\nHi.\n', 'rules/x.md'),
    what: /rules\/x\.md:3 event: /,
    next: /edit /,
  },
  {
    name: 'words that do not fit their rule',
    level: 'note',
    make(world) {
      mkdirSync(join(world.paths.config, 'messages/basics/conflict-marker'), { recursive: true });
      settingsOf(world, 'Look at {nobody}.', 'messages/basics/conflict-marker/left.md');
    },
    what: /messages\/basics\/conflict-marker\/left\.md: nothing fills \{nobody\}/,
    next: /fairlead message list/,
  },
  {
    name: 'a project that is not trusted',
    make() {
      mkdirSync(join(stage.project, '.fairlead'));
      writeFileSync(join(stage.project, '.fairlead', 'config.yaml'), 'packs: {basics: {enabled: false}}\n');
    },
    what: /brings 1 file that is not trusted: config\.yaml/,
    next: /^fairlead trust /,
  },
  {
    name: 'an open breaker',
    make: (world) =>
      void world.engine().store.commit({
        reads: new Map(),
        changes: [
          { op: 'set', id: cellId('user', '', 'breaker', 'basics/conflict-marker'), value: failing, expires: 0 },
        ],
        now: Date.now(),
      }),
    what: /breaker of basics\/conflict-marker is open.*boom/,
    next: /fairlead log --rule basics\/conflict-marker/,
  },
  {
    name: 'a paused session',
    level: 'note',
    make: (world) =>
      void world.engine().store.commit({
        reads: new Map(),
        changes: [{ op: 'set', id: pausedId('abc'), value: '{"since":1,"turns":2}', expires: 0 }],
        now: Date.now(),
      }),
    what: /Session abc is paused, for \d+ d and 2 turns so far/,
    next: /^fairlead resume --session abc$/,
  },
  {
    name: 'sessions whose turns nobody can tell',
    make: (world) =>
      void world.engine().store.commit({
        reads: new Map(),
        changes: [
          { op: 'set', id: turnId('told'), value: '{"count":3}', expires: 0 },
          { op: 'set', id: turnId('adrift'), value: '{"count":0,"look":{"seen":70000}}', expires: 0 },
        ],
        now: Date.now(),
      }),
    what: /^The turns of 1 session are unknown, last of adrift: no prompt reached the engine/,
    next: /^fairlead init /,
  },
  {
    name: 'failures',
    make(world) {
      for (let count = 0; count < 3; count += 1) world.engine().failures.add('reading a payload', 'it is empty');
    },
    what: /^3× reading a payload: it is empty$/,
    next: /fairlead log --since/,
  },
  {
    name: 'a disk that was full',
    make({ paths }) {
      mkdirSync(paths.run, { recursive: true, mode: 0o700 });
      createUnrecordedCount(nodeFiles, () => [paths.run], Math.random).add({ events: 12, decided: 7 });
    },
    what: /^12 events could not be recorded; rules had decided on 7 of them\.$/,
    next: /has room; then rm '.*\/run\/unrecorded' to count anew$/,
  },
  {
    name: 'a killed engine',
    async make(world) {
      const killed = openMemory({
        path: join(world.paths.state, 'state.db'),
        busyMs: 500,
        resident: true,
        now: () => 0,
        random: Math.random,
        onFailure() {},
      });
      const row = {
        id: 'x',
        at: Date.now(),
        session: 'gone',
        agent: 'a',
        event: 'tool.before',
        tool: '',
        root: '/',
        action: 'pass',
        rules: '',
        chars: 0,
        replyBytes: 0,
        micros: 1,
        tier: 1,
        digest: '',
        changed: false,
        copy: false,
      } as const;
      killed.ledger.record(
        row,
        () => ({
          event: {},
          trace: [],
          decision: {},
          times: { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 },
          attempts: 0,
        }),
        false,
      );
      killed.ledger.flush();
      killed.db?.close();
    },
    what: /Session gone lacks the numbers 2–64/,
    next: /fairlead log --session gone/,
  },
  {
    name: 'a denial nobody hears',
    make: (world) =>
      settingsOf(
        world,
        '---\nname: late\nevent: session.end\naction: deny\npattern: x\n---\nToo late.\n',
        'rules/late.md',
      ),
    what: /user\/late may answer session\.end with "deny", and \S+ has no channel/,
    next: /fairlead rules show user\/late/,
  },
  {
    name: 'advice that has to wait',
    level: 'note',
    make: async (world) => {
      settingsOf(world, '---\nname: later\nevent: notification\n---\nLater.\n', 'rules/later.md');
      await world.run(init, '--yes');
    },
    what: /user\/later may answer notification with "note"/,
    next: /fairlead rules show user\/later/,
  },
  {
    name: 'installed twice',
    make: async (world) => void (await world.run(init, '--scope', 'user', '--yes')),
    what: /calls Fairlead twice on \d+ events: from .+ and /,
    next: /fairlead uninstall --scope /,
  },
];

test.each(ills)('$name', async ({ make, what, next, level = 'attention' }) => {
  const world = await installed();
  await make(world);
  const { code, findings } = await examine(world);
  const found = findings.filter((finding) => what.test(finding.what));
  expect(found, JSON.stringify(findings, null, 1)).toHaveLength(1);
  expect(found[0]).toMatchObject({ level, next: expect.stringMatching(next), why: expect.stringMatching(/\.$/) });
  expect(code).toBe(level === 'attention' ? 1 : 0);
});

test('no section with a broken rule file looks well', async () => {
  const world = await installed();
  settingsOf(world, '---\nname: x\nevent: nothing-like-it\n---\nHi.\n', 'rules/x.md');
  world.printed.out = '';
  expect(await world.run(doctor)).toBe(1);
  expect(world.printed.out).toMatch(/^! Settings$/m);
  expect(world.printed.out).toMatch(/^· Rules$/m);
});

test('a settings file that was good before stays in force and is named', async () => {
  const world = await installed();
  settingsOf(world, 'packs: {basics: {mode: shadow}}\n');
  await examine(world);
  await new Promise((resolve) => setTimeout(resolve, 150));
  settingsOf(world, 'packs: [\n');
  const { findings } = await examine(world);
  expect(findings.filter(({ why }) => why.includes('last good version')).length).toBeGreaterThan(0);
});

test('nothing installed', async () => {
  const { code, findings } = await examine(stage.world());
  expect(code).toBe(1);
  expect(findings).toMatchObject([
    {
      level: 'attention',
      what: expect.stringMatching(/^No agent that works in .* calls Fairlead\.$/),
      next: `fairlead init ${stage.project}`,
    },
  ]);
});

test('hooks of another home are not those of this command', async () => {
  await installed();
  const other = stage.world({ home: join(stage.home, '..', 'elsewhere') });
  mkdirSync(other.userHome, { recursive: true });
  const { findings } = await examine(other);
  expect(findings).toMatchObject([
    {
      what: expect.stringMatching(/another home than this command/),
      next: 'fairlead uninstall, then fairlead init',
    },
  ]);
});

test('a hook that cannot start', async () => {
  const world = await installed();
  const path = join(stage.project, '.claude', 'settings.local.json');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/[^"]*current\/fairlead(?=")/g, '/nowhere/bin/fairlead'));
  const { findings } = await examine(world);
  expect(findings).toMatchObject([
    { what: expect.stringMatching(/cannot start: .*\/nowhere\/bin\/fairlead/), next: 'fairlead init' },
  ]);
});

test('what others could read is closed and named; what cannot be closed needs attention', async () => {
  const world = await installed();
  await stage.play(stage.calls('heavy-parcel'));
  const { state } = world.paths;
  const db = join(state, 'state.db');
  mkdirSync(join(state, 'graph'), { mode: 0o700 });
  const index = join(state, 'graph/x');
  writeFileSync(index, '');
  for (const path of [db, index]) chmodSync(path, 0o644);
  chmodSync(state, 0o755);
  const { code, findings } = await examine(world);
  expect(code).toBe(0);
  expect(findings).toMatchObject([{ level: 'note', what: expect.stringContaining(`${state}, ${index}, ${db}`) }]);
  expect([state, index, db].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0, 0]);
  expect((await examine(world)).findings).toEqual([]);
  if (process.getuid?.() !== 0) return;
  chownSync(index, 65_534, 65_534);
  expect((await examine(world)).findings).toMatchObject([{ level: 'attention', what: expect.stringContaining(index) }]);
});

test.each(['__proto__', 'constructor', 'toString'])('a session may be called %s', async (session) => {
  const world = await installed();
  const { store, ledger, memory } = world.engine();
  const now = Date.now();
  store.commit({ reads: new Map(), changes: [], row: { ...plainRow('d1', session), at: now }, now });
  store.commit({ reads: new Map(), changes: [{ op: 'set', id: pausedId(session), value: '{}', expires: 0 }], now });
  ledger.flush();
  memory.db?.exec('UPDATE sequences SET reserved = reserved + 2');
  const { findings } = await examine(world);
  expect(findings.some(({ what }) => what.includes(`Session ${session} lacks`))).toBe(true);
  expect(findings.some(({ what }) => what.includes(`Session ${session} is paused`))).toBe(true);
});

test("a repository's settings that switch the hooks off are named", async () => {
  const world = await installed();
  mkdirSync(join(stage.project, '.claude'), { recursive: true });
  writeFileSync(join(stage.project, '.claude/settings.json'), '{"env": {"FAIRLEAD_DISABLED": "1"}}');
  const { code, findings } = await examine(world);
  expect(code).toBe(1);
  expect(findings).toMatchObject([{ level: 'attention', what: expect.stringContaining('env.FAIRLEAD_DISABLED') }]);
});
