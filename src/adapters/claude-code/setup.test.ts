import { describe, expect, it } from 'vitest';
import type { AgentSetup } from '../../event/agent-setup.ts';
import { readSetup } from './setup.ts';

const place = { root: '/home/dev/project', home: '/home/dev', env: {} };
const SERVER = { command: 'serve' };

type Tree = Readonly<Record<string, unknown>>;

/** Reads from files that hold the given values as JSON, or a text as it is. */
function setupOf(tree: Tree, env: Readonly<Record<string, string>> = {}): AgentSetup {
  const readText = (path: string) => {
    const value = tree[path];
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  };
  return readSetup({ ...place, env }, { readText });
}

const inGlobal = (project: object, more: object = {}) => ({
  '/home/dev/.claude.json': { ...more, projects: { [place.root]: project } },
});
const plugin = (switches: object, copies: unknown, files: Tree = {}) => ({
  '/home/dev/.claude/settings.json': { enabledPlugins: switches },
  '/home/dev/.claude/plugins/installed_plugins.json': { version: 2, plugins: { 'graph@shop': copies } },
  '/plugins/graph/.mcp.json': { mcpServers: { index: SERVER } },
  ...files,
});
const COPY = [{ scope: 'user', installPath: '/plugins/graph' }];

describe('servers', () => {
  it.each<[string, Tree, readonly string[]]>([
    ['none', {}, []],
    ['of the project', { '/home/dev/project/.mcp.json': { mcpServers: { a: SERVER, b: SERVER } } }, ['a', 'b']],
    ['of the person', { '/home/dev/.claude.json': { mcpServers: { a: SERVER } } }, ['a']],
    ['of the person in this project', inGlobal({ mcpServers: { a: SERVER } }), ['a']],
    [
      'of the person in the repository that the project is a work tree of',
      {
        '/home/dev/.claude.json': { projects: { '/main': { mcpServers: { a: SERVER } } } },
        '/home/dev/project/.git': 'gitdir: /main/.git/worktrees/project\n',
        '/main/.git/worktrees/project/commondir': '../..\n',
        '/main/.git/worktrees/project/gitdir': '/home/dev/project/.git\n',
      },
      ['a'],
    ],
    [
      'in the older file, which wins',
      {
        '/home/dev/.claude/.config.json': { mcpServers: { a: SERVER } },
        '/home/dev/.claude.json': { mcpServers: { b: SERVER } },
      },
      ['a'],
    ],
    ['of another project', { '/home/dev/.claude.json': { projects: { '/other': { mcpServers: { a: SERVER } } } } }, []],
    ['named twice', inGlobal({ mcpServers: { a: SERVER } }, { mcpServers: { a: SERVER } }), ['a']],
    [
      'as their tools spell them',
      { '/home/dev/.claude.json': { mcpServers: { 'my graph.2': SERVER } } },
      ['my_graph_2'],
    ],
    [
      'switched off in this project',
      inGlobal({ mcpServers: { a: SERVER, b: SERVER }, disabledMcpServers: ['a'] }),
      ['b'],
    ],
    [
      'of the project that the person refused',
      {
        '/home/dev/project/.mcp.json': { mcpServers: { a: SERVER, b: SERVER } },
        '/home/dev/project/.claude/settings.local.json': { disabledMcpjsonServers: ['b'] },
      },
      ['a'],
    ],
    ['of a plugin', plugin({ 'graph@shop': true }, COPY), ['plugin_graph_index']],
    ['of a plugin in the older list', plugin({ 'graph@shop': true }, COPY[0]), ['plugin_graph_index']],
    ['of a plugin that is off', plugin({ 'graph@shop': false }, COPY), []],
    [
      'of a plugin that a stronger scope switches off',
      plugin({ 'graph@shop': true }, COPY, {
        '/home/dev/project/.claude/settings.json': { enabledPlugins: { 'graph@shop': false } },
      }),
      [],
    ],
    ['of a plugin that is not installed', plugin({ 'graph@shop': true }, undefined), []],
    ['of a plugin of another project', plugin({ 'graph@shop': true }, [{ ...COPY[0], projectPath: '/other' }]), []],
    [
      'of a plugin that names them without a frame, and in its description',
      plugin({ 'graph@shop': true }, COPY, {
        '/plugins/graph/.mcp.json': { index: SERVER },
        '/plugins/graph/.claude-plugin/plugin.json': { name: 'graph', mcpServers: { more: SERVER } },
      }),
      ['plugin_graph_index', 'plugin_graph_more'],
    ],
    ['in a broken file', { '/home/dev/.claude.json': '{"mcpServers": {', '/home/dev/project/.mcp.json': '[]' }, []],
    ['that are no servers', { '/home/dev/.claude.json': { mcpServers: { a: 1 }, projects: [] } }, []],
    ['under a name of every object', { '/home/dev/.claude.json': { projects: { constructor: {} } } }, []],
  ])('%s', (_, tree, servers) => {
    expect(setupOf(tree).servers.map(({ prefix }) => prefix)).toEqual(servers.map((name) => `mcp__${name}__`));
  });
});

describe('hooks', () => {
  const hooks = (event: string, ...list: readonly unknown[]) => ({
    hooks: { [event]: [{ matcher: '*', hooks: list }] },
  });
  const run = (command: string, more: object = {}) => ({ type: 'command', command, ...more });

  it.each<[string, Tree, AgentSetup['hooks']]>([
    [
      'of all scopes',
      {
        '/home/dev/.claude/settings.json': hooks('UserPromptSubmit', run('codegraph prompt-hook')),
        '/home/dev/project/.claude/settings.json': hooks('PreToolUse', run('a'), run('b')),
        '/home/dev/project/.claude/settings.local.json': hooks('Stop', run('node', { args: ['x.mjs', '-q'] })),
      },
      [
        { event: 'prompt.submit', command: 'codegraph prompt-hook' },
        { event: 'tool.before', command: 'a' },
        { event: 'tool.before', command: 'b' },
        { event: 'turn.stop', command: 'node x.mjs -q' },
      ],
    ],
    [
      'of a plugin',
      plugin({ 'graph@shop': true }, COPY, { '/plugins/graph/hooks/hooks.json': hooks('Stop', run('a')) }),
      [{ event: 'turn.stop', command: 'a' }],
    ],
    [
      'without a command',
      { '/home/dev/.claude/settings.json': hooks('Stop', { type: 'http', url: 'x' }, 7, null) },
      [],
    ],
    ['of events that nobody knows', { '/home/dev/.claude/settings.json': hooks('Whatever', run('a')) }, []],
    [
      'in broken shapes',
      { '/home/dev/.claude/settings.json': { hooks: { Stop: { hooks: [run('a')] }, Setup: 1 } } },
      [],
    ],
  ])('%s', (_, tree, expected) => {
    expect(setupOf(tree).hooks).toEqual(expected);
  });

  it('are read once where the home is the project', () => {
    const readText = (path: string) =>
      path === '/home/dev/.claude/settings.json' ? JSON.stringify(hooks('Stop', run('a'))) : undefined;
    expect(readSetup({ ...place, root: '/home/dev' }, { readText }).hooks).toHaveLength(1);
  });
});

it('follows the client to another directory', () => {
  const tree = {
    '/conf/.claude.json': { mcpServers: { a: SERVER } },
    '/conf/settings.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } },
    '/home/dev/.claude.json': { mcpServers: { b: SERVER } },
  };
  expect(setupOf(tree, { CLAUDE_CONFIG_DIR: '/conf' })).toEqual({
    servers: [{ name: 'a', prefix: 'mcp__a__' }],
    hooks: [{ event: 'turn.stop', command: 'x' }],
  });
});

const USER = '/home/dev/.claude/settings.json';
const LOCAL = '/home/dev/project/.claude/settings.local.json';

describe('window', () => {
  it.each<[string, Tree, Readonly<Record<string, string>>, number | undefined]>([
    ['nothing configured', {}, {}, undefined],
    ['a model that says nothing of it', { [USER]: { model: 'opus' } }, {}, undefined],
    ['a model of the large one', { [USER]: { model: 'sonnet[1m]' } }, {}, 1_000_000],
    [
      'another model in a stronger scope',
      { [USER]: { model: 'sonnet[1m]' }, [LOCAL]: { model: 'opus' } },
      {},
      undefined,
    ],
    [
      'by a variable of the settings',
      { [USER]: { model: 'opus', env: { ANTHROPIC_MODEL: 'opus[1M]' } } },
      {},
      1_000_000,
    ],
    ['by a variable', { [USER]: { model: 'opus' } }, { ANTHROPIC_MODEL: 'opus[1m]' }, 1_000_000],
  ])('%s', (_, tree, env, window) => {
    expect(setupOf(tree, env).window).toBe(window);
  });
});
