import { whoIs } from '../../engine/decide/take-leases.ts';
import { forgetHeld, LEASE, parseHeld } from '../../engine/session/leases.ts';
import type { HeldLease } from '../../engine/session/leases.ts';
import { nodeFiles } from '../../platform/files.ts';
import { cellId, parseCellId } from '../../state/cells.ts';
import { isTeamCell } from '../../state/team-queue.ts';
import { teamName } from '../../team/state/settings.ts';
import { messageOf } from '../../text/message-of.ts';
import { changeState } from '../change-state.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { formatSpan, printableLine, printTable } from '../table.ts';

interface FoundLease extends HeldLease {
  readonly id: string;
  readonly name: string;
  /** The team that shares it; absent for one of this machine. */
  readonly team?: string;
}

export const list: Command = {
  summary: 'the leases that are held, by whom and for how long',
  details: "Of a team's leases it tells what this machine knows of them; the server has the last word.",
  options: JSON_OPTION,
  run(input, world) {
    const leases = leasesIn(world);
    if (input.has('json'))
      return printJson(
        world,
        leases.map(({ id: _id, ...lease }) => lease),
      );
    if (leases.length === 0) return world.out('No lease is held.\n');
    const now = world.engine().clock.now();
    printTable(
      world,
      [
        { title: 'lease' },
        { title: 'number', align: 'right' },
        { title: 'held by', shrinksTo: 16 },
        { title: 'for' },
        { title: 'team' },
      ],
      leases.map(({ name, fence, holder, until, team = '' }) => [
        name,
        String(fence),
        whoIs(holder),
        formatSpan(until - now),
        team,
      ]),
    );
  },
};

export const number: Command = {
  summary: 'the number of a lease that is held',
  usage: '<NAME>',
  details: `Prints the number and nothing else, for a script that passes it on: every holder has a higher one than those before, so what
is deployed to can refuse a lower one. Fails where nobody holds the lease.`,
  args: [1, 1],
  options: JSON_OPTION,
  run(input, world) {
    const { fence, holder, until } = leaseNamed(input.args[0] ?? '', world);
    if (input.has('json')) return printJson(world, { fence, holder, until });
    world.out(`${fence}\n`);
  },
};

export const release: Command = {
  summary: 'end a lease before its time',
  gated: 'it lets another session do what one does at a time',
  usage: '<NAME>',
  details: 'For a holder that is gone. One that still runs is not stopped by it; its number is lower than the next.',
  args: [1, 1],
  options: JSON_OPTION,
  check: (input, world) => void leaseNamed(input.args[0] ?? '', world),
  async run(input, world) {
    const lease = leaseNamed(input.args[0] ?? '', world);
    if (lease.team !== undefined) await releaseThere(lease, world);
    changeState(world, (draft) => forgetHeld(draft, lease.id, lease.holder));
    if (input.has('json')) return printJson(world, { released: lease.name, holder: lease.holder });
    world.out(`${printableLine(lease.name)} is free; ${whoIs(lease.holder)} had it.\n`);
  },
};

/** The server has the last word, so it is asked first. */
async function releaseThere({ name, holder, team }: FoundLease, world: CliWorld): Promise<void> {
  const { workspaces, clock } = world.engine();
  const settings = await workspaces.readTeamState();
  if (!settings || teamName(settings) !== team)
    throw new CommandError(
      `this machine no longer shares state with ${printableLine(team ?? '')}; the lease ends by itself`,
    );
  const { openServer } = await import('../../team/state/open-sync.ts');
  const server = openServer(settings, { files: nodeFiles, userHome: world.userHome, now: clock.now });
  try {
    await server.watch(
      () => {},
      () => {},
    );
    await server.releaseLease(name, holder);
  } catch (error) {
    throw new CommandError(`the server of the team's state does not answer (${messageOf(error)}); the lease stays`);
  } finally {
    await server.close();
  }
}

function leaseNamed(name: string, world: CliWorld): FoundLease {
  const lease = leasesIn(world).find((each) => each.name === name);
  if (lease) return lease;
  throw new CommandError(`nobody holds a lease "${name}"; \`fairlead lease list\` names those that are held`);
}

/** What a team shares comes first. */
function leasesIn(world: CliWorld): FoundLease[] {
  const { store, clock } = world.engine();
  const now = clock.now();
  store.refresh(now);
  const own = store.list(cellId('user', '', LEASE), now);
  const shared = store.list('team', now).filter(({ id }) => isTeamCell(id) && parseCellId(id).name === LEASE);
  return [...shared, ...own].flatMap(({ id, value }): FoundLease[] => {
    const held = parseHeld(value);
    const { scope, owner, key: name } = parseCellId(id);
    return held && held.until > now ? [{ id, name, ...held, ...(scope === 'team' && { team: owner }) }] : [];
  });
}

export default {
  order: 185,
  groups: { lease: 'what one session does at a time: list, number, release' },
  verbs: { 'lease list': list, 'lease number': number, 'lease release': release },
} satisfies VerbFile;
