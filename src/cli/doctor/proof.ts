import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { nodeFiles } from '../../platform/files.ts';
import { settingsOf } from '../../workspace/policy.ts';
import type { CliWorld } from '../command.ts';
import type { KnownRules } from '../known-rules.ts';
import { targetOf } from '../install/target.ts';
import { shown } from '../known-rules.ts';
import { counted, cut } from '../table.ts';
import { proveEntries } from './prove.ts';
import type { ProveOptions } from './prove.ts';
import { rehearse } from './rehearse.ts';
import type { Proved } from './prove-causes.ts';
import type { Fact, Finding, Section } from './report.ts';

/** For all events together; a machine in trouble may need seconds for each. */
const LIMIT_MS = 120_000;

export interface Proof extends Section {
  readonly events: readonly Proved[];
}

/** Whether events arrive and texts come back: not by what is written somewhere, but by sending some. */
export async function checkProof({ root, layers }: KnownRules, world: CliWorld): Promise<Proof> {
  const isTerminal = world.colour;
  const options: ProveOptions = {
    limitMs: LIMIT_MS,
    longest: settingsOf(layers).attention.event,
    onStep(done, total, event) {
      if (isTerminal)
        world.err(`\r${done === total ? '' : cut(`proving ${done + 1}/${total} ${event} …`, 79)}\u001b[K`);
    },
  };
  const called = await proveEntries(root, world, options);
  const { events: played, programs, missing } = await rehearse(root, world, options);
  const events = [...called, ...played];
  const facts: Fact[] = [
    ...programs.map((program): Fact => ['played to', program]),
    ...missing.map((why): Fact => ['not played', `${why}; its hooks were called in its place`]),
    ...modesOf(root, events, world),
    ...factsOf(events, world),
  ];
  return { title: 'Proof', facts, findings: findingsOf(events, world), events };
}

function modesOf(root: string, events: readonly Proved[], world: CliWorld): Fact[] {
  const called = INSTALLERS.filter(({ agent }) => events.some((event) => event.agent === agent));
  return called.flatMap(({ modes }) => modes?.(targetOf(root, world), nodeFiles) ?? []);
}

const isWell = ({ fired, delivered, cause }: Proved): boolean =>
  fired && (delivered === 'whole' || delivered === 'none') && cause === undefined;

function factsOf(events: readonly Proved[], world: CliWorld): Fact[] {
  const files = new Set(events.map(({ file }) => file));
  return events.map(({ event, file, fired, delivered, by, ms }) => [
    files.size > 1 ? `${event}, ${shown(world, file)}` : event,
    `${by === 'agent' ? 'played' : `wired by ${by}`}, ${fired ? 'fired' : 'not fired'}, ${DELIVERED[delivered]}, ${ms} ms`,
  ]);
}

const DELIVERED = {
  whole: 'delivered',
  cut: 'delivered cut',
  dropped: 'dropped',
  none: 'carries no text',
} as const;

/** Many events have one cause. */
function findingsOf(events: readonly Proved[], world: CliWorld): Finding[] {
  if (events.length === 0)
    return [
      {
        level: 'attention',
        what: 'There is no entry of Fairlead to prove.',
        why: 'No agent that works here calls it.',
        next: 'fairlead init',
      },
    ];
  const groups = new Map<string, Proved[]>();
  for (const each of events.filter((one) => !isWell(one))) {
    const key = `${each.file}\n${each.fired}\n${each.delivered}\n${each.cause}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].map((group): Finding => {
    const [{ file, fired, delivered, cause = 'nobody knows why' }] = group as [Proved];
    const names = group.length > 4 ? counted(group.length, 'event') : group.map(({ event }) => event).join(', ');
    const became = !fired ? 'did not reach the engine' : delivered === 'cut' ? 'had its text cut' : 'lost its text';
    const isOnlyNarrow = fired && delivered !== 'dropped' && delivered !== 'cut';
    return {
      level: 'attention',
      what: `${names} of ${shown(world, file)} ${isOnlyNarrow ? 'arrived, but not always' : became}.`,
      why: `${cause.slice(0, 1).toUpperCase()}${cause.slice(1)}.`,
      next: 'mend that, then fairlead doctor --prove',
    };
  });
}
