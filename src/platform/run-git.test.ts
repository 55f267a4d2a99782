import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { gitCall, runGit } from './run-git.ts';

it('nothing of the environment but the person’s settings comes along', () => {
  const call = gitCall('/project', ['log'], { PATH: '/usr/bin', HOME: '/home/me', GIT_DIR: '/other', TOKEN: 'secret' });
  expect(call?.env).not.toHaveProperty('GIT_DIR');
  expect(call?.env).not.toHaveProperty('TOKEN');
  expect(call?.env).toMatchObject({ HOME: '/home/me', LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' });
  expect(call?.args.slice(-3)).toEqual(['-C', '/project', 'log']);
});

it('a program of that name that a directory brings is not run', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-git-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'git'), '#!/bin/sh\n');
  chmodSync(join(home, 'bin', 'git'), 0o755);
  expect(gitCall(home, [], { PATH: 'bin:.:' })?.program).not.toContain(home);
  expect(gitCall(home, [], { PATH: join(home, 'bin') })?.program).toBe(join(home, 'bin', 'git'));
});

it('a command that fails says nothing', async () => {
  await expect(runGit('/', ['no-such-command'])).resolves.toBeUndefined();
  await expect(runGit('/no/such/directory', ['log'])).resolves.toBeUndefined();
  await expect(runGit('/', ['--version'])).resolves.toMatch(/^git version/);
});
