import { expect, it } from 'vitest';
import { effectsOf } from '../effects/effects.ts';
import { toolEvent } from '../engine/engine.fixture.ts';
import { surroundingsIn } from './surroundings.ts';

const PATHS = { config: '/home/dev/.config/fairlead', state: '/home/dev/.local/state/fairlead' };

function told(program: string, root: string, command: string): readonly string[] {
  const looks = { readText: () => undefined, realPath: (path: string) => path, script: () => undefined, program };
  const around = surroundingsIn(PATHS, looks);
  const event = { ...toolEvent({ command, input: { command } }), cwd: root };
  return effectsOf(event, around(event, { root, home: '/home/dev' }))
    .filter(({ kind }) => kind === 'settings')
    .map(({ how = '' }) => how);
}

const CLONE = '/home/dev/fairlead';
const PACKAGE = '/usr/lib/node_modules/fairlead';

it.each([
  'rm -rf DIR/node_modules',
  'rm -rf DIR/dist',
  'sed -i s/a/b/ DIR/dist/hook.js',
  'sed -i s/a/b/ DIR/node_modules/rolldown/dist/index.mjs',
  'echo > DIR/package.json',
  'echo > DIR/src/handle.ts',
  'cp x DIR/bin/fairlead',
  'mv DIR /tmp/x',
  'rm -rf DIR',
])('what runs is ours, from another workspace: %s', (command) => {
  for (const dir of [CLONE, PACKAGE])
    expect(told(`${dir}/dist`, '/home/dev/project', command.replace('DIR', dir))).toEqual(['own-files']);
});

it.each<[string, readonly string[]]>([
  ['rm -rf node_modules', []],
  ['echo > src/handle.ts', []],
  ['npx some-editor src/handle.ts', []],
  ['echo > dist/hook.js', ['own-files']],
  ['cp x bin/fairlead', ['own-files']],
])('of a clone that is the workspace, what is built and what starts it: %s', (command, expected) => {
  expect(told(`${CLONE}/dist`, CLONE, command)).toEqual(expected);
  expect(
    told(`${CLONE}/dist`, `${CLONE}/packages`, command.replaceAll(/(src|dist|bin|node_modules)(?=\/|$)/g, '../$1')),
  ).toEqual(expected);
});

it('a package in the workspace is ours as a whole', () => {
  const root = '/home/dev/project';
  expect(told(`${root}/node_modules/fairlead/dist`, root, 'echo > node_modules/fairlead/package.json')).toEqual([
    'own-files',
  ]);
  expect(told(`${root}/node_modules/fairlead/dist`, root, 'echo > node_modules/other/package.json')).toEqual([]);
});
