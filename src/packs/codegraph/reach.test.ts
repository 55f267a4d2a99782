import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { validateSettings } from '../../adapters/claude-code/install-validate.ts';
import { init } from '../../cli/commands/init.ts';
import { fakeWorld } from '../../cli/world.fixture.ts';
import { answer } from '../../transport/answer.ts';
import { recorded } from '../../../test/fixtures/claude-code.ts';
import { ask, EXPLORE, grep, INDEXED, openIndexed, seen, setCareful, shell } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const sent = (body: string) =>
  answer(
    {
      agent: 'claude-code',
      body: new TextEncoder().encode(body),
      size: Buffer.byteLength(body),
      cwd: world.root,
      home: world.home,
      env: {},
    },
    world.engine,
  );

describe('what reaches the engine', () => {
  it.each([
    ['a body that is not JSON', '{"tool_name": "Gr', 'it is not JSON'],
    ['an empty body', '', 'it is empty'],
  ])('%s is stopped, since it may be a tool call, and is counted', async (_, body, why) => {
    world = await openIndexed();
    expect((await sent(body)).stdout).toContain('"deny"');
    expect(world.engine.failures.read().map(({ message }) => message)).toEqual([why]);
  });

  it('what init registers sends every tool, before and after', async () => {
    world = await openIndexed();
    const cli = fakeWorld({ home: world.home, cwd: world.root, env: { PATH: process.env['PATH'] } });
    expect(await cli.run(init, '--yes', '--pack', 'codegraph')).toBe(0);
    cli.close();
    const file = join(world.root, '.claude', 'settings.local.json');
    const text = readFileSync(file, 'utf8');
    expect(validateSettings(text)).toEqual([]);
    const { hooks } = JSON.parse(text) as {
      hooks: Record<string, { matcher?: string; hooks: unknown[] }[]>;
    };
    for (const event of ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'Stop', 'SubagentStop'])
      for (const tool of ['Read', 'Grep', 'Glob', 'Bash', EXPLORE])
        expect(
          hooks[event]?.some(({ matcher = '', hooks: list }) => list.length > 0 && ['', '*', tool].includes(matcher)),
          `${event} ${tool}`,
        ).toBe(true);
  });
});

describe('what the pack adds to the cost of an event', () => {
  type Step = () => unknown;
  /** Looks at files during the last of some steps, with the pack on or off. */
  const workOf = async (pack: 'on' | 'off', steps: () => readonly Step[]) => {
    world = await openIndexed({ config: `packs: { codegraph: ${pack} }` });
    world.put('src/one/two/c.ts', 'x');
    const all = steps();
    for (const step of all.slice(0, -1)) await step();
    const { stat, open, list } = world.work;
    const before = [stat.length, open.length, list.length];
    await all.at(-1)?.();
    const work = [stat, open, list].map((paths, at) => paths.length - (before[at] ?? 0));
    const [stats = 0, opened = 0, listed = 0] = work;
    return { stats, opened, listed };
  };
  const added = async (steps: () => readonly Step[]) => {
    const off = await workOf('off', steps);
    world.close();
    const on = await workOf('on', steps);
    return {
      stats: on.stats - off.stats,
      opened: on.opened - off.opened,
      listed: on.listed - off.listed,
    };
  };
  const read = () =>
    sent(JSON.stringify({ ...recorded('PreToolUse/read.json'), cwd: world.root, session_id: 'session-1' }));
  const search = () => grep(world, { path: 'src/one/two' });
  const next = () => world.prompt('next');

  it.each<[what: string, steps: () => readonly Step[]]>([
    ['a read', () => [read, read]],
    ['a command that searches nothing', () => [() => shell(world, 'npm test'), () => shell(world, 'npm run build')]],
    ['an edit elsewhere', () => [() => world.after('Write', { file_path: 'README.md', content: 'x' }, {})]],
  ])('%s: no look at any file', async (_, steps) => {
    expect(await added(steps)).toEqual({ stats: 0, opened: 0, listed: 0 });
  });

  it('the first search below four directories: a look at its path, and four for each of them', async () => {
    const { stats, listed } = await added(() => [search]);
    expect(stats).toBeGreaterThan(1);
    expect(stats).toBeLessThanOrEqual(1 + 4 * 4);
    expect(listed).toBe(0);
  });

  it('the next one: a look at its path', async () => {
    expect(await added(() => [search, next, search])).toEqual({ stats: 1, opened: 0, listed: 0 });
  });
});

describe('two at once', () => {
  it('sessions have marks, turns and notes of their own', async () => {
    world = await openIndexed();
    const other = { session_id: 'session-2', transcript_path: `${world.home}/session-2.jsonl` };
    await world.prompt('hello', other);
    await ask(world);
    expect(seen(await grep(world, {}, other))).toBe('note');
    expect(seen(await grep(world))).toBe('pass');
    await world.prompt('next', other);
    expect(seen(await grep(world))).toBe('pass');
    expect(seen(await grep(world, {}, other))).toBe('note');
    await world.before(EXPLORE, { query: 'x' }, { tool_use_id: 'one', ...other });
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('note');
  });

  it('work trees have indexes, edits and careful mode of their own', async () => {
    world = await openIndexed();
    const tree = join(world.home, 'topic');
    const gitDir = world.put('.git/worktrees/topic/gitdir', `${tree}/.git\n`);
    world.put('.git/worktrees/topic/commondir', '../..\n');
    world.put('.git/HEAD', 'ref: refs/heads/main\n');
    world.put(join(tree, '.git'), `gitdir: ${join(gitDir, '..')}\n`);
    for (const [path, text] of Object.entries(INDEXED)) world.put(join(tree, path), text);
    const there = { cwd: tree, session_id: 'session-2', transcript_path: `${world.home}/session-2.jsonl` };
    const fromThere = { projectDir: tree };
    const prompt = () =>
      world.send(
        { hook_event_name: 'UserPromptSubmit', prompt: 'x', prompt_id: `${Math.random()}`, ...there },
        fromThere,
      );
    const search = () =>
      world.send(
        {
          ...recorded('PreToolUse/bash.json'),
          ...there,
          tool_name: 'Grep',
          tool_input: { pattern: 'parseConfig' },
          tool_use_id: `${Math.random()}`,
        },
        fromThere,
      );

    setCareful(world, undefined, tree);
    await prompt();
    expect(seen(await search())).toBe('deny');
    expect(seen(await grep(world))).toBe('note');

    setCareful(world, undefined);
    await prompt();
    await world.prompt('next');
    expect(seen(await search())).toBe('note');
    expect(seen(await grep(world))).toBe('deny');

    world.put('.codegraph/codegraph.db', 'x', world.now);
    world.put(join(tree, '.codegraph/codegraph.db'), 'x', world.now);
    await world.pass(60_000);
    const path = join(tree, 'src/a.ts');
    await world.after('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, { filePath: path }, there);
    await prompt();
    await world.prompt('next');
    expect(seen(await search())).toBe('pass');
    expect(seen(await grep(world))).toBe('deny');
  });
});
