import { expect, it } from 'vitest';
import { readVersion } from './post-commit.ts';

const FILES: Readonly<Record<string, string>> = {
  '/p/VERSION': '\n1.2.0\nnotes\n',
  '/p/EMPTY': ' \n',
  '/p/PROSE': 'version one, or so',
  '/p/package.json': '{"version":"2.0.0-rc.1+7","a/b":{"~":["x",{"version":"3"}]},"n":4}',
  '/p/broken.json': '{',
  '/p/.x-plugin/plugin.json': '{"version":"1.1.0"}',
  '/etc/version': '9',
};
const files = {
  readText: (path: string) => FILES[path],
  list: (dir: string) => (dir === '/p' ? ['.git', '.x-plugin', '.y-plugin', 'VERSION'] : []),
};

it.each<[string, string | undefined]>([
  ['VERSION', 'VERSION 1.2.0'],
  ['EMPTY', undefined],
  ['PROSE', undefined],
  ['MISSING', undefined],
  ['package.json#/version', 'package.json 2.0.0-rc.1+7'],
  ['package.json#/a~1b/~0/1/version', 'package.json 3'],
  ['package.json#/a~1b/~0/7/version', undefined],
  ['package.json#/n', undefined],
  ['package.json#/constructor/name', undefined],
  ['broken.json#/version', undefined],
  ['.*-plugin/plugin.json#/version', '.x-plugin/plugin.json 1.1.0'],
  ['*.none/plugin.json#/version', undefined],
  ['../etc/version', undefined],
  ['', undefined],
])('%s: %s', (source, expected) => {
  const found = readVersion(files, '/p', source);
  expect(found && `${found.path} ${found.version}`).toBe(expected);
});
