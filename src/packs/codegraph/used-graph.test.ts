import { afterEach, describe, expect, it } from 'vitest';
import { ask, EXPLORE, grep, INDEXED, openIndexed, seen, setCareful, shell } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const marks = () => world.cells('codegraph.mark');

describe('a graph that was asked', () => {
  it('silences the rest of the turn', async () => {
    world = await openIndexed();
    await ask(world);
    expect(seen(await grep(world))).toBe('pass');
    expect(seen(await world.before('Glob', { pattern: '**/*.ts' }))).toBe('pass');
  });

  it('not the next turn', async () => {
    world = await openIndexed({ turn: 3 });
    await ask(world);
    await world.prompt('the fourth');
    expect(seen(await grep(world))).toBe('note');
  });

  it('not another transcript of the session', async () => {
    world = await openIndexed();
    await ask(world, EXPLORE, { transcript_path: `${world.home}/other.jsonl` });
    expect(seen(await grep(world))).toBe('note');
  });

  it('leaves a mark', async () => {
    world = await openIndexed({ turn: 2 });
    await ask(world);
    expect(marks()).toEqual({
      'session-1 main': {
        transcript_id: 'session-1',
        turn: 2,
        agent: 'main',
        families: ['codegraph'],
        outcome: 'used',
        at: world.now,
      },
    });
  });

  it('also where the transcript is missing', async () => {
    world = await openIndexed();
    await ask(world, EXPLORE, { transcript_path: '/nowhere/t.jsonl' });
    expect(Object.values(marks())).toMatchObject([{ transcript_id: 't', turn: 4 }]);
    expect(seen(await grep(world, {}, { transcript_path: '/nowhere/t.jsonl' }))).toBe('pass');
  });

  it('silences searches from a directory below', async () => {
    world = await openIndexed();
    await ask(world);
    expect(seen(await grep(world, { path: undefined }, { cwd: `${world.root}/src` }))).toBe('pass');
  });

  it.each([
    ['graphify', 'cd src && graphify query "where is parseConfig"'],
    ['fairlead', 'fairlead graph callers parseConfig'],
    ['fairlead', 'fairlead canvas impact parseConfig'],
  ])('%s may be asked by a command: %s', async (family, line) => {
    world = await openIndexed({
      files: { ...INDEXED, 'graphify-out/graph.json': '{}' },
    });
    const command = { command: line };
    const id = { tool_use_id: 'one' };
    await world.before('Bash', command, id);
    await world.after('Bash', command, { stdout: 'found', stderr: '' }, id);
    expect(Object.values(marks())).toMatchObject([{ families: [family], outcome: 'used' }]);
    expect(seen(await grep(world))).toBe('pass');
  });

  it.each([
    ['atlas find parseConfig', 'pass'],
    ['npx atlas callers parseConfig', 'pass'],
    ['atlas init', 'note'],
    ['globe find parseConfig', 'note'],
  ])('made by the command of a provider of the person’s own: %s, then %s', async (command, expected) => {
    const row = '{ id: atlas, dir: .atlas, program: atlas, verbs: [find, callers] }';
    world = await openIndexed({
      config: `packs: { codegraph: { enabled: true, providers: { extra: [${row}] } } }`,
    });
    await shell(world, command, { tool_use_id: 'one' });
    await world.after('Bash', { command }, { stdout: 'found', stderr: '' }, { tool_use_id: 'one' });
    expect(seen(await grep(world))).toBe(expected);
  });

  it('lists every family once, the first asked first', async () => {
    world = await openIndexed();
    await ask(world, 'mcp__plugin_wise_repowise__search_codebase');
    await ask(world);
    await ask(world, 'mcp__repowise__get_answer');
    expect(Object.values(marks())).toMatchObject([{ families: ['repowise', 'codegraph'] }]);
  });

  it.each([false, true])('that failed was asked all the same (careful: %s)', async (careful) => {
    world = await openIndexed();
    if (careful) setCareful(world, undefined);
    await world.before(EXPLORE, { query: 'x' }, { tool_use_id: 'one' });
    await world.failed(EXPLORE, { query: 'x' }, 'no server', { tool_use_id: 'one' });
    expect(Object.values(marks())).toMatchObject([{ outcome: 'attempted' }]);
    expect(seen(await grep(world))).toBe('pass');
  });

  it('counts from its beginning, for two minutes', async () => {
    world = await openIndexed();
    await world.before(EXPLORE, { query: 'x' }, { tool_use_id: 'one' });
    expect(seen(await grep(world))).toBe('pass');
    expect(marks()).toEqual({});
    await world.pass(119_999);
    expect(seen(await grep(world))).toBe('pass');
    await world.pass(1);
    expect(seen(await grep(world))).toBe('note');
  });

  it('is the agent’s own that asked', async () => {
    world = await openIndexed();
    await ask(world);
    const sub = { agent_id: 'agent-7', agent_type: 'explore' };
    expect(seen(await grep(world, {}, sub))).toBe('note');
    expect(seen(await grep(world, {}, sub))).toBe('pass');
    expect(seen(await grep(world))).toBe('pass');
  });

  it.each([undefined, 'killed'] as const)('is remembered by the next process (%s)', async (how) => {
    world = await openIndexed();
    await ask(world);
    world.restart(how);
    expect(seen(await grep(world))).toBe('pass');
  });
});

describe('no mark', () => {
  it.each<[row: string, tool: string, input: Readonly<Record<string, unknown>>]>([
    ['an unrelated command', 'Bash', { command: 'npm test' }],
    ['a command that only names a graph', 'Bash', { command: 'echo "codegraph explore x"' }],
    ['a graph’s command that asks nothing', 'Bash', { command: 'codegraph init && fairlead graph status' }],
    ['a tool of another server', 'mcp__othermcp__thing', {}],
    ['a server with a longer name', 'mcp__codegraph2__x', {}],
    ['a tool without a server', 'codegraph_explore', {}],
    ['a tool without a name', '', {}],
    ['an action of the built-in graph that asks nothing', 'mcp__fairlead__graph', { action: 'status' }],
  ])('%s', async (_, tool, input) => {
    world = await openIndexed();
    await world.before(tool, input, { tool_use_id: 'one' });
    await world.after(tool, input, 'done', { tool_use_id: 'one' });
    expect(marks()).toEqual({});
    expect(seen(await grep(world))).toBe('note');
  });

  it.each([
    { tool_name: null, tool_input: 7, tool_response: [] },
    { tool_name: EXPLORE, tool_input: null, tool_use_id: 7, session_id: null, transcript_path: null },
    { tool_name: ['x'], cwd: 3 },
  ])('a damaged event passes', async (fields) => {
    world = await openIndexed();
    const failures = world.engine.failures.read().length;
    expect((await world.event('PostToolUse', fields)).stdout).toBe('');
    expect(Object.keys(marks()).filter((key) => key.startsWith('session-1'))).toEqual([]);
    expect(world.engine.failures.read()).toHaveLength(failures);
  });

  it('a damaged mark is replaced', async () => {
    world = await openIndexed();
    await ask(world);
    const { store } = world.engine;
    const { id } = store.list('session', world.now).find((cell) => cell.id.includes('codegraph.mark')) ?? { id: '' };
    store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id, value: '{"families":7}', expires: 0 }],
      now: world.now,
    });
    expect(seen(await grep(world))).toBe('note');
    await ask(world);
    expect(Object.values(marks())).toMatchObject([{ families: ['codegraph'], turn: 4 }]);
  });

  it('what the built-in graph is asked by a command counts', async () => {
    world = await openIndexed();
    await shell(world, 'npx fairlead graph callers parseConfig', { tool_use_id: 'one' });
    expect(seen(await grep(world))).toBe('pass');
  });
});
