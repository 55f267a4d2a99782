import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activeRule, policyOf } from '../../engine/engine.fixture.ts';
import type { Mode } from '../../event/verdict.ts';
import { nodeFiles } from '../../platform/files.ts';
import { ensureHttpAccess, readHttpAccess } from '../../transport/http-access.ts';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { inspectInstall } from '../install/inspect.ts';
import { parseArguments } from '../dispatch.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from '../world.fixture.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

let tree: Tree;
let project: string;
let local: string;
let user: string;
let worlds: FakeWorld[];

beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
  tree.put('project/.gitignore', '.claude/settings.local.json\n');
  local = join(project, '.claude', 'settings.local.json');
  user = join(tree.home, '.claude', 'settings.json');
  worlds = [];
});
afterEach(() => {
  for (const each of worlds) each.close();
  return tree.remove();
});

function world(options: Partial<FakeWorldOptions> = {}): FakeWorld {
  const made = fakeWorld({ home: tree.home, cwd: project, env: { PATH: process.env['PATH'] }, ...options });
  worlds.push(made);
  return made;
}

function put(path: string, text: string, mode = 0o644): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return text;
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
const read = (path: string): string => readFileSync(path, 'utf8');
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const transports = (at: FakeWorld) => inspectInstall(project, at).flatMap(({ transport }) => transport ?? []);
const accessOf = ({ paths }: FakeWorld) => readHttpAccess(nodeFiles, paths.run);
const NAMED = ['--agent', 'claude-code'];
const HTTP = ['--transport', 'http', '--despite-other-users'];
const MINE = '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "mine.sh" }] }]\n  }\n}';

describe('http', () => {
  it('writes the settled port and token into a file for one person, and shows no token', async () => {
    put(local, MINE);
    const shown = world();
    await shown.run(init, ...HTTP, '--dry-run');
    expect(shown.printed.out).toMatch(/Bearer \S{4}…/);
    const at = world();
    expect(await at.run(init, ...HTTP, '--yes')).toBe(0);
    const { port = 0, token = '' } = accessOf(at) ?? {};
    const post = { type: 'http', url: `http://127.0.0.1:${port}/hook/claude-code` };
    expect(JSON.parse(read(local))).toMatchObject({
      hooks: {
        PreToolUse: [{ hooks: [{ ...post, headers: { Authorization: `Bearer ${token}` }, timeout: 60 }] }],
        Stop: [{ hooks: [{ command: 'mine.sh' }] }, { hooks: [post] }],
        SessionStart: [{ hooks: [{ type: 'command' }] }],
        UserPromptSubmit: [{ hooks: [{ type: 'command' }] }],
      },
    });
    expect([modeOf(local), modeOf(at.paths.run), modeOf(join(at.paths.run, 'token'))]).toEqual([0o600, 0o700, 0o600]);
    expect(flat(at.printed.out)).toContain(`events posted to 127.0.0.1:${port}; SessionStart, `);
    expect(at.printed.out).toContain('mode 0644 becomes 0600');
    expect(at.printed.out + at.printed.err).not.toContain(token.slice(0, 8));
    expect(at.printed.err).toBe('');

    at.printed.out = '';
    expect(await at.run(init, ...HTTP, '--yes')).toBe(0);
    expect(at.printed.out).toContain('Nothing to do');
    expect(await at.run(uninstall, '--yes')).toBe(0);
    expect(at.printed.out).toContain('0600 becomes 0644, as it was before');
    expect(at.printed.out).not.toContain(token.slice(0, 8));
    expect([read(local), modeOf(local)]).toEqual([MINE, 0o644]);
  });

  it('makes a new file for one person from the start, and takes it away again', async () => {
    const at = world();
    await at.run(init, ...HTTP, '--yes');
    expect(modeOf(local)).toBe(0o600);
    await at.run(uninstall, '--yes');
    expect(existsSync(join(project, '.claude'))).toBe(false);
  });

  it('shares port and token between scopes', async () => {
    const at = world();
    await at.run(init, ...HTTP, '--yes');
    await at.run(init, ...HTTP, '--scope', 'user', '--yes');
    const { token = '' } = accessOf(at) ?? {};
    expect([read(local).includes(token), read(user).includes(token)]).toEqual([true, true]);
    expect(transports(at)).toEqual(['http', 'http']);
    await at.run(uninstall, '--scope', 'user', '--yes');
    expect([existsSync(user), transports(at)]).toEqual([false, ['http']]);
  });

  it.each([[['--dry-run']], [[]]])('leaves nothing behind when nothing is written: %j', async (args) => {
    const at = world();
    await at.run(init, ...HTTP, ...args);
    expect(at.printed.out).toContain('Bearer ');
    expect([existsSync(local), existsSync(at.paths.run)]).toEqual([false, false]);
  });

  it('takes the token that another process settled while a person was reading', async () => {
    const at = world({ answer: true });
    const access = { port: 20_001, token: 'cd'.repeat(32) };
    const racing = {
      ...at,
      ask: async () => {
        mkdirSync(at.paths.run, { recursive: true });
        ensureHttpAccess(nodeFiles, at.paths.run, access);
        return true;
      },
    };
    await init.run(parseArguments(init, [...NAMED, ...HTTP]), racing);
    expect(read(local)).toContain(access.token);
    expect(read(local)).toContain(':20001/');
    await at.run(uninstall, '--yes');
    expect(existsSync(local)).toBe(false);
  });

  it.each<[string[], string | RegExp]>([
    [[...HTTP, '--scope', 'project'], 'a shared file cannot hold one'],
    [['--transport', 'http'], /another user of this machine.* can take the port[^]*--despite-other-users\.$/],
    [['--transport', 'http', '--scope', 'user'], 'another user of this machine'],
    [['--despite-other-users'], 'belongs to --transport http'],
    [['--transport', 'command', '--despite-other-users'], 'belongs to --transport http'],
    [['--transport', 'carrier-pigeon'], '--transport is one of auto, http, command'],
  ])('%j is refused', async (args, message) => {
    const at = world({ env: { PATH: `${join(process.cwd(), 'bin')}:${process.env['PATH']}` } });
    await expect(at.run(init, ...args, '--yes')).rejects.toThrow(message);
    expect([existsSync(at.paths.run), existsSync(local), existsSync(user)]).toEqual([false, false, false]);
  });

  it.each<[string, () => Partial<FakeWorldOptions>, string]>([
    [
      'addresses are limited',
      () => (put(user, '{"allowedHttpHookUrls":["https://*"]}'), {}),
      'does not allow http://127.0.0.1:',
    ],
    [
      'a proxy is set',
      () => ({ env: { PATH: process.env['PATH'], HTTP_PROXY: 'http://p' } }),
      'the token to the proxy',
    ],
    ['git would commit the file', () => (tree.put('project/.gitignore', ''), {}), 'it holds a token'],
  ])('says so when %s', async (_, prepare, note) => {
    const at = world(prepare());
    expect(await at.run(init, ...HTTP, '--yes')).toBe(0);
    expect(at.printed.err).toContain(note);
    const quiet = world(prepare());
    await quiet.run(init, '--transport', 'command', '--yes');
    expect(quiet.printed.err).not.toContain(note);
  });
});

describe('a rule that must not be skipped', () => {
  const guard = activeRule('test/guard', () => undefined, {
    onError: 'block',
    on: [{ event: ['tool.before', 'turn.stop'] }],
  });
  const policyAt = (where: string, mode: Mode) => async (root: string) =>
    policyOf(root === where ? [{ ...guard, mode }] : []);

  it.each<[string, string, () => string, Mode, string[]]>([
    ['of the project', 'local', () => project, 'enforce', ['PreToolUse', 'PermissionRequest']],
    ['of the project that asks', 'local', () => project, 'ask', ['PreToolUse', 'PermissionRequest']],
    ['of the project that only advises', 'local', () => project, 'advise', []],
    ['of the project, for all projects', 'user', () => project, 'enforce', []],
    ['of the user, for all projects', 'user', () => '/', 'enforce', ['PreToolUse', 'PermissionRequest']],
  ])('%s', async (_, scope, where, mode, blocking) => {
    const at = world();
    put(join(at.paths.config, 'config.yaml'), 'packs:\n  guard: off\n');
    const { workspaces } = at.engine();
    const ruled = {
      ...at,
      engine: () => ({ ...at.engine(), workspaces: { ...workspaces, policyAt: policyAt(where(), mode) } }),
    };
    const args = [...HTTP, '--scope', scope, '--yes'];
    expect(await init.run(parseArguments(init, [...NAMED, ...args]), ruled)).toBe(0);
    const file = inspectInstall(project, at).find((wiring) => wiring.scope === scope);
    expect([...(file?.blocking ?? [])]).toEqual(blocking);
    // Without the rule, the same command takes it out again.
    expect(await at.run(init, ...args)).toBe(0);
    expect(read(scope === 'user' ? user : local)).not.toContain('onFailure');
  });
});

describe('from one to the other', () => {
  it.each([['auto'], ['command']])('%s ends http, says so, and opens the file again', async (word) => {
    put(local, MINE);
    const at = world();
    await at.run(init, ...HTTP, '--yes');
    at.printed.out = '';
    expect(await at.run(init, '--transport', word, '--yes')).toBe(0);
    expect(flat(at.printed.out)).toMatch(/events; command, by .*; so far: http /);
    expect(transports(at)).toEqual([expect.stringMatching(/^(native|node) client$/)]);
    expect([modeOf(local), read(local).includes('Bearer')]).toEqual([0o644, false]);
    at.printed.out = '';
    await at.run(init, ...HTTP, '--yes');
    expect(flat(at.printed.out)).toMatch(/; so far: (native|node) client /);
    await at.run(uninstall, '--yes');
    expect([read(local), modeOf(local)]).toEqual([MINE, 0o644]);
  });

  it('keeps one scope apart from the other', async () => {
    const at = world();
    await at.run(init, ...HTTP, '--yes');
    await at.run(init, '--scope', 'user', '--yes');
    expect(transports(at)).toEqual(['http', expect.stringMatching(/client$/)]);
    await at.run(uninstall, '--yes');
    expect(transports(at)).toEqual([expect.stringMatching(/client$/)]);
  });
});

it('says by what a command reaches the engine, and makes the directory they meet in', async () => {
  const at = world();
  await at.run(init, '--yes');
  expect(flat(at.printed.out)).toMatch(
    /events; command, by (the native client \(.*, (statically|dynamically) linked\)|Node, because .*) /,
  );
  expect(modeOf(at.paths.run)).toBe(0o700);
  const shared = world({ env: { PATH: `${join(process.cwd(), 'bin')}:${process.env['PATH']}` } });
  await shared.run(init, '--scope', 'project', '--yes');
  expect(flat(shared.printed.out)).toContain("events; command, by the `fairlead` on each person's PATH");
});
