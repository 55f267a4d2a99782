import { expect, it } from 'vitest';
import { adapterNamed } from './registry.ts';

const LOCATION = { root: '/home/dev/project', home: '/home/dev', env: {} };
const setupOf = (agent: string, files: Readonly<Record<string, string>>) =>
  adapterNamed(agent)?.readSetup?.(LOCATION, { readText: (path) => files[path] });

it('reads servers and hooks out of settings with comments', () => {
  const user = `{
    // "mcpServers": { "off": {} },
    "mcpServers": { "codegraph": { "command": "x // y" }, "broken": 7 }, /* more
    to come */
    "hooks": { "BeforeAgent": [{ "hooks": [{ "type": "command", "command": "codegraph prompt-hook" }] }] }
  }`;
  const project = '{ "mcpServers": { "codegraph": {}, "docs": { "url": "http://localhost" } } }';
  const files = { '/home/dev/.gemini/settings.json': user, '/home/dev/project/.gemini/settings.json': project };
  const setup = setupOf('gemini', files);
  expect(setup?.servers).toHaveLength(2);
  expect(setup?.servers).toEqual(
    expect.arrayContaining([
      { name: 'codegraph', prefix: 'mcp_codegraph_' },
      { name: 'docs', prefix: 'mcp_docs_' },
    ]),
  );
  expect(setup?.hooks).toEqual([{ event: 'prompt.submit', command: 'codegraph prompt-hook' }]);
});

it('knows what an agent puts before the names of tools', () => {
  const settings = '{ "mcpServers": { "docs": {} }, "hooks": { "UserPromptSubmit": [] } } // end';
  expect(setupOf('qwen', { '/home/dev/.qwen/settings.json': settings })).toEqual({
    servers: [{ name: 'docs', prefix: 'mcp__docs__' }],
    hooks: [],
  });
});

it('reads servers out of tables, but for those that are off, and hooks beside them', () => {
  const config = `[mcp_servers.codegraph]
command = "x"

[mcp_servers.codegraph.env]
A = "1"

[mcp_servers."my docs"]
url = "http://localhost"

[mcp_servers.old]
enabled = false
command = "y"
`;
  const hooks = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] } }';
  expect(setupOf('codex', { '/home/dev/.codex/config.toml': config, '/home/dev/.codex/hooks.json': hooks })).toEqual({
    servers: [
      { name: 'codegraph', prefix: 'mcp__codegraph__' },
      { name: 'my docs', prefix: 'mcp__my docs__' },
    ],
    hooks: [{ event: 'turn.stop', command: 'say done' }],
  });
});

it('reads servers of the person and of the project, whose tools are named after them', () => {
  const files = {
    '/home/dev/.copilot/mcp-config.json': '{ "mcpServers": { "codegraph": { "command": "x" } } }',
    '/home/dev/project/.mcp.json': '{ "mcpServers": { "codegraph": {}, "my-docs": {} } }',
    '/home/dev/.copilot/settings.json':
      '{ /* mine */ "hooks": { "agentStop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] } }',
  };
  expect(setupOf('copilot', files)).toEqual({
    servers: [
      { name: 'codegraph', prefix: 'codegraph-' },
      { name: 'my-docs', prefix: 'my-docs-' },
    ],
    hooks: [{ event: 'turn.stop', command: 'say done' }],
  });
});

it('reads servers out of the files that are for servers alone', () => {
  const setup = setupOf('kimi', {
    '/home/dev/.kimi-code/mcp.json': '{ "mcpServers": { "codegraph": { "command": "x" } } }',
    '/home/dev/project/.mcp.json': '{ "mcpServers": { "codegraph": {}, "docs": { "url": "http://localhost" } } }',
    '/home/dev/project/.kimi-code/mcp.json': 'broken',
  });
  expect(setup).toEqual({
    servers: [
      { name: 'codegraph', prefix: 'mcp__codegraph__' },
      { name: 'docs', prefix: 'mcp__docs__' },
    ],
    hooks: [],
  });
});

it('reads servers out of the settings of a person and a project, but for those that are off', () => {
  const user = '{ "mcp": { "codegraph": { "type": "local" }, /* mine */ "old": { "enabled": false } } }';
  const project = '{ "mcp": { "my docs": { "type": "remote" } } }';
  const files = { '/home/dev/.config/opencode/opencode.jsonc': user, '/home/dev/project/opencode.json': project };
  expect(setupOf('opencode', files)).toEqual({
    servers: [
      { name: 'codegraph', prefix: 'codegraph_' },
      { name: 'my docs', prefix: 'my_docs_' },
    ],
    hooks: [],
  });
});
