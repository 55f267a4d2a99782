import { chmodSync, existsSync, lstatSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import { acceptProject, listProject } from '../../workspace/config/trust.ts';
import { createServerStage, PACK, put, read } from '../install/servers.fixture.ts';
import type { ServerStage } from '../install/servers.fixture.ts';
import { parseArguments } from '../dispatch.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

let stage: ServerStage;
beforeEach(() => {
  stage = createServerStage();
});
afterEach(() => stage.remove());

const SCOPES: readonly Scope[] = ['local', 'project', 'user'];
const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A list of servers where a scope has it. */
function listed(scope: Scope, servers: object, space?: string): string {
  const list = { mcpServers: servers };
  const whole = scope === 'local' ? { projects: { [stage.project]: list } } : list;
  return JSON.stringify({ numStartups: 3, ...whole }, null, space);
}

describe.each(SCOPES)('--scope %s', (scope) => {
  const scoped = ['--scope', scope];

  it.each<[string, string | undefined]>([
    ['no file', undefined],
    ['an empty file', ''],
    ['servers of others', listed('user', { x: { command: 'serve' } }, '  ')],
    ['an odd layout', '{ "numStartups":3,\r\n\t"mcpServers" : { } ,"projects":{} }\r\n'],
  ])('there and back, with %s', async (_, before) => {
    const file = stage.fileOf(scope);
    if (before !== undefined) {
      put(file, before);
      chmodSync(file, 0o640);
    }
    const at = stage.world();
    expect(await at.run(init, ...scoped, ...PACK)).toBe(0);
    const { fairlead } = stage.serversAt(scope);
    expect(fairlead).toMatchObject({ type: 'stdio', alwaysLoad: true });
    const words = [fairlead?.command, ...(fairlead?.args ?? [])];
    const home = ['--config', at.paths.config, '--state', at.paths.state];
    if (scope === 'project') expect(words).toEqual(['fairlead', 'mcp']);
    else expect(words).toEqual(['/bin/sh', join(at.paths.state, 'bin/current/fairlead'), 'mcp', ...home]);
    expect(modeOf(file)).toBe(before === undefined ? (scope === 'project' ? 0o644 : 0o600) : 0o640);
    expect(at.printed.out).toMatch(/ the tool server of the code graph$/m);
    expect(at.printed.out).toContain(`Told claude-code of the tool server`);
    expect(at.printed.out.includes('asks each person once')).toBe(scope === 'project');

    const written = read(file);
    at.printed.out = '';
    expect(await at.run(init, ...scoped, ...PACK)).toBe(0);
    expect(at.printed.out).toContain('Nothing to do');
    expect(read(file)).toBe(written);

    expect(await at.run(uninstall, ...scoped, '--yes')).toBe(0);
    if (before === undefined) expect(existsSync(file)).toBe(false);
    else expect([read(file), modeOf(file)]).toEqual([before, 0o640]);
    expect(read(join(at.paths.state, 'installs.json'))).toBe('{}\n');
  });

  it('is taken out of a file that the agent wrote anew, and after the hooks are gone', async () => {
    const before = { numStartups: 3, mcpServers: { x: { command: 'serve' } } };
    const file = stage.fileOf(scope);
    put(file, JSON.stringify(before));
    const at = stage.world();
    await at.run(init, ...scoped, ...PACK);
    put(file, JSON.stringify({ ...(JSON.parse(read(file)) as object), more: true }, null, 2));
    for (const name of ['settings.json', 'settings.local.json'])
      for (const dir of [stage.project, stage.tree.home])
        if (existsSync(join(dir, '.claude', name))) put(join(dir, '.claude', name), '{}');
    at.printed.out = '';
    expect(await at.run(uninstall, ...scoped, '--yes')).toBe(0);
    expect(at.printed.out).toContain(`Took the tool server of claude-code out of ${file}.`);
    expect(read(file)).toBe(JSON.stringify({ ...before, more: true }, null, 2));
  });

  it('points an older entry to the new place, and what a person added stays', async () => {
    const file = stage.fileOf(scope);
    const at = stage.world();
    const home = scope === 'project' ? [] : ['--config', at.paths.config, '--state', at.paths.state];
    put(file, listed(scope, { fairlead: { command: '/older/fairlead', args: ['mcp', ...home], env: { A: '1' } } }));
    expect(await at.run(init, ...scoped, ...PACK)).toBe(0);
    expect(Object.keys(stage.serversAt(scope))).toEqual(['fairlead']);
    expect(stage.serversAt(scope)['fairlead']).toMatchObject({
      env: { A: '1' },
      args: expect.arrayContaining(['mcp']) as string[],
    });
    expect(read(file)).not.toContain('older');
  });

  it.each<[string, (file: string) => void, string]>([
    [
      'a server of somebody else under its name',
      (file) => put(file, listed(scope, { fairlead: { command: 'ship', args: ['mcp'] } })),
      'a server "fairlead" that is not this program',
    ],
    ['broken JSON', (file) => put(file, '{\n  "mcpServers": {},\n}'), ':3:1: not valid JSON'],
    ['a list in the wrong place', (file) => put(file, '{"mcpServers":[],"projects":[]}'), 'is not an object'],
    ['a read-only file', (file) => (put(file, '{}'), chmodSync(file, 0o444)), 'is read-only'],
  ])('refuses %s and writes nothing', async (_, prepare, why) => {
    const file = stage.fileOf(scope);
    prepare(file);
    const before = read(file);
    const at = stage.world();
    await expect(at.run(init, ...scoped, ...PACK)).rejects.toThrow(why);
    expect(read(file)).toBe(before);
    expect(existsSync(join(stage.project, '.claude'))).toBe(false);
    expect(existsSync(join(at.paths.config, 'config.yaml'))).toBe(false);
  });

  it('writes through a link and leaves it one', async () => {
    const target = join(stage.tree.home, 'dotfiles', 'servers.json');
    const before = put(target, '{\n    "a": 1\n}');
    symlinkSync(target, stage.fileOf(scope));
    const at = stage.world();
    await at.run(init, ...scoped, ...PACK);
    expect(read(target)).toContain('"fairlead"');
    await at.run(uninstall, ...scoped, '--yes');
    expect([read(target), lstatSync(stage.fileOf(scope)).isSymbolicLink()]).toEqual([before, true]);
  });
});

it('writes nothing over what the agent wrote while the person was reading', async () => {
  put(stage.fileOf('local'), '{"numStartups":3}');
  const at = stage.world({ answer: true });
  const racing = { ...at, choose: async () => (put(stage.fileOf('local'), '{"numStartups":4}'), 'y' as const) };
  await expect(
    init.run(parseArguments(init, ['--agent', 'claude-code', '--pack', 'autocontext']), racing),
  ).rejects.toThrow('has changed in the meantime');
  expect(read(stage.fileOf('local'))).toBe('{"numStartups":4}');
  expect(existsSync(join(stage.project, '.claude'))).toBe(false);
});

it.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 0, 2]]])(
  'keeps several parts of one file apart, and the file goes with the last of them: %j',
  async (order) => {
    const other = stage.tree.repository('other');
    const parts: (readonly [FakeWorld, string])[] = [
      [stage.world(), 'local'],
      [stage.world({ cwd: other }), 'local'],
      [stage.world(), 'user'],
    ];
    for (const [at, scope] of parts) expect(await at.run(init, '--scope', scope, ...PACK)).toBe(0);
    expect(
      [stage.serversAt('local'), stage.serversAt('local', other), stage.serversAt('user')].map((each) =>
        Object.keys(each),
      ),
    ).toEqual([['fairlead'], ['fairlead'], ['fairlead']]);
    for (const [nth, index] of order.entries()) {
      const [at, scope] = parts[index] as (typeof parts)[number];
      expect(existsSync(stage.fileOf('user'))).toBe(true);
      expect(await at.run(uninstall, '--scope', scope, '--yes')).toBe(0);
      expect(existsSync(stage.fileOf('user'))).toBe(nth < 2);
    }
  },
);

it('goes to the main checkout of a work stage.tree, where the agent looks', async () => {
  stage.tree.git(stage.project, 'worktree', 'add', '-q', join(stage.tree.top, 'linked'));
  await stage.world({ cwd: join(stage.tree.top, 'linked') }).run(init, ...PACK);
  expect(Object.keys(stage.serversAt('local'))).toEqual(['fairlead']);
});

it('uninstall of a stage.project says that all projects have it', async () => {
  await stage.world().run(init, '--scope', 'user', ...PACK);
  const at = stage.world();
  await at.run(uninstall, '--yes');
  expect(at.printed.err).toContain(`${stage.fileOf('user')} names the tool server for all your projects`);
  expect(Object.keys(stage.serversAt('user'))).toEqual(['fairlead']);
});

describe('whether the pack is on', () => {
  const ON = 'packs:\n  autocontext:\n    enabled: true\n';
  const acceptIt = (at: FakeWorld): void => {
    const deps = { files: nodeFiles, state: at.paths.state, now: Date.now };
    acceptProject(listProject(stage.project, deps), deps);
  };

  it.each<[string, (at: FakeWorld) => void, readonly string[], boolean]>([
    ['nobody said so', () => {}, [], false],
    ['another pack is chosen', () => {}, ['--pack', 'codegraph'], false],
    ['in the settings of the user', (at) => put(join(at.paths.config, 'config.yaml'), ON), [], true],
    ['off there', (at) => put(join(at.paths.config, 'config.yaml'), 'packs:\n  autocontext: off\n'), [], false],
    ['in a stage.project that nobody trusts', () => put(join(stage.project, '.fairlead/config.yaml'), ON), [], false],
    ['in a trusted project', (at) => (put(join(stage.project, '.fairlead/config.yaml'), ON), acceptIt(at)), [], true],
    [
      'in a trusted stage.project, for all projects',
      (at) => (put(join(stage.project, '.fairlead/config.yaml'), ON), acceptIt(at)),
      ['--scope', 'user'],
      false,
    ],
  ])('%s', async (_, prepare, args, expected) => {
    const at = stage.world();
    prepare(at);
    expect(await at.run(init, ...args, '--yes')).toBe(0);
    expect(existsSync(stage.fileOf('local'))).toBe(expected);
  });

  it('leaves an entry alone where it is off, and says so', async () => {
    const at = stage.world();
    await at.run(init, ...PACK);
    const written = read(stage.fileOf('local'));
    put(join(stage.project, '.fairlead/config.yaml'), 'packs:\n  autocontext: off\n');
    acceptIt(at);
    const again = stage.world();
    expect(await again.run(init, '--yes')).toBe(0);
    expect(again.printed.err).toContain(
      `${stage.fileOf('local')} names the tool server of fairlead, and the pack autocontext is off`,
    );
    expect(read(stage.fileOf('local'))).toBe(written);
  });
});
