import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { OptionSpec } from '../../shell/options.ts';

const GLOBAL: OptionSpec = {
  values: [
    ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--attr-source'],
    '--exec-path',
  ],
  stopAtOperand: true,
};

export interface GitSubcommand {
  readonly command: ShellCommand;
  /** Empty where git is called without one. */
  readonly name: string;
  readonly words: readonly ShellWord[];
}

/** The calls of git among these commands, with what stands behind git's own options. */
export function gitSubcommands(commands: readonly ShellCommand[]): readonly GitSubcommand[] {
  return commands
    .filter(({ program }) => program === 'git')
    .map((command) => {
      const [name, ...words] = readOptions(command.words.slice(1), GLOBAL).operands;
      return { command, name: name?.value ?? '', words };
    });
}
