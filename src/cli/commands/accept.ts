import { acceptAll } from '../../workspace/config/accepted.ts';
import { acceptedDeps, weakeningIn } from '../accepted-settings.ts';
import { JSON_OPTION, printJson } from '../command.ts';
import type { Command, VerbFile } from '../command.ts';
import { printableLine } from '../table.ts';

export const accept: Command = {
  summary: 'accept settings that protect less than before',
  gated: 'it accepts settings that protect less',
  changesRules: true,
  details: `Fairlead remembers which settings you accepted: rules and packs of your config.yaml, your rule files, the projects you trust. What the verbs change
is accepted. What something else weakened, you with an editor included, is told once, and by \`doctor\` until you undo it or accept it here.`,
  options: { yes: { type: 'boolean', help: 'do not ask' }, ...JSON_OPTION },
  async run(input, world) {
    const { entries, lines } = await weakeningIn(world);
    const isJson = input.has('json');
    if (!isJson)
      world.out(lines.map((line) => `${printableLine(line)}\n`).join('') || 'Nothing waits to be accepted.\n');
    const isAccepted = lines.length === 0 || input.has('yes') || (await world.ask('Accept that?'));
    if (isAccepted) acceptAll(entries, acceptedDeps(world));
    if (isJson) printJson(world, { accepted: isAccepted ? lines : [], waiting: isAccepted ? [] : lines });
    else if (lines.length > 0) world.out(isAccepted ? 'Accepted.\n' : 'Nothing was accepted.\n');
    return isAccepted ? 0 : 1;
  },
};

export default { order: 195, verbs: { accept } } satisfies VerbFile;
