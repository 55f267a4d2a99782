import { GIT_OPTIONS } from '../../effects/git/options.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { Options, OptionSpec } from '../../shell/options.ts';

export interface GitCall {
  readonly command: ShellCommand;
  /** Of git itself. */
  readonly options: Options;
  /** Empty where git is called without a subcommand. */
  readonly name: string;
  /** What stands behind the subcommand. */
  readonly words: readonly ShellWord[];
}

/** Undefined for other programs. */
export function readGitCall(command: ShellCommand): GitCall | undefined {
  if (command.program !== 'git') return undefined;
  const options = readOptions(command.words.slice(1), GIT_OPTIONS);
  const [name, ...words] = options.operands;
  return { command, options, name: name?.value ?? '', words };
}

const COMMIT: OptionSpec = {
  values: [
    ...['-m', '--message', '-F', '--file', '-C', '--reuse-message', '-c', '--reedit-message', '-t', '--template'],
    ...['--fixup', '--squash', '--author', '--date', '--cleanup', '--trailer', '--pathspec-from-file'],
  ],
  flags: [
    ...['--amend', '--dry-run', '--help', '--quiet', '--all', '--allow-empty', '--allow-empty-message'],
    ...['--no-verify', '--no-edit'],
  ],
  attached: ['-S', '-u'],
};

/** The options of `git commit`; undefined for those with which it only shows something. */
export function readCommit(words: readonly ShellWord[]): Options | undefined {
  const options = readOptions(words, COMMIT);
  return options.has('--dry-run', '--short', '--porcelain', '--long', '--help', '-h') ? undefined : options;
}
