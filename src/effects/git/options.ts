import type { OptionSpec } from '../../shell/options.ts';

/** Options of git itself, in front of the subcommand. */
export const GIT_OPTIONS = {
  values: ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--attr-source'],
  stopAtOperand: true,
} satisfies OptionSpec;
