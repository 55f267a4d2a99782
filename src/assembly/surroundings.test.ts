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

const NODE = '/home/dev/.nvm/versions/node/v20.1.0/bin/node';

function toldOfNode(command: string, node = NODE): readonly string[] {
  const looks = { readText: () => undefined, realPath: (path: string) => path, script: () => undefined };
  const around = surroundingsIn(PATHS, {
    ...looks,
    program: '/usr/lib/node_modules/fairlead/dist',
    nodes: () => [node],
  });
  const event = { ...toolEvent({ command, input: { command } }), cwd: '/home/dev/project' };
  const effects = effectsOf(event, around(event, { root: '/home/dev/project', home: '/home/dev' }));
  return [...new Set(effects.filter(({ kind }) => kind === 'settings').map(({ how = '' }) => how))];
}

it.each([
  `rm ${NODE}`,
  `mv ${NODE} /tmp/node`,
  `cp /bin/true ${NODE}`,
  `truncate -s 0 ${NODE}`,
  `chmod -x ${NODE}`,
  `chmod 644 ${NODE}`,
  `chmod a=r ~/.nvm`,
  `chmod -x ~/.nvm/versions/node/v20.1.0`,
  `ln -sf /bin/true ${NODE}`,
  `echo 'exec true' > ${NODE}`,
  `python3 -c "import os; os.remove('${NODE}')"`,
  'rm -rf ~/.nvm',
  'mv ~/.nvm/versions/node /tmp/x',
])('the Node that hooks start is ours: %s', (command) => {
  expect(toldOfNode(command)).toEqual(['own-files']);
});

it.each([
  'rm -rf ~/.nvm/versions/node/v18.0.0',
  'npm i -g typescript',
  `${NODE} a.js`,
  'chmod +x ~/.nvm/x',
  'ls ~/.nvm',
])('another is not: %s', (command) => {
  expect(toldOfNode(command)).toEqual([]);
});

it('one of the system is for the system to keep', () => {
  expect(toldOfNode('chmod -x /usr/bin/node', '/usr/bin/node')).toEqual([]);
});

it.each([
  ['node /usr/lib/node_modules/fairlead/dist/cli.cjs off', ['own-verb']],
  ['node /usr/lib/node_modules/fairlead/dist/cli.js off', ['own-verb']],
  ['cd /usr/lib/node_modules/fairlead && node dist/command.cjs off', ['own-verb']],
  ['/usr/lib/node_modules/fairlead/bin/fairlead off', ['own-verb']],
  ['/usr/lib/node_modules/fairlead/bin/other off', ['own-verb']],
  ['node /usr/lib/node_modules/fairlead/dist/cli.cjs doctor', []],
  ['node dist/cli.cjs off', []],
])('our program by another road: %s', (command, expected) => {
  expect(toldOfNode(command).filter((how) => how === 'own-verb')).toEqual(expected);
});

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
