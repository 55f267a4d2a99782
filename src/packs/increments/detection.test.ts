import { afterEach, describe, expect, it } from 'vitest';
import { ALL_JOBS, countsOf, DEMO, demoWorld, dueIn, EDITED, editOf, metadata } from './increment.fixture.ts';
import { openWorld } from '../world.fixture.ts';
import type { World, WorldOptions } from '../world.fixture.ts';
import { writeSwitch } from '../../state/switch.ts';
import { nodeFiles } from '../../platform/files.ts';
import { ownSessionId } from '../../engine/limits/guards.ts';
import { createBatching } from '../../transport/batching.ts';
import { createDaemon } from '../../transport/daemon.ts';

let world: World;
afterEach(() => world.close());
const open = (options?: WorldOptions) => (world = demoWorld(options));

const tasks = () => editOf(world, `${DEMO}/tasks.md`);

const counts = () => countsOf(world);
const due = () => dueIn(world);

describe('switches', () => {
  it('while off, nothing is answered and nothing is written', async () => {
    open();
    writeSwitch(nodeFiles, world.paths.state, { since: world.now });
    world.now += 50;
    const before = snapshot();
    expect((await world.before('Edit', tasks())).stdout).toBe('');
    expect((await world.after('Edit', tasks(), EDITED)).stdout).toBe('');
    await world.pass(5_000);
    expect(snapshot()).toEqual(before);
  });

  it('an expired switch is none', async () => {
    open();
    writeSwitch(nodeFiles, world.paths.state, { since: world.now - 7_200_000, until: world.now - 3_600_000 });
    world.now += 50;
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    expect(Object.keys(world.cells('increments.pending'))).toEqual(['session-1 a']);
  });

  it('agents that we started are left alone', async () => {
    open();
    const payload = { hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: tasks(), tool_response: EDITED };
    const at = { session_id: 'deep', cwd: world.root };
    await world.send({ ...payload, ...at }, { depth: 1 });
    world.engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: ownSessionId('chosen'), value: '1', expires: 0 }],
      now: world.now,
    });
    await world.send({ ...payload, ...at, session_id: 'chosen' });
    expect(due()).toEqual([]);
    await world.send({ ...payload, ...at, session_id: 'ordinary' });
    expect(due()).toEqual(ALL_JOBS);
  });

  it('the environment of a call may silence the pack', async () => {
    open();
    const payload = { hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: tasks(), tool_response: EDITED };
    await world.send({ ...payload, session_id: 's', cwd: world.root }, { silenced: ['increments'] });
    expect(due()).toEqual([]);
    expect(await counts()).toEqual({});
  });

  it.each([
    ['it was started with the variable', { SPECWEAVE_DISABLE_HOOKS: '1' }, []],
    ['it was not', {}, ALL_JOBS],
  ])('the environment of an engine counts for events that bring none: %s', async (_name, env, expected) => {
    open();
    const payload = { hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: tasks(), tool_response: EDITED };
    const body = Buffer.from(JSON.stringify({ ...payload, session_id: 's', cwd: world.root }));
    const daemon = createDaemon({
      engine: world.engine,
      stamp: '1.0.0+1.a',
      pid: 1,
      userHome: world.home,
      batching: createBatching(() => world.now),
      isAlive: () => true,
      memoryBytes: () => 0,
      onStop() {},
      env,
    });
    await daemon.answerHttp({ agent: 'claude-code', body, size: body.length });
    expect(due()).toEqual(expected);
  });

  it('without .specweave there is nothing to do and nothing is made', async () => {
    world = openWorld();
    await world.before('Edit', editOf(world, 'src/a.ts'));
    await world.after('Edit', editOf(world, 'src/a.ts'), EDITED);
    expect(await counts()).toEqual({});
    expect(world.cells('increments.ring')).toEqual({});
    expect(world.work.write.filter((path) => path.startsWith(world.root))).toEqual([]);
  });

  it('`packs: {increments: off}` switches it off', async () => {
    open({ config: 'packs: { increments: off }' });
    await world.after('Edit', tasks(), EDITED);
    expect(due()).toEqual([]);
  });
});

describe('tiers', () => {
  it('an edit without a path leaves at tier 0 and adds its bit', async () => {
    open();
    await world.before('Edit', {});
    expect(await counts()).toMatchObject({ 'exit.before.0': 1, 'args.claude-code/PreToolUse.without': 1 });
    expect(world.cells('increments.ring')).toMatchObject({ 'claude-code/PreToolUse': { bits: '0' } });
  });

  it('an edit elsewhere leaves at tier 1 and touches no file', async () => {
    // The guard looks whether the path is a link.
    open({ config: 'packs: { guard: off }' });
    world.put('src/init.ts', 'a');
    await world.before('Edit', editOf(world, 'src/init.ts'));
    const before = fileWork();
    await world.before('Edit', editOf(world, 'src/init.ts'));
    await world.after('Edit', editOf(world, 'src/init.ts'), EDITED);
    expect(fileWork()).toEqual(before);
    expect(await counts()).toMatchObject({ 'exit.before.1': 2, 'exit.after.1': 1 });
  });

  it.each<[string, string, WorldOptions]>([
    ['another file of .specweave', '.specweave/config.json', {}],
    ['a completed increment', `${DEMO}/tasks.md`, { files: { [`${DEMO}/metadata.json`]: metadata('completed') } }],
    ['an archived increment', '.specweave/increments/_archive/0051-x/spec.md', {}],
    [
      'a paused one whose front matter says active',
      `${DEMO}/tasks.md`,
      { files: { [`${DEMO}/metadata.json`]: metadata('paused') } },
    ],
  ])('%s leaves at tier 2', async (_name, path, options) => {
    open(options);
    await world.before('Edit', editOf(world, path));
    await world.after('Edit', editOf(world, path), EDITED);
    expect(due()).toEqual([]);
    expect(await counts()).toMatchObject({ 'exit.before.2': 1, 'exit.after.2': 1 });
  });

  it.each([undefined, '{ broken'])('metadata %j, and the front matter says active', async (text) => {
    open(text === undefined ? {} : { files: { [`${DEMO}/metadata.json`]: text } });
    if (text === undefined) nodeFiles.remove(`${world.root}/${DEMO}/metadata.json`);
    await world.before('Edit', editOf(world, `${DEMO}/spec.md`));
    expect(await counts()).toMatchObject({ 'exit.before.3': 1 });
  });
});

describe('the ladder', () => {
  it('the signal of the first half is taken by the second', async () => {
    open();
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    world.now += 200;
    await world.after('Edit', tasks(), EDITED, { tool_use_id: 'a' });
    expect(due()).toEqual(ALL_JOBS);
    expect(world.cells('increments.dirty')[`${world.root} 0001-demo:ac-sync`]).toMatchObject({ marks: 1 });
    expect(world.cells('increments.pending')).toEqual({});
    expect(await counts()).toMatchObject({ 'detect.signal.hit': 1, 'exit.after.3': 1 });
  });

  it('two edits at once end in any order', async () => {
    open();
    const spec = editOf(world, `${DEMO}/spec.md`);
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    await world.before('Edit', spec, { tool_use_id: 'b' });
    await world.after('Edit', spec, EDITED, { tool_use_id: 'b' });
    await world.after('Edit', tasks(), EDITED, { tool_use_id: 'a' });
    expect(world.cells('increments.pending')).toEqual({});
    expect(await counts()).toMatchObject({ 'detect.signal.hit': 2 });
  });

  it('a failed edit drops its signal', async () => {
    open();
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    await world.failed('Edit', tasks(), 'no such text', { tool_use_id: 'a' });
    expect(world.cells('increments.pending')).toEqual({});
    expect(due()).toEqual([]);
  });

  it('without a signal the payload tells', async () => {
    open();
    await world.after('Edit', tasks(), EDITED);
    expect(due()).toEqual(ALL_JOBS);
    expect(await counts()).toMatchObject({ 'detect.payload.hit': 1, 'detect.signal.miss': 1 });
  });

  it('without a path the time of the files tells', async () => {
    open();
    world.put(`${DEMO}/tasks.md`, 'x', world.now - 500);
    await world.after('Edit', {}, {});
    expect(due()).toEqual(ALL_JOBS);
    expect(await counts()).toMatchObject({ 'detect.mtime.hit': 1 });
  });

  it('a change of long ago is none', async () => {
    open();
    world.put(`${DEMO}/tasks.md`, 'x', world.now - 2_500);
    await world.after('Edit', {}, {});
    expect(due()).toEqual([]);
    expect(await counts()).toMatchObject({ 'detect.none': 1, 'detect.mtime.miss': 1 });
  });

  it('all that has changed is taken', async () => {
    open({
      files: {
        '.specweave/increments/0002-more/metadata.json': metadata('active', '0002-more'),
        '.specweave/increments/0002-more/spec.md': '# More\n',
      },
    });
    world.put(`${DEMO}/spec.md`, '# Demo\n', world.now - 1_000);
    world.put('.specweave/increments/0002-more/spec.md', '# More!\n', world.now - 1_000);
    await world.after('Edit', {}, {});
    expect(due().filter((key) => key.endsWith('ac-sync'))).toEqual(['0001-demo:ac-sync', '0002-more:ac-sync']);
  });

  it.each([
    ['a command that names a watched file', `sed -i s/a/b/ ${DEMO}/tasks.md`, 500, undefined, ALL_JOBS],
    ['a command without a hint', 'ls', 500, undefined, []],
    ['a long command', `long-run ${DEMO}/tasks.md`, 50_000, 60_000, ALL_JOBS],
    ['a short command and an old change', `long-run ${DEMO}/tasks.md`, 50_000, 1_000, []],
  ])('%s: %s', async (_name, command, age, duration, expected) => {
    open();
    world.put(`${DEMO}/tasks.md`, 'x', world.now - age);
    await world.after(
      'Bash',
      { command },
      { stdout: '', stderr: '' },
      duration === undefined ? {} : { duration_ms: duration },
    );
    expect(due()).toEqual(expected);
    if (command === 'ls') expect(await counts()).toMatchObject({ 'exit.after.0': 1 });
  });

  it('a file that changed outside the agent counts when that is asked for', async () => {
    open({ config: 'packs: { increments: { watch: true } }' });
    await world.event('FileChanged', { file_path: `${world.root}/${DEMO}/tasks.md`, event: 'change' });
    expect(due()).toEqual(ALL_JOBS);
    expect(await counts()).toMatchObject({ 'detect.watch.hit': 1 });
  });

  it('the log says how and how late each was noticed', async () => {
    open();
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    world.now += 200;
    await world.after('Edit', tasks(), EDITED, { tool_use_id: 'a' });
    await world.pass(100);
    const bodies = world.engine.memory.db?.prepare('SELECT body FROM details ORDER BY n DESC LIMIT 1').all() as {
      body: string;
    }[];
    expect(JSON.parse(bodies[0]?.body ?? '{}').trace).toContainEqual(
      expect.objectContaining({
        rule: 'increments/detect',
        remark: true,
        reason: 'signal, 0.2 s old: tasks.md of 0001-demo',
      }),
    );
  });
});

describe('self-tuning', () => {
  const source = 'claude-code/PreToolUse';
  const start = (bits: string, state: string) => {
    open();
    world.engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: ring(source), value: JSON.stringify({ bits, state, since: 1 }), expires: 0 }],
      now: world.now,
    });
  };
  const sight = () => world.cells('increments.ring')[source];

  it('51 of 100 without make a source blind, and that is relayed', async () => {
    start('1'.repeat(50) + '0'.repeat(50), 'sighted');
    await world.before('Edit', {});
    expect(sight()).toMatchObject({ state: 'blind' });
    expect(await relays()).toEqual([expect.stringContaining(`${source} is blind`)]);
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    expect(world.cells('increments.pending')).toEqual({});
  });

  it('51 of 100 with bring it back, and the next edit signals again', async () => {
    start('0'.repeat(50) + '1'.repeat(50), 'blind');
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    expect(world.cells('increments.pending')).toEqual({});
    expect(sight()).toMatchObject({ state: 'sighted' });
    expect(await relays()).toEqual([expect.stringContaining(`${source} is sighted`)]);
    await world.before('Edit', tasks(), { tool_use_id: 'b' });
    expect(Object.keys(world.cells('increments.pending'))).toEqual(['session-1 b']);
  });

  it('what was long ago does not count', async () => {
    start('0'.repeat(100), 'blind');
    await world.before('Edit', {});
    expect(sight()).toMatchObject({ state: 'blind' });
    expect(await relays()).toEqual([]);
  });

  it('few samples judge nothing', async () => {
    start('0'.repeat(10), 'learning');
    await world.before('Edit', tasks(), { tool_use_id: 'a' });
    await world.pass(3_000);
    expect(sight()).toMatchObject({ state: 'learning', bits: `${'0'.repeat(10)}1` });
    expect(Object.keys(world.cells('increments.pending'))).toEqual(['session-1 a']);
  });
});

async function relays(): Promise<string[]> {
  await world.pass(100);
  const rows = world.engine.memory.db?.prepare('SELECT message FROM relays ORDER BY n').all() as { message: string }[];
  return rows.map(({ message }) => message);
}

function ring(source: string): string {
  return ['user', '', 'increments.ring', source].join('\u001f');
}

function fileWork(): string[] {
  return Object.values(world.work)
    .flat()
    .filter((path) => path.startsWith(world.root));
}

function snapshot(): unknown {
  const rows = (table: string) => world.engine.memory.db?.prepare(`SELECT * FROM ${table}`).all();
  return [rows('cells'), rows('events'), fileWork().filter((path) => world.work.write.includes(path))];
}
