import type { CliWorld } from '../command.ts';
import type { Wiring } from '../install/inspect.ts';
import { initFor } from '../install/rewire.ts';
import { shown } from '../known-rules.ts';
import { startsOurs } from './prove-causes.ts';
import type { Finding } from './report.ts';

/** A file that is ours as a whole, and is not what this version writes. Whoever wrote it can have written its sum too. */
export function differencesOf(wiring: Wiring, world: CliWorld): Finding[] {
  const { agent, path, differs, own } = wiring;
  if (differs === undefined) return [];
  const file = shown(world, path);
  const next = initFor(wiring, world);
  if (differs === 'changed')
    return [
      {
        level: 'attention',
        what: `${file} was changed since Fairlead wrote it.`,
        why: 'The agent runs what is in it, whether or not that still asks the rules.',
        next,
      },
    ];
  const strange = own.filter(({ words }) => !startsOurs(words, world.paths)).map(({ words }) => programIn(words));
  if (own.length > 0 && strange.length === 0)
    return [
      {
        level: 'note',
        what: `${file} says that another version of Fairlead wrote it.`,
        why: `It runs inside ${agent}, and this version cannot tell what it does. It may be slower, or lack what this version can do.`,
        next,
      },
    ];
  const named = [...new Set(strange)].join(', ');
  return [
    {
      level: 'attention',
      what:
        named === ''
          ? `${file} says that Fairlead wrote it, and does not start Fairlead.`
          : `${file} starts ${named}, which this installation does not know.`,
      why: `This version did not write it, and it runs inside ${agent}, with all that ${agent} may do.`,
      next: `read ${file}; ${next} writes it anew`,
    },
  ];
}

/** The words that start it, with what these options have it start in turn. */
function programIn(words: readonly string[]): string {
  const verb = words.indexOf('hook');
  const others = words.flatMap((word, at) =>
    ['--node', '--launcher'].includes(word) ? [word, words[at + 1] ?? ''] : [],
  );
  return `\`${[...words.slice(0, verb), ...others].join(' ')}\``;
}
