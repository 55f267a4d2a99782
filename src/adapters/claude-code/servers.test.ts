import { describe, expect, it } from 'vitest';
import type { Launch, Scope } from '../installer.ts';
import { applyEdits } from '../json-edit.ts';
import { serverSettings } from './servers.ts';
import { readSetup } from './setup.ts';

const ROOT = '/home/dev/project';
const LAUNCH: Launch = {
  command: '/usr/bin/node',
  args: ['/opt/f/bin/fairlead'],
  homeArgs: ['--config', '/c', '--state', '/s'],
};
const ENTRY = {
  type: 'stdio',
  command: '/usr/bin/node',
  args: ['/opt/f/bin/fairlead', 'mcp', '--config', '/c', '--state', '/s'],
  alwaysLoad: true,
};
const LINE = JSON.stringify(ENTRY)
  .replaceAll(/([,:])(?=["[t])/g, '$1 ')
  .replace(/^\{(.*)\}$/, '{ $1 }');
const NOTHING = { readText: () => undefined };

function settingsOf(scope: Scope, env: Readonly<Record<string, string>> = {}, files: object = {}) {
  const readText = (path: string): string | undefined => (files as Record<string, string>)[path];
  return serverSettings(scope, { root: ROOT, home: '/home/dev', env }, { readText });
}

function added(text: string, scope: Scope, launch = LAUNCH) {
  const result = settingsOf(scope).add(text, launch);
  if ('refusal' in result) throw new Error(result.refusal);
  return { ...result, text: applyEdits(text, result.edits) };
}

/** What the file holds where the client looks. */
function serversIn(text: string, scope: Scope): Record<string, unknown> {
  const all = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, Record<string, Record<string, object>>>;
  const holder = scope === 'local' ? all['projects']?.[ROOT] : all;
  return (holder?.['mcpServers'] ?? {}) as Record<string, unknown>;
}

const SCOPES: readonly Scope[] = ['local', 'project', 'user'];

describe('where', () => {
  it.each<[Scope, Record<string, string>, object, string, number]>([
    ['project', {}, {}, `${ROOT}/.mcp.json`, 0o644],
    ['local', {}, {}, '/home/dev/.claude.json', 0o600],
    ['user', {}, {}, '/home/dev/.claude.json', 0o600],
    ['user', { CLAUDE_CONFIG_DIR: '' }, {}, '/home/dev/.claude.json', 0o600],
    ['user', { CLAUDE_CONFIG_DIR: '/cc' }, {}, '/cc/.claude.json', 0o600],
    ['local', {}, { '/home/dev/.claude/.config.json': '{}' }, '/home/dev/.claude/.config.json', 0o600],
    ['local', { CLAUDE_CONFIG_DIR: '/cc' }, { '/cc/.config.json': '' }, '/cc/.config.json', 0o600],
  ])('%s with %j and %j', (scope, env, files, path, mode) => {
    expect(settingsOf(scope, env, files)).toMatchObject({ path, mode });
  });

  it('keeps the parts of one file apart', () => {
    const parts = SCOPES.map((scope) => settingsOf(scope).part);
    expect(parts).toEqual([`projects.${ROOT}.mcpServers`, 'mcpServers', 'mcpServers']);
  });

  it('asks for approval where the client does', () => {
    expect(SCOPES.filter((scope) => settingsOf(scope).approval !== undefined)).toEqual(['project']);
  });
});

const OTHER = { command: 'serve', args: ['x'] };
const FILES: Readonly<Record<string, string>> = {
  'no file': '',
  'an empty object': '{}',
  'an empty list': JSON.stringify({ a: 1, mcpServers: {}, projects: { [ROOT]: { mcpServers: {} } } }),
  'an empty project': `{\n "projects" : { "${ROOT}": { } },\n "mcpServers" : { }\n}`,
  'servers of others': JSON.stringify(
    { mcpServers: { x: OTHER }, projects: { [ROOT]: { mcpServers: { x: OTHER } } } },
    null,
    2,
  ),
  'another project': JSON.stringify({ projects: { '/other': { mcpServers: { fairlead: OTHER } } } }, null, '\t'),
  'odd lines': `\uFEFF{\r\n\t"numStartups":3 ,\r\n\t"projects":{"${ROOT}":{"allowedTools":[]\r\n}}\r\n\r\n}`,
};

describe.each(SCOPES)('%s: there and back', (scope) => {
  it.each(Object.entries(FILES))('%s', (_, before) => {
    const { text, edits, kept } = added(before, scope);
    expect(serversIn(text, scope)).toMatchObject({ fairlead: ENTRY });
    expect(settingsOf(scope).read(text)).toMatchObject({
      problems: [],
      own: [{ words: [ENTRY.command, ...ENTRY.args] }],
    });
    // All that was there is there still, in its order.
    let from = 0;
    for (const { at, removed, inserted } of [...edits].sort((a, b) => a.at - b.at)) {
      expect(removed).toBe('');
      expect(text).toContain(before.slice(from, at) + inserted);
      from = at;
    }
    expect(added(text, scope).edits).toEqual([]);
    const back = applyEdits(text, settingsOf(scope).remove(text, kept));
    if (before !== '') expect(back).toBe(before);
    // As the client leaves it: all in its own layout, with more in it.
    const rewritten = JSON.stringify({ ...(JSON.parse(text.replace(/^\uFEFF/, '')) as object), more: 1 }, null, 2);
    const after = applyEdits(rewritten, settingsOf(scope).remove(rewritten, kept));
    const first = JSON.parse(before.replace(/^\uFEFF/, '') || '{}') as object;
    expect(JSON.parse(after)).toEqual({ ...first, more: 1 });
  });
});

it('lays what it adds out like the rest', () => {
  expect(added('{\n    "a": 1\n}\n', 'local').text).toBe(
    `{\n    "a": 1,\n    "projects": {\n        "${ROOT}": {\n            "mcpServers": {\n                "fairlead": ${LINE}\n            }\n        }\n    }\n}\n`,
  );
  expect(added('{"a":1}', 'user').text).toBe(`{"a":1,"mcpServers":{"fairlead":${JSON.stringify(ENTRY)}}}`);
  expect(added('', 'project').text).toBe(`{\n  "mcpServers": {\n    "fairlead": ${LINE}\n  }\n}\n`);
});

it.each<[string, object]>([
  ['another place', { ...ENTRY, args: ['/older/bin/fairlead', 'mcp', '--config', '/c', '--state', '/s'] }],
  ['another Node', { ...ENTRY, command: '/older/node' }],
  ['a bare name', { command: 'fairlead', args: ['mcp'] }],
  ['what a person added', { ...ENTRY, command: 'fairlead', args: ['mcp'], env: { A: '1' }, alwaysLoad: false }],
])('brings an older entry to the new place: %s', (_, older) => {
  const text = JSON.stringify({ mcpServers: { x: OTHER, fairlead: older } }, null, 2);
  const after = added(text, 'user').text;
  expect(serversIn(after, 'user')).toEqual({
    x: OTHER,
    fairlead: { ...older, command: ENTRY.command, args: ENTRY.args },
  });
  expect(added(after, 'user').edits).toEqual([]);
});

it('finds its entry under another name, and adds no second one', () => {
  const text = JSON.stringify({ mcpServers: { graph: { ...ENTRY, command: 'node' } } });
  expect(Object.keys(serversIn(added(text, 'user').text, 'user'))).toEqual(['graph']);
  expect(applyEdits(text, settingsOf('user').remove(text, {}))).toBe('{}');
});

it.each<[string, string, string]>([
  ['a server of somebody else', '{"mcpServers":{"fairlead":{"command":"ship","args":["mcp"]}}}', 'is not this program'],
  ['one without a command', '{"mcpServers":{"fairlead":{"type":"http","url":"http://x"}}}', 'is not this program'],
  ['something that is no server', '{"mcpServers":{"fairlead":null}}', 'is not this program'],
  ['a list', '{"mcpServers":[]}', '"mcpServers" in it is not an object'],
  ['no object', '[]', 'does not hold a JSON object'],
  ['no JSON', '{"mcpServers":', 'does not hold a JSON object'],
])('refuses %s', (_, text, why) => {
  expect(settingsOf('user').add(text, LAUNCH)).toMatchObject({ refusal: expect.stringContaining(why) as string });
  expect(settingsOf('user').remove(text, {})).toEqual([]);
  expect(settingsOf('user').isTaken(text)).toBe(text.includes('fairlead'));
});

it.each<[string, string]>([
  ['{"mcpServers":{"a":{"command":5}}}', 'mcpServers.a.command'],
  ['{"mcpServers":{"a":{"command":"x","alwaysLoad":"yes"}}}', 'mcpServers.a.alwaysLoad'],
  ['{"mcpServers":{"a":1}}', 'mcpServers.a'],
  ['{"mcpServers":1}', 'mcpServers'],
  ['{"mcpServers":{},}', ''],
  ['[]', ''],
])('knows what the client would leave out: %s', (text, path) => {
  expect(
    settingsOf('user')
      .read(text)
      .problems.map((problem) => problem.path),
  ).toEqual([path]);
});

it.each(SCOPES)('%s: the setup that rules see has the server', (scope) => {
  const { path } = settingsOf(scope);
  const { text } = added('', scope);
  const place = { root: ROOT, home: '/home/dev', env: {} };
  expect(readSetup(place, NOTHING).servers).toEqual([]);
  const readText = (each: string): string | undefined => (each === path ? text : undefined);
  expect(readSetup(place, { readText }).servers).toEqual([{ name: 'fairlead', prefix: 'mcp__fairlead__' }]);
});
