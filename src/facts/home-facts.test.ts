import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { INSTALLERS } from '../adapters/installers.generated.ts';
import type { Launch, Scope } from '../adapters/installer.ts';
import { applyEdits } from '../adapters/json-edit.ts';
import { nodeFiles } from '../platform/files.ts';
import { findReleases } from './home-facts.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-releases-')));
  mkdirSync(join(home, 'project'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string, mode = 0o644): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text, { mode });
  return full;
}

/** A copy of the product as a package manager lays it out; its launcher. */
function plantPackage(dir: string, version: string, name = 'fairlead'): string {
  put(`${dir}/package.json`, JSON.stringify({ name, version }));
  return put(`${dir}/bin/fairlead`, '#!/usr/bin/env node\n', 0o755);
}

/** The settings of every agent, as an installation leaves them. */
function register(scope: Scope, launch: Launch): void {
  for (const installer of INSTALLERS) {
    const path = installer.settingsPath(scope, { root: join(home, 'project'), home, env: {} });
    if (path === undefined) continue;
    const added = installer.add('', { launch });
    if ('refusal' in added) throw new Error(added.refusal);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, applyEdits('', added.edits));
  }
}
const byNode = (launcher: string): Launch => ({
  command: '/usr/bin/node',
  args: [launcher],
  homeArgs: ['--config', '/c', '--state', '/s'],
});
const byClient = (launcher: string): Launch => ({
  command: '/opt/fairlead-client',
  args: [],
  homeArgs: ['--config', '/c', '--state', '/s', '--node', '/usr/bin/node', '--launcher', launcher],
});
const byName: Launch = { command: 'fairlead', args: [], homeArgs: [] };

function find({ version = '1.4.2', dir = 'lib/own/dist', path = '' } = {}) {
  const place = {
    config: join(home, 'config'),
    userHome: home,
    env: { PATH: '' },
    program: { version, dir: join(home, dir) },
  };
  return findReleases({ ...place, files: nodeFiles }, join(home, 'project'), path);
}

it('an engine alone knows its own version, and the package that it came with', () => {
  expect(find()).toEqual({ engine: '1.4.2' });
  plantPackage('lib/own', '1.4.2');
  expect(find()).toEqual({ engine: '1.4.2', installed: '1.4.2' });
});

it('a package that was replaced under a running engine has the new version', () => {
  plantPackage('lib/own', '1.5.0');
  expect(find()).toEqual({ engine: '1.4.2', installed: '1.5.0' });
});

it.each([
  ['run from source', { version: 'source' }],
  ['built in a working copy', {}],
])('%s, it is a development build', (_, options) => {
  plantPackage('lib/own', '1.4.2');
  put('lib/own/src/cli/main.ts', '');
  expect(find(options).engine).toBe('dev');
});

it('what a shell would run counts before the own package, through links', () => {
  plantPackage('lib/own', '1.4.2');
  const launcher = plantPackage('lib/other', '1.5.1');
  mkdirSync(join(home, 'bin'));
  symlinkSync(launcher, join(home, 'bin/fairlead'));
  expect(find({ path: `relative:${join(home, 'bin')}` })).toEqual({ engine: '1.4.2', installed: '1.5.1' });
});

it.each<[string, () => void]>([
  ['a package of another name', () => void plantPackage('lib/other', '9.0.0', 'other')],
  ['a package without a version', () => void (plantPackage('lib/other', '1'), put('lib/other/package.json', '{}'))],
  ['a manifest that is no JSON', () => void (plantPackage('lib/other', '1'), put('lib/other/package.json', '{'))],
])('%s on the search path is not ours', (_, arrange) => {
  plantPackage('lib/own', '1.4.2');
  arrange();
  expect(find({ path: join(home, 'lib/other/bin') }).installed).toBe('1.4.2');
});

it.each<[string, Scope, (launcher: string) => Launch]>([
  ['Node and a launcher', 'local', byNode],
  ['the native client', 'user', byClient],
])('hooks that start %s are of the release of that launcher', (_, scope, launch) => {
  register(scope, launch(plantPackage('lib/older', '1.3.9')));
  expect(find()).toEqual({ engine: '1.4.2', registered: '1.3.9' });
});

it('hooks that name the bare program are of the release on the search path', () => {
  plantPackage('lib/other', '1.5.1');
  register('project', byName);
  expect(find({ path: join(home, 'lib/other/bin') })).toMatchObject({ installed: '1.5.1', registered: '1.5.1' });
});

it('of several registrations the one that differs is told', () => {
  register('local', byNode(plantPackage('lib/own', '1.4.2')));
  register('user', byNode(plantPackage('lib/older', '1.3.9')));
  expect(find().registered).toBe('1.3.9');
});

it('settings that cannot be read, and launchers that are gone, tell nothing', () => {
  register('local', byNode(join(home, 'gone/bin/fairlead')));
  const [installer] = INSTALLERS;
  const path = installer?.settingsPath('user', { root: join(home, 'project'), home, env: {} }) ?? '';
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{ "hooks": [');
  expect(find()).toEqual({ engine: '1.4.2' });
});
