import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contains, environmentOf, fromHookArguments, homeDir, homePaths, pathsOf, toHookArguments } from './paths.ts';

describe('where an installation lives', () => {
  const rows: readonly {
    name: string;
    env: Record<string, string>;
    platform?: NodeJS.Platform;
    config: string;
    state: string;
  }[] = [
    { name: 'home directory', env: { HOME: '/h' }, config: '/h/.config/fairlead', state: '/h/.local/state/fairlead' },
    {
      name: 'base directories',
      env: { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' },
      config: '/c/fairlead',
      state: '/s/fairlead',
    },
    {
      name: 'empty base directories',
      env: { HOME: '/h', XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' },
      config: '/h/.config/fairlead',
      state: '/h/.local/state/fairlead',
    },
    {
      name: 'relative base directories',
      env: { HOME: '/h', XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: './s' },
      config: '/h/.config/fairlead',
      state: '/h/.local/state/fairlead',
    },
    {
      name: 'one directory for all',
      env: { HOME: '/h', XDG_CONFIG_HOME: '/c', FAIRLEAD_HOME: '/f' },
      config: '/f/config',
      state: '/f/state',
    },
    {
      name: 'no directory for all',
      env: { HOME: '/h', FAIRLEAD_HOME: '' },
      config: '/h/.config/fairlead',
      state: '/h/.local/state/fairlead',
    },
    {
      name: 'Windows',
      env: { USERPROFILE: 'C:\\u', APPDATA: 'C:\\u\\Roaming' },
      platform: 'win32',
      config: 'C:\\u\\Roaming\\fairlead',
      state: 'C:\\u\\AppData\\Local\\fairlead',
    },
  ];
  test.each(rows)('$name', ({ env, platform = 'linux', config, state }) => {
    expect(homePaths(env, platform)).toEqual({
      config,
      state,
      run: platform === 'win32' ? `${state}\\run` : `${state}/run`,
    });
  });

  test('without a home in the environment the account says where it is', () => {
    expect(homeDir({}, 'linux')).toBe(userInfo().homedir);
  });

  test('a relative directory for all is made absolute', () => {
    expect(pathsOf('f').config).toBe(resolve('f/config'));
  });
});

describe('arguments of an installed hook', () => {
  test.each(['/a b/c', '/a:b', '/--state', '/ä"\'$x'])('carry %s unchanged', (root) => {
    const paths = homePaths({ HOME: root }, 'linux');
    expect(fromHookArguments(['--agent', 'x', ...toHookArguments(paths)])).toEqual(paths);
  });

  test('one directory by hand, or nothing', () => {
    expect(fromHookArguments(['--home', '/f'])).toEqual(pathsOf('/f'));
    for (const args of [[], ['--config', '/c'], ['--state', '/s'], ['--home'], ['--home', '']])
      expect(fromHookArguments(args)).toBeUndefined();
  });
});

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/ab', false],
  ['/a/b', '/a', false],
  ['/', '/a', true],
])('%s contains %s: %s', (dir, path, expected) => {
  expect(contains(dir, path)).toBe(expected);
});

describe('the environment of our own command line', () => {
  test.each<[string, Record<string, string>]>([
    ['one directory', { HOME: '/h', FAIRLEAD_HOME: '/one' }],
    ['the usual places', { HOME: '/h' }],
    ['base directories', { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }],
  ])('leads to %s', (_, env) => {
    const paths = homePaths(env, 'linux');
    const elsewhere = { HOME: '/other', FAIRLEAD_HOME: '/other', XDG_CONFIG_HOME: '/x' };
    expect(homePaths({ ...elsewhere, ...environmentOf(paths) }, 'linux')).toEqual(paths);
  });

  test('says nothing of places that no environment leads to', () => {
    expect(environmentOf({ config: '/a/b', state: '/c/d', run: '/c/d/run' })).toBeUndefined();
  });
});
