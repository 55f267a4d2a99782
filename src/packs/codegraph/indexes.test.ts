import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { recorded } from '../../../test/fixtures/claude-code.ts';
import { EXPLORE, grep, INDEXED, openIndexed, seen, SERVER } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const CODE = { 'src/a.ts': 'export function parseConfig() {}\n' };
const servers = (...names: readonly string[]) =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) });
const ALL_SERVERS = servers('codegraph', 'repowise', 'graphify');

/** A session of an agent with an environment of its own. */
function start(session: string, variables: Readonly<Record<string, string>>): Promise<unknown> {
  return world.send(
    { hook_event_name: 'SessionStart', session_id: session, cwd: world.root, source: 'startup' },
    { variables },
  );
}

describe('an index', () => {
  it.each<[row: string, files: Readonly<Record<string, string>>, dirs: readonly string[], expected: string]>([
    ['a directory without a database', {}, ['.codegraph'], 'pass'],
    ['an empty database', { '.codegraph/codegraph.db': '' }, [], 'pass'],
    ['a file where the directory should be', { '.repowise': 'x' }, [], 'pass'],
    ['a directory where the file should be', {}, ['graphify-out/graph.json'], 'pass'],
    ['an empty directory', {}, ['graphify-out'], 'pass'],
    ['of Repowise', {}, ['.repowise'], 'note'],
    ['of Graphify', { 'graphify-out/graph.json': '{}' }, [], 'note'],
    ['that lies below the place only', { 'src/deep/.codegraph/codegraph.db': 'x' }, [], 'pass'],
    ['that lies between the place and the root', { 'src/.codegraph/codegraph.db': 'x' }, [], 'note'],
  ])('%s', async (_, files, dirs, expected) => {
    world = await openIndexed({ files: { ...CODE, ...files, '.mcp.json': ALL_SERVERS } });
    for (const dir of dirs) mkdirSync(join(world.root, dir), { recursive: true });
    expect(seen(await grep(world))).toBe(expected);
  });

  it.each<[what: string, env: Readonly<Record<string, string>>, file: string, expected: string]>([
    ['renamed', { CODEGRAPH_DIR: '.graph' }, '.graph/codegraph.db', 'note'],
    ['renamed, and looked for under the old name', { CODEGRAPH_DIR: '.graph' }, '.codegraph/codegraph.db', 'pass'],
    ['under WSL', { WSL_DISTRO_NAME: 'Debian' }, '.codegraph-wsl/codegraph.db', 'note'],
    ['renamed to a place outside', { CODEGRAPH_DIR: '../..' }, '.codegraph/codegraph.db', 'note'],
    ['of Graphify, renamed', { GRAPHIFY_OUT: 'out' }, 'out/graph.json', 'note'],
  ])('%s', async (_, env, file, expected) => {
    world = await openIndexed({ env, files: { ...CODE, '.mcp.json': ALL_SERVERS, [file]: 'x' } });
    expect(seen(await grep(world))).toBe(expected);
  });

  it.each<[what: string, variables: Readonly<Record<string, string>>, file: string, expected: string]>([
    ['renamed', { CODEGRAPH_DIR: '.graph' }, '.graph/codegraph.db', 'note'],
    ['renamed, and looked for under the old name', { CODEGRAPH_DIR: '.graph' }, '.codegraph/codegraph.db', 'pass'],
    ['under WSL', { WSL_DISTRO_NAME: 'Debian' }, '.codegraph-wsl/codegraph.db', 'note'],
    ['not under WSL', {}, '.codegraph-wsl/codegraph.db', 'pass'],
    ['of Graphify, renamed', { GRAPHIFY_OUT: 'out' }, 'out/graph.json', 'note'],
  ])('by the variables of the session’s agent, whatever the engine’s are: %s', async (_, variables, file, expected) => {
    const env = { CODEGRAPH_DIR: '.engine', GRAPHIFY_OUT: 'engine' };
    world = await openIndexed({ env, files: { ...CODE, '.mcp.json': ALL_SERVERS, [file]: 'x' } });
    await start('session-1', variables);
    expect(seen(await grep(world))).toBe(expected);
  });

  it('has a name of its own in each of two sessions at once', async () => {
    world = await openIndexed({ files: { ...CODE, '.mcp.json': SERVER, '.one/codegraph.db': 'x' } });
    await start('session-1', { CODEGRAPH_DIR: '.one' });
    await start('session-2', { CODEGRAPH_DIR: '.two' });
    const both = async () => [
      seen(await grep(world)),
      seen(await grep(world, {}, { session_id: 'session-2', prompt_id: 'p' })),
    ];
    expect(await both()).toEqual(['note', 'pass']);
    rmSync(join(world.root, '.one'), { recursive: true });
    world.put('.two/codegraph.db', 'x');
    await world.pass(60_000);
    await world.prompt('next');
    expect(await both()).toEqual(['pass', 'note']);
  });

  it('of the main checkout is not a linked work tree’s', async () => {
    world = await openIndexed();
    const gitDir = world.put('.git/worktrees/topic/gitdir', `${world.root}/trees/topic/.git\n`);
    world.put('.git/worktrees/topic/commondir', '../..\n');
    world.put('.git/HEAD', 'ref: refs/heads/main\n');
    world.put('trees/topic/.git', `gitdir: ${join(gitDir, '..')}\n`);
    world.put('trees/topic/src/a.ts', 'parseConfig();\n');
    const there = { cwd: join(world.root, 'trees/topic') };
    expect(seen(await grep(world, {}, there))).toBe('pass');
    expect(seen(await grep(world, { path: 'trees/topic/src' }))).toBe('pass');
    world.put('trees/topic/.codegraph/codegraph.db', 'x');
    world.put('trees/topic/.mcp.json', SERVER);
    await world.event('CwdChanged', { ...there, new_cwd: there.cwd });
    expect(seen(await grep(world, {}, there))).toBe('note');
  });

  it.each([
    [29, 'note'],
    [30, 'pass'],
  ])('%i directories above the place: %s', async (depth, expected) => {
    const path = Array.from({ length: depth }, () => 'd').join('/');
    world = await openIndexed({ files: { ...INDEXED, [`${path}/a.ts`]: 'x' } });
    expect(seen(await grep(world, { path }))).toBe(expected);
  });

  it('is looked for again after half a minute when it was there, after a minute when not', async () => {
    world = await openIndexed({ files: { ...CODE, '.mcp.json': SERVER } });
    expect(seen(await grep(world))).toBe('pass');
    world.put('.codegraph/codegraph.db', 'x');
    await world.pass(59_999);
    expect(seen(await grep(world))).toBe('pass');
    await world.pass(1);
    expect(seen(await grep(world))).toBe('note');
    rmSync(join(world.root, '.codegraph'), { recursive: true });
    await world.pass(29_999);
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('note');
    await world.pass(1);
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('pass');
  });

  it('is looked for at once when a session starts', async () => {
    world = await openIndexed({ files: { ...CODE, '.mcp.json': SERVER } });
    expect(seen(await grep(world))).toBe('pass');
    world.put('.codegraph/codegraph.db', 'x');
    await world.event('SessionStart', { session_id: 'session-2', source: 'startup' });
    expect(seen(await grep(world))).toBe('note');
  });

  it.each<[what: string, cwd: string, path: string | undefined, project: string, expected: string]>([
    ['a directory below', 'src/deep', undefined, '.', 'note'],
    ['a place beside it', 'src/deep', 'lib', '.', 'note'],
    ['the project lies elsewhere', 'src/deep', undefined, '../other', 'pass'],
    ['the project lies deeper than the index', 'src/deep', undefined, 'src', 'pass'],
    ['the place lies elsewhere', 'src/deep', '../other', '.', 'pass'],
  ])('of a project that nothing marks but the agent’s word: %s', async (_, cwd, path, project, expected) => {
    world = await openIndexed({ turn: 0 });
    rmSync(join(world.root, 'package.json'));
    for (const file of ['lib/c.ts', '../other/d.ts']) world.put(join(world.root, file), 'x');
    const call = { projectDir: join(world.root, project) };
    const answer = await world.send(
      {
        ...recorded('PreToolUse/bash.json'),
        session_id: 'session-1',
        cwd: join(world.root, cwd),
        tool_name: 'Grep',
        tool_input: { pattern: 'parseConfig', ...(path !== undefined && { path: join(world.root, path) }) },
      },
      call,
    );
    expect(seen(answer)).toBe(expected);
    expect(answer.note).not.toContain(world.home);
  });

  it('in the home directory is no index of everything below', async () => {
    world = await openIndexed({ files: CODE, turn: 0 });
    world.put(join(world.home, '.codegraph/codegraph.db'), 'x');
    world.put(join(world.home, '.claude.json'), SERVER);
    const search = { ...recorded('PreToolUse/bash.json'), session_id: 'session-1', cwd: join(world.root, 'src') };
    const input = { tool_name: 'Grep', tool_input: { pattern: 'parseConfig' } };
    expect(seen(await world.send({ ...search, ...input }, { projectDir: world.home }))).toBe('pass');
  });

  it('older than the code it covers is not recommended', async () => {
    world = await openIndexed();
    const path = join(world.root, 'src/a.ts');
    const edit = () => world.after('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, { filePath: path });
    world.put('.codegraph/codegraph.db', 'x', world.now);
    await world.pass(10_000);
    await edit();
    expect(seen(await grep(world))).toBe('note');
    await world.pass(50_000);
    await edit();
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('pass');
    world.put('.codegraph/codegraph.db-wal', 'x', world.now);
    expect(seen(await grep(world))).toBe('note');
  });

  it('an edit of something else than code leaves it as good as it was', async () => {
    world = await openIndexed();
    world.put('.codegraph/codegraph.db', 'x', world.now);
    await world.pass(60_000);
    const path = join(world.root, 'README.md');
    await world.after('Write', { file_path: path, content: 'x' }, { filePath: path });
    expect(seen(await grep(world))).toBe('note');
  });
});

describe('a way to ask', () => {
  it('names the one tool that the server offers', async () => {
    world = await openIndexed();
    const { note } = await grep(world);
    expect(note).toContain(`${EXPLORE} {"query":"parseConfig"}`);
    expect(note).not.toContain('codegraph_context');
  });

  it('a tool that was called here may be named for a week', async () => {
    world = await openIndexed({ files: { ...CODE, '.codegraph/codegraph.db': 'x' } });
    expect(seen(await grep(world))).toBe('pass');
    await world.before('mcp__plugin_cg_codegraph__codegraph_search', { query: 'x' });
    world.now += 7 * 86_400_000 - 1;
    await world.prompt('next');
    expect((await grep(world)).note).toContain('mcp__plugin_cg_codegraph__codegraph_search {"query":"parseConfig"}');
    await world.pass(1);
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('pass');
  });

  it('a program may be named when it is on the search path', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'fairlead-bin-'));
    const files = { ...CODE, '.codegraph/codegraph.db': 'x' };
    world = await openIndexed({ files, env: { PATH: bin } });
    expect(seen(await grep(world))).toBe('pass');
    world.close();
    writeFileSync(join(bin, 'codegraph'), '#!/bin/sh\n', { mode: 0o755 });
    world = await openIndexed({ files, env: { PATH: bin } });
    expect((await grep(world, { pattern: 'loadConfig|parseConfig' })).note).toContain(
      `\ncodegraph explore 'loadConfig parseConfig'\n`,
    );
    rmSync(bin, { recursive: true });
  });

  it('a program may be named when it is on the search path of the session’s agent', async () => {
    world = await openIndexed({ files: { ...CODE, '.codegraph/codegraph.db': 'x' }, env: { PATH: '/nowhere' } });
    const bin = join(world.home, 'bin');
    world.put(join(bin, 'codegraph'), '#!/bin/sh\n');
    chmodSync(join(bin, 'codegraph'), 0o755);
    await start('session-1', { PATH: bin });
    await start('session-2', { PATH: '/elsewhere' });
    expect((await grep(world)).note).toContain('\ncodegraph explore parseConfig\n');
    expect(seen(await grep(world, {}, { session_id: 'session-2' }))).toBe('pass');
  });

  it('one provider is spelled out, the others are named', async () => {
    world = await openIndexed({
      files: { ...INDEXED, '.mcp.json': ALL_SERVERS, 'graphify-out/graph.json': '{}', '.repowise/state.json': '{}' },
    });
    const { note } = await grep(world);
    expect(note).toContain('CodeGraph index covers src (Repowise, Graphify too)');
    expect(note).not.toContain('mcp__repowise');
  });

  it.each<[config: string, expected: string]>([
    ['{ order: [graphify] }', 'mcp__graphify__query_graph {"question":"parseConfig"}'],
    ['{ disable: [codegraph] }', 'mcp__graphify__query_graph {"question":"parseConfig"}'],
    ['{ disable: [codegraph, graphify] }', ''],
    ['7', EXPLORE],
    [
      '{ order: [atlas], extra: [{ id: atlas, name: Atlas, dir: .atlas, file: map.db, server: atlas, tools: [look] }] }',
      'Atlas index covers src (CodeGraph, Graphify too).\nmcp__atlas__look {"query":"parseConfig"}',
    ],
    ['{ disable: [codegraph, graphify], extra: [{ id: atlas, dir: ../.atlas, tools: [look] }, 7] }', ''],
  ])('as the person orders them: %s', async (providers, expected) => {
    world = await openIndexed({
      files: {
        ...INDEXED,
        '.mcp.json': servers('codegraph', 'graphify', 'atlas'),
        'graphify-out/graph.json': '{}',
        '.atlas/map.db': 'x',
      },
      config: `packs: { codegraph: { enabled: true, providers: ${providers} } }`,
    });
    const { note } = await grep(world);
    if (expected === '') expect(note).toBe('');
    else expect(note).toContain(expected);
  });

  it('a prompt that brought graph context buys the first search of its turn', async () => {
    world = await openIndexed({
      files: {
        ...INDEXED,
        '.claude/settings.json': JSON.stringify({
          hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'codegraph prompt-hook' }] }] },
        }),
      },
    });
    expect(seen(await grep(world))).toBe('pass');
    expect(seen(await grep(world))).toBe('note');
    expect(seen(await grep(world, {}, { agent_id: 'agent-7' }))).toBe('note');
  });
});
