import { resolve } from 'node:path';
import type { Reading, ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { OptionSpec } from '../../shell/options.ts';

/** A command that makes a commit when it succeeds. */
export interface CommitCall {
  /** Where git runs; undefined when that cannot be told. */
  readonly dir: string | undefined;
  /** Named in place of the one above `dir`. */
  readonly gitDir?: string;
  /** It says nothing about the commit it makes. */
  readonly isQuiet: boolean;
}

const GIT: OptionSpec = {
  values: ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--attr-source'],
  stopAtOperand: true,
};

const COMMIT: OptionSpec = {
  values: [
    ...['-m', '--message', '-F', '--file', '-C', '--reuse-message', '-c', '--reedit-message', '-t', '--template'],
    ...['--fixup', '--squash', '--author', '--date', '--cleanup', '--trailer', '--pathspec-from-file'],
  ],
  flags: [
    '--amend',
    '--dry-run',
    '--quiet',
    '--all',
    '--allow-empty',
    '--allow-empty-message',
    '--no-verify',
    '--no-edit',
  ],
  attached: ['-S', '-u'],
};

/** What a command line does to the commits of repositories. */
export interface GitLine {
  readonly commits: readonly CommitCall[];
  readonly pushes: boolean;
}

/** `aliases` are subcommands of git, or programs, that commit as well. A line that cannot be read whole has no commits. */
export function readGitLine({ commands, unclear }: Reading, aliases: readonly string[]): GitLine {
  if (unclear.some(({ why }) => why !== 'computed')) return { commits: [], pushes: false };
  const calls = commands.flatMap((command) => readGit(command, aliases) ?? []);
  return {
    commits: calls.flatMap(asCommit),
    pushes: calls.some(({ verb }) => verb === 'push'),
  };
}

interface GitCall extends Pick<CommitCall, 'dir' | 'gitDir'> {
  readonly verb: string;
  readonly rest: readonly ShellWord[];
}

function readGit({ program, words, dir, assigns }: ShellCommand, aliases: readonly string[]): GitCall | undefined {
  if (program !== 'git') return aliases.includes(program) ? { verb: 'commit', dir, rest: words.slice(1) } : undefined;
  const options = readOptions(words.slice(1), GIT);
  const [subcommand, ...rest] = options.operands;
  if (subcommand === undefined) return undefined;
  const verb = aliases.includes(subcommand.value) ? 'commit' : subcommand.value;
  const where = options.values('-C').reduce<string | undefined>(within, dir);
  const named = options.values('--git-dir').at(-1) ?? assigns.findLast(({ name }) => name === 'GIT_DIR')?.value;
  if (!named) return { verb, dir: where, rest };
  const gitDir = within(where, named);
  return gitDir === undefined ? { verb, dir: undefined, rest } : { verb, dir: where, gitDir, rest };
}

function asCommit({ verb, dir, gitDir, rest }: GitCall): readonly CommitCall[] {
  if (verb !== 'commit') return [];
  const options = readOptions(rest, COMMIT);
  if (options.has('--amend', '--dry-run', '--short', '--porcelain', '--long')) return [];
  return [{ dir, ...(gitDir !== undefined && { gitDir }), isQuiet: options.has('-q', '--quiet') }];
}

function within(dir: string | undefined, { value, known }: ShellWord): string | undefined {
  return dir === undefined || !known ? undefined : resolve(dir, value);
}
