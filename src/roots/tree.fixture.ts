import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plantRepository } from '../git/repository.fixture.ts';
import { nodeFiles } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { removeTree } from '../platform/remove-tree.fixture.ts';

export interface Tree {
  /** The home directory of a test: no marker above it can disturb a row. */
  readonly home: string;
  readonly top: string;
  put(path: string, text?: string): string;
  putDir(path: string): string;
  /** A real repository with one commit. */
  repository(path: string): string;
  git(cwd: string, ...args: string[]): void;
  remove(): Promise<void>;
}

export function plantTree(): Tree {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead tree ')));
  const top = join(home, 'w');
  const putDir = (path: string) => {
    mkdirSync(join(top, path), { recursive: true });
    return join(top, path);
  };
  const git = (cwd: string, ...args: string[]) => {
    const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
    const settings = ['user.name=t', 'user.email=t@example.org', 'protocol.file.allow=always'];
    execFileSync('git', [...settings.flatMap((each) => ['-c', each]), ...args], { cwd, env, stdio: 'pipe' });
  };
  putDir('');
  return {
    home,
    top,
    putDir,
    git,
    put(path, text = '') {
      putDir(dirname(path));
      writeFileSync(join(top, path), text);
      return join(top, path);
    },
    repository(path) {
      const dir = putDir(path);
      plantRepository(dir).commit('start', Date.now());
      return dir;
    },
    remove: () => removeTree(home),
  };
}

/** The real file system seen as if `top` were its root; holds no links. */
export function rootedAt(top: string): Files {
  const out = (path: string) => join(top, path);
  return {
    ...nodeFiles,
    stat: (path) => nodeFiles.stat(out(path)),
    lstat: (path) => nodeFiles.lstat(out(path)),
    exists: (path) => nodeFiles.exists(out(path)),
    realpath: (path) => nodeFiles.realpath(out(path))?.slice(top.length) || '/',
    readLink: () => undefined,
    readText: (path, max) => nodeFiles.readText(out(path), max),
    list: (path, max) => nodeFiles.list(out(path), max),
  };
}
