import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeCommit } from './commit.fixture.ts';

export interface TestRepository {
  readonly dir: string;
  git(...args: readonly string[]): string;
  /** The same with a text on its standard input. */
  gitWith(input: string, ...args: readonly string[]): string;
  /** Writes files and commits them as of a time. */
  commit(subject: string, at: number, ...paths: readonly string[]): void;
}

const CONFIG = `[core]
	repositoryformatversion = 0
	bare = false
[user]
	name = A
	email = a@example.org
[maintenance]
	auto = false
`;

/** What git needs of what `git init` makes, without the start of a program: hundreds of tests begin with it. */
export function initRepository(dir: string): void {
  for (const part of ['objects', 'refs/heads', 'info']) mkdirSync(join(dir, '.git', part), { recursive: true });
  writeFileSync(join(dir, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(dir, '.git/config'), CONFIG);
}

/**
 * A real repository at `dir`, whatever this machine's own settings of git are. Commits are written as git writes them, or by
 * git itself for a test of what reads its files.
 */
export function plantRepository(dir: string, { byGit = false }: { readonly byGit?: boolean } = {}): TestRepository {
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}, input?: string) =>
    execFileSync('git', args, {
      cwd: dir,
      encoding: 'utf8',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
      ...(input !== undefined && { input }),
      env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...env },
    });
  initRepository(dir);
  let contents = 0;
  return {
    dir,
    git: (...args) => run(args),
    gitWith: (input, ...args) => run(args, {}, input),
    commit(subject, at, ...paths) {
      for (const path of paths) {
        mkdirSync(dirname(join(dir, path)), { recursive: true });
        writeFileSync(join(dir, path), `${(contents += 1)}\n`);
      }
      if (!byGit && writeCommit(dir, subject, at, paths)) return;
      const date = `@${Math.floor(at / 1_000)} +0000`;
      if (paths.length > 0) run(['add', '--', ...paths]);
      run(['commit', '-q', '--allow-empty', '-m', subject], { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    },
  };
}
