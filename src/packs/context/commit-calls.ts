import { resolve } from 'node:path';
import { isReadWhole } from '../../shell/command.ts';
import type { Reading, ShellWord } from '../../shell/command.ts';
import { readCommit, readGitCall } from './git-call.ts';
import type { GitCall } from './git-call.ts';

/** A command that makes a commit when it succeeds. */
export interface CommitCall {
  /** Where git runs; undefined when that cannot be told. */
  readonly dir: string | undefined;
  /** Named in place of the one above `dir`. */
  readonly gitDir?: string;
  /** It says nothing about the commit it makes. */
  readonly isQuiet: boolean;
}

/** What a command line does to the commits of repositories. */
export interface GitLine {
  readonly commits: readonly CommitCall[];
  readonly pushes: boolean;
}

/** `aliases` are subcommands of git, or programs, that commit as well. A line that cannot be read whole has no commits. */
export function readGitLine(reading: Reading, aliases: readonly string[]): GitLine {
  if (!isReadWhole(reading)) return { commits: [], pushes: false };
  const { commands } = reading;
  const commits = commands.flatMap((command) => {
    const call = readGitCall(command);
    if (call)
      return call.name === 'commit' || aliases.includes(call.name) ? asCommit(repositoryOf(call), call.words) : [];
    return aliases.includes(command.program) ? asCommit({ dir: command.dir }, command.words.slice(1)) : [];
  });
  return { commits, pushes: commands.some((command) => readGitCall(command)?.name === 'push') };
}

type Repository = Pick<CommitCall, 'dir' | 'gitDir'>;

function asCommit(repository: Repository, words: readonly ShellWord[]): readonly CommitCall[] {
  const options = readCommit(words);
  return !options || options.has('--amend') ? [] : [{ ...repository, isQuiet: options.has('-q', '--quiet') }];
}

/** The repository that git is called for. */
export function repositoryOf({ command, options }: GitCall): Repository {
  const dir = options.values('-C').reduce(within, command.dir);
  const named = options.values('--git-dir').at(-1) ?? command.assigns.findLast(({ name }) => name === 'GIT_DIR')?.value;
  if (!named) return { dir };
  const gitDir = within(dir, named);
  return gitDir === undefined ? { dir: undefined } : { dir, gitDir };
}

function within(dir: string | undefined, { value, known }: ShellWord): string | undefined {
  return dir === undefined || !known ? undefined : resolve(dir, value);
}
