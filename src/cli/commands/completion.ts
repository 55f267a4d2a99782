import { basename } from '../../platform/paths.ts';
import { UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { COMPLETION_SCRIPTS } from '../completion-scripts.ts';
import { hint } from '../hint.ts';
import { SHOWN_VERBS } from '../meant-verb.ts';
import { VERBS } from '../verbs.generated.ts';

type Shell = keyof typeof COMPLETION_SCRIPTS;
const SHELLS = Object.keys(COMPLETION_SCRIPTS);

export const completion: Command = {
  summary: 'completions for bash, zsh or fish',
  usage: `[${SHELLS.join('|')}]`,
  details: `Prints a script that has the shell complete verbs and options; without a name, for the shell in $SHELL.
  bash   add to ~/.bashrc:   eval "$(fairlead completion bash)"
  zsh    add to ~/.zshrc:    eval "$(fairlead completion zsh)"
  fish   run once:           fairlead completion fish > ~/.config/fish/completions/fairlead.fish`,
  args: [0, 1],
  async run(input, world) {
    const shell = shellOf(input, world);
    const verbs = await Promise.all(
      SHOWN_VERBS.map(async (verb) => {
        const { summary = '', options = {} } = (await VERBS[verb]?.load()) ?? {};
        return { verb, summary, options };
      }),
    );
    world.out(COMPLETION_SCRIPTS[shell](verbs));
  },
};

function shellOf({ args: [given] }: Input, { env }: CliWorld): Shell {
  const name = given ?? basename(env['SHELL'] ?? '');
  if (SHELLS.includes(name)) return name as Shell;
  throw new UsageError(
    given === undefined
      ? `name the shell: ${SHELLS.join(', ')}`
      : `no completions for "${given}"${hint(given, SHELLS) || `; there are some for ${SHELLS.join(', ')}`}`,
  );
}

export default { order: 360, verbs: { completion } } satisfies VerbFile;
