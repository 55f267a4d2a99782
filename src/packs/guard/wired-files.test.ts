import { describe, expect, it } from 'vitest';
import { ROOT, send, toolEvent } from '../../engine/engine.fixture.ts';
import { NO_FACTS } from '../../event/facts.ts';
import type { Event } from '../../event/event.ts';
import type { Look } from '../../event/facts.ts';
import { edit, guardEngine, judge, shell, write } from '../guard.fixture.ts';

const DENIED = 'deny guard/self-protection';
const ASKED = 'ask guard/self-protection';
const SHARED = '.claude/settings.json';
const WIRED = JSON.stringify({ model: 'opus', hooks: { Stop: [{ hooks: [{ command: '/opt/fairlead-client' }] }] } });

/** What is said of a command in a project that is wired, when a look finds this. */
async function decide(command: string, look: Look) {
  const losses = (effects: readonly unknown[]) => effects.map(() => look);
  const engine = guardEngine({ files: { [SHARED]: WIRED }, wired: [SHARED], rules: ['guard/self-protection'] });
  return send(Object.assign(engine, { facts: { ...NO_FACTS, losses } }), shell(command));
}

const TAKEN: Look = { lost: [{ what: 'changed', count: 1, names: [SHARED] }] };

it.each([
  ['git clean -fdx', '`git clean -e .claude -fdx`'],
  ['git stash -u', "`git stash push -u -- . ':!.claude'`"],
  ['git checkout -- .', "`git checkout -- . ':!.claude'`"],
  ['git restore .', "`git restore . ':!.claude'`"],
  ['git reset --hard HEAD~1', "`git checkout HEAD~1 -- . ':!.claude'`"],
  ['git switch other', 'The same for other files passes'],
  ['find . -type f -mtime -1 -delete', 'The same for other files passes'],
])('%s is denied where it takes the file, and the way without it passes', async (command, way) => {
  const { action, reason = '' } = await decide(command, TAKEN);
  expect([action, reason.includes(way)]).toEqual(['deny', true]);
  const other = /The same without that file: `(.+?)`\./.exec(reason)?.[1];
  if (other !== undefined) expect((await decide(other, TAKEN)).action).toBe('pass');
});

it('what no look has found is denied to a clean, else asked about, but for a switch, which git refuses by itself', async () => {
  expect((await decide('git clean -fdx', { unseen: 'x' })).action).toBe('deny');
  expect((await decide('git checkout -- .', { unseen: 'x' })).action).toBe('ask');
  expect((await decide('git switch other', { unseen: 'x' })).action).toBe('pass');
  expect((await decide('git clean -fdx', { lost: [] })).action).toBe('pass');
});

const entry = { hooks: [{ type: 'command', command: '/opt/bin/fairlead', args: ['hook', '--agent', 'claude-code'] }] };
const HOOKED = JSON.stringify({ model: 'opus', hooks: { PreToolUse: [entry] } }, null, 2);

function multiEdit(...edits: readonly (readonly [before: string, after: string])[]): Event {
  const path = `${ROOT}/${SHARED}`;
  const all = edits.map(([before, after]) => ({ path, operation: 'replace', old: before, new: after }) as const);
  return toolEvent({
    kind: 'edit',
    name: 'MultiEdit',
    paths: [path],
    edits: all,
    input: { file_path: path, edits: all },
  });
}

describe('settings that change what hooks start, or let calls through', () => {
  const VARIABLES = ['NODE_OPTIONS', 'LD_PRELOAD', 'PATH', 'HOME', 'CLAUDE_CONFIG_DIR', 'XDG_STATE_HOME', 'BASH_ENV'];
  const set = (name: string) => JSON.stringify({ env: { [name]: '/tmp/x' } });
  const widened = (permissions: object) => JSON.stringify({ permissions });

  it.each(VARIABLES)('env of %s', async (name) => {
    const files = { [SHARED]: HOOKED };
    const put = `"env": {"${name}": "/tmp/x"}, "model": "opus"`;
    expect(await judge(write(SHARED, set(name)))).toBe(DENIED);
    expect(await judge(edit(SHARED, '"model": "opus"', put), { files })).toBe(DENIED);
    expect(await judge(multiEdit(['"model": "opus"', put]), { files })).toBe(DENIED);
    expect(await judge(edit(SHARED, '"model": "opus"', put))).toBe(DENIED);
    expect(await judge(`echo '${set(name)}' > ${SHARED}`)).toBe(DENIED);
    expect(await judge(`cat > ${SHARED} <<'E'\n${set(name)}\nE`)).toBe(DENIED);
  });

  it.each<[string, object]>([
    ['no questions', { defaultMode: 'bypassPermissions', allow: ['Bash(*)'] }],
    ['a mode', { defaultMode: 'acceptEdits' }],
    ['every command', { allow: ['Bash'] }],
  ])('permissions that are widened: %s', async (_, permissions) => {
    expect(await judge(write(SHARED, widened(permissions)))).toBe(ASKED);
    const put = `"permissions": ${JSON.stringify(permissions)}, "model": "opus"`;
    expect(await judge(edit(SHARED, '"model": "opus"', put), { files: { [SHARED]: HOOKED } })).toBe(ASKED);
    expect(await judge(`echo '${widened(permissions)}' > ${SHARED}`)).toBe(ASKED);
  });

  it('permissions of which what was denied is taken out', async () => {
    const files = { [SHARED]: widened({ deny: ['Bash(rm *)'] }) };
    expect(await judge(write(SHARED, widened({ deny: [] })), { files })).toBe(ASKED);
    expect(await judge(write(SHARED, widened({ deny: ['Bash(rm *)', 'Read(.env)'] })), { files })).toBe('pass');
  });

  it.each([
    ['a variable of the project', JSON.stringify({ env: { PORT: '1' } })],
    ['a permission for one command', widened({ allow: ['Bash(npm test)'] })],
    ['a path of a server', JSON.stringify({ mcpServers: { a: { env: { PATH: '/usr/bin' } } } })],
  ])('passes: %s', async (_, text) => {
    expect(await judge(write(SHARED, text))).toBe('pass');
  });
});

it('several edits of which one does not fit are as one', async () => {
  const files = { [SHARED]: HOOKED };
  expect(await judge(multiEdit(['/opt/bin/fairlead', 'true'], ['"none"', '"x"']), { files })).toBe(DENIED);
  expect(await judge(multiEdit(['/opt/bin/fairlead', 'true'], ['"none"', '"x"']))).toBe(DENIED);
  expect(await judge(multiEdit(['"opus"', '"haiku"'], ['"none"', '"x"']), { files })).toBe('pass');
});
