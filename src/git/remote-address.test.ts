import { describe, expect, it } from 'vitest';
import { addressName, remoteAddress } from './remote-address.ts';

describe('the address of a repository', () => {
  it.each([
    ['none', '[core]\n\tbare = false\n', undefined],
    [
      'one',
      '[core]\n[remote "origin"]\n\turl = https://x.example/a.git\n\tfetch = +refs/*\n',
      'https://x.example/a.git',
    ],
    ['several', '[remote "up"]\n\turl = u\n[remote "origin"]\n\turl = o\n[branch "main"]\n\turl = no\n', 'o'],
    ['another name', '[remote "up"]\nurl=u\n', 'u'],
  ])('%s', (_, config, address) => {
    expect(remoteAddress(config)).toBe(address);
  });
});

describe('the name of an address', () => {
  it.each([
    'git@x.example:acme/app.git',
    'ssh://git@x.example/acme/app.git',
    'ssh://git@x.example:2222/acme/app',
    'https://X.example/acme/app.git/',
    'https://alice:secret@x.example/acme/app',
    'x.example:acme/app',
  ])('%s', (address) => {
    expect(addressName(address)).toBe('x.example/acme/app');
  });

  it.each(['/srv/git/app.git', '../app', 'file:///srv/app.git', 'C:/code/app', 'http://localhost:3000/a/b', ''])(
    '%s means something here alone',
    (address) => {
      expect(addressName(address)).toBeUndefined();
    },
  );
});
