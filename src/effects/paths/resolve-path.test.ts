import { describe, expect, it } from 'vitest';
import type { PathScope } from '../../event/effect.ts';
import type { ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import { isRemote, resolvePath } from './resolve-path.ts';

const SURROUNDINGS = { cwd: '/home/ann/app', home: '/home/ann', root: '/home/ann/app', agentSettings: [], ownDirs: [] };

function word(text: string): ShellWord {
  const quoted = /^(["']).*\1$/.test(text);
  const value = (quoted ? text.slice(1, -1) : text).replaceAll('$X', UNKNOWN);
  return { text, value, known: !value.includes(UNKNOWN), glob: !quoted && /[*?[]/.test(text), from: [] };
}

const ROWS: readonly (readonly [PathScope, ...string[]])[] = [
  ['root', '/', '/*', '//', '/..', '/*/*', '../../../..', '/tmp/..'],
  [
    'system',
    '/etc',
    '/etc/*',
    '/etc/foo?',
    '/et?',
    '/[e]tc',
    '/us*/bin',
    '/home',
    '/home/*',
    '/Users',
    '/usr/local/bin/x',
    '/dev',
    '/var/log',
    '/root',
    '/tmp/../etc',
    '/opt/x',
  ],
  ['device', '/dev/sda', '/dev/sd?', '/dev/nvme0n1p1', '/dev/mem'],
  [
    'home',
    '~',
    '~/',
    '~/*',
    '~/.*',
    '/home/ann',
    '/home/bob',
    '~bob',
    '/home/$X',
    '..',
    '../',
    '../*',
    '/home/an?',
    '~/./x/..',
  ],
  ['user', '~/Downloads', '~/.ssh', '../other', '~bob/x', '/home/bob/x', '~/$X', '~/Doc*'],
  [
    'workspace',
    '.',
    './',
    '*',
    './*',
    '.*',
    './.',
    '**',
    '*/',
    '**/*',
    '?*',
    '.[!.]*',
    '/home/ann/app',
    '~/ap*',
    'src/..',
    '!(keep)*',
  ],
  ['git', '.git', './.git/', '.git/objects', '.git/config', '.g*', '.git/*', '.git/$X'],
  [
    'inside',
    'src',
    'src/*',
    'src/a.ts',
    './$X',
    'src/$X',
    '.github',
    '.git/hooks/pre-commit',
    '.git/index.lock',
    'vendor/lib/.git',
    'builder',
    'distribution',
    '*.js',
    "'*'",
    '"?"',
    'build*',
    'bin',
  ],
  [
    'made',
    'tmp',
    '.tmp/x',
    'dist-electron',
    'cmake-build-debug/x',
    'vendor/bundle',
    'api/.terraform',
    'ios/Pods',
    'node_modules',
    './dist/',
    'packages/*/dist',
    '**/node_modules',
    'node_modules/*',
    'target/debug',
    '*.pyc',
    'a/b.log',
    'bin/Debug',
    '.DS_Store',
    '$X/node_modules',
  ],
  [
    'temp',
    '/tmp',
    '/tmp/*',
    '/tmp/x',
    '/tmp/$X',
    '/var/tmp/x',
    '/private/tmp/x',
    '/dev/shm/x',
    '~/.cache/pip',
    '/var/lib/apt/lists/*',
    '~/.npm/_cacache',
  ],
  ['user', '~/.cache', '~/.npm', '~/.cargo/bin'],
  ['outside', '/some/path', '/data', '/dev/null', '/dev/stderr', '/mnt/disk', "'/et?'"],
  ['unknown', '$X', '$X/x', '$X/*', '/$X', '/$X/*', '/$X/x', '$X/../node_modules', "''"],
  ['remote', '/dev/tcp/host/80'],
];

describe('resolvePath', () => {
  for (const [scope, ...texts] of ROWS) {
    it.each(texts)(`${scope}: %s`, (text) => {
      expect(resolvePath(word(text), SURROUNDINGS.cwd, SURROUNDINGS).scope).toBe(scope);
    });
  }

  it('names a path from the workspace root, and any other in full', () => {
    expect(resolvePath(word('./src//a.ts'), SURROUNDINGS.cwd, SURROUNDINGS)).toEqual({
      name: 'src/a.ts',
      path: '/home/ann/app/src/a.ts',
      scope: 'inside',
    });
    expect(resolvePath('../b', `${SURROUNDINGS.cwd}/src`, SURROUNDINGS).name).toBe('b');
    expect(resolvePath(word('~/x'), SURROUNDINGS.cwd, SURROUNDINGS).name).toBe('/home/ann/x');
  });

  it('tells nothing about a relative path in an unknown directory but what a build makes', () => {
    expect(resolvePath(word('src'), undefined, SURROUNDINGS)).toEqual({ name: 'src', scope: 'unknown' });
    expect(resolvePath(word('node_modules'), undefined, SURROUNDINGS).scope).toBe('made');
    expect(resolvePath(word('/etc'), undefined, SURROUNDINGS).scope).toBe('system');
  });

  it('puts the workspace before the place it lies in', () => {
    const inTemp = { ...SURROUNDINGS, cwd: '/tmp/w', root: '/tmp/w' };
    expect(resolvePath('/tmp/w/src', '/tmp/w', inTemp).scope).toBe('inside');
    expect(resolvePath('/tmp/w', '/tmp/w', inTemp).scope).toBe('workspace');
    expect(resolvePath(word('/tmp/*'), '/tmp/w', inTemp).scope).toBe('workspace');
    expect(resolvePath('/tmp/other', '/tmp/w', inTemp).scope).toBe('temp');
  });

  it('knows drives', () => {
    expect(resolvePath('C:\\', undefined, SURROUNDINGS).scope).toBe('root');
    expect(resolvePath('C:\\Windows\\System32', undefined, SURROUNDINGS).scope).toBe('system');
    expect(resolvePath('D:/x/y', undefined, SURROUNDINGS).scope).toBe('outside');
    const onDrive = { ...SURROUNDINGS, cwd: 'D:/x', root: 'D:/x' };
    expect(resolvePath('D:\\x\\y', undefined, onDrive)).toEqual({ name: 'y', path: 'D:/x/y', scope: 'inside' });
  });
});

describe('isRemote', () => {
  it.each(['host:/path', 'ann@host:x', 'rsync://host/x', 'host:'])('%s', (value) => expect(isRemote(value)).toBe(true));
  it.each(['/a:b', './a:b', 'a/b', 'C:\\x', 'plain'])('not %s', (value) => expect(isRemote(value)).toBe(false));
});

describe.each(['/tmp', '/dev/shm'])('with home and workspace below %s', (temp) => {
  it.each([
    ['~', 'home'],
    ['~/notes', 'user'],
    ['src', 'inside'],
    ['.', 'workspace'],
    [`${temp}/other`, 'temp'],
  ])('%s: %s', (text, scope) => {
    const place = { ...SURROUNDINGS, cwd: `${temp}/w/app`, root: `${temp}/w/app`, home: `${temp}/box` };
    expect(resolvePath(word(text), `${temp}/w/app`, place).scope).toBe(scope);
  });
});
