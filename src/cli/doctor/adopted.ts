import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { readAdopted } from '../../adopted/store.ts';
import type { Adopted, AdoptedSet } from '../../adopted/store.ts';
import { nodeFiles } from '../../platform/files.ts';
import { messageOf } from '../../text/message-of.ts';
import { hookCosts } from '../adopt/hook-costs.ts';
import { adoptingOf } from '../adopt/adopting-of.ts';
import type { CliWorld } from '../command.ts';
import { inspectInstall } from '../install/inspect.ts';
import { shown } from '../known-rules.ts';
import { counted } from '../table.ts';
import type { Finding, Section } from './report.ts';

const DAY_MS = 86_400_000;

/** The hooks of others that the engine runs: whether they are called, and what went wrong in them. */
export function checkAdopted(root: string, world: CliWorld): readonly Section[] {
  const title = 'Hooks of others';
  let adopted: Adopted;
  try {
    adopted = readAdopted(nodeFiles, world.paths.state);
  } catch (error) {
    const what = `What was adopted cannot be read: ${messageOf(error)}.`;
    const why = 'Calls that its hooks would look at are stopped.';
    return [
      {
        title,
        facts: [],
        findings: [
          { level: 'attention', what, why, next: 'bring adopted.json of the state directory back from a copy' },
        ],
      },
    ];
  }
  const { sets, rules } = adopted;
  const findings = [...sets.flatMap((set) => uncalled(set, world)), ...unkept(root, sets, world), ...failing(world)];
  if (sets.length + rules.length + findings.length === 0) return [];
  const hooks = sets.reduce((sum, set) => sum + set.hooks.length, 0);
  return [{ title, facts: [['adopted', `${counted(hooks, 'hook')}, ${counted(rules.length, 'rule')}`]], findings }];
}

function uncalled({ id, file, agent, hooks }: AdoptedSet, world: CliWorld): readonly Finding[] {
  const text = nodeFiles.readText(file) ?? '';
  const sets = adoptingOf(agent).adopting.setsIn(text);
  if (sets.includes(id)) return [];
  const there = new Set(
    adoptingOf(agent)
      .adopting.list(text)
      .map(({ entry }) => JSON.stringify(entry)),
  );
  const isBack = hooks.every(({ entry }) => there.has(JSON.stringify(entry)));
  const names = hooks.map(({ name }) => name).join(', ');
  return [
    {
      level: isBack ? 'note' : 'attention',
      what: `${shown(world, file)} does not call ${counted(hooks.length, 'hook')} any more that fairlead has adopted: ${names}.`,
      why: isBack
        ? 'Somebody brought them back by hand, so the agent runs them.'
        : 'Somebody took the entry out, so nobody runs them.',
      next: isBack ? 'fairlead adopt --undo lets go of them' : 'fairlead adopt --undo writes them back',
    },
  ];
}

/** Entries for what nobody has: the state was lost, or the file comes from elsewhere. */
function unkept(root: string, sets: readonly AdoptedSet[], world: CliWorld): readonly Finding[] {
  return inspectInstall(root, world).flatMap(({ agent, path }): Finding[] => {
    const adopting = INSTALLERS.find((each) => each.agent === agent)?.adopting;
    const lost = (adopting?.setsIn(nodeFiles.readText(path) ?? '') ?? []).filter(
      (id) => !sets.some((set) => set.id === id),
    );
    return lost.length === 0
      ? []
      : [
          {
            level: 'attention',
            what: `${shown(world, path)} calls adopted hooks that are not kept here.`,
            why: 'Calls that they would look at are stopped.',
            next: `take the entries with --adopted ${lost.join(', ')} out of the file by hand`,
          },
        ];
  });
}

function failing(world: CliWorld): readonly Finding[] {
  return hookCosts(Date.now() - DAY_MS, world).flatMap(({ name, event, runs, failed, problem }): Finding[] =>
    problem === undefined
      ? []
      : [
          {
            level: 'note',
            what: `The hook ${name} on ${event} failed ${failed} of ${counted(runs, 'time')} in the last day: ${problem}.`,
            why: 'The agent goes on without such a hook, with us as without us.',
            next: 'mend its command, or take it out of your settings after fairlead adopt --undo',
          },
        ],
  );
}
