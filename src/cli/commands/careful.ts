import { carefulIn, EVERYWHERE, lasts, readCareful, writeCareful } from '../../engine/careful/book.ts';
import type { Careful, CarefulBook } from '../../engine/careful/book.ts';
import { TEAM_WIDE, teamCareful, teamCarefulId } from '../../engine/careful/team-careful.ts';
import type { Draft } from '../../state/draft.ts';
import { settingsOf } from '../../workspace/policy.ts';
import { changeState, draftOf } from '../change-state.ts';
import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { rootAt } from '../known-rules.ts';
import { formatSpan, formatTime, printableLine } from '../table.ts';
import { sharingOf, teamOf } from '../team-sharing.ts';
import { timeSpan } from '../time-span.ts';
import { packsHolding } from '../../event/known-packs.ts';

const DEFAULT_FOR = '4h';
const MAX_REASON = 200;
const ALL = { all: { type: 'boolean', help: 'in every project' } } as const;
const TEAM_HELP = 'on every machine of the team whose state is shared';

export const on: Command = {
  summary: 'let rules act harder for a while',
  details: `Rules that have a careful mode then ask or deny where they advised. It holds in this project for 4 hours, or what
packs.${packsHolding('careful')[0]}.careful.defaultFor says. An agent may call it too; it never shortens what is on, and the person is told.`,
  options: {
    for: { type: 'string', value: 'TIME', help: 'for so long: 30m, 4h, 2d' },
    'until-off': { type: 'boolean', help: 'until `fairlead careful off`' },
    reason: { type: 'string', value: 'TEXT', help: 'why, for whoever asks later' },
    ...ALL,
    team: { type: 'boolean', help: TEAM_HELP, gated: 'it holds for everybody in the team' },
    ...JSON_OPTION,
  },
  async run(input, world) {
    const lastsFor = await lengthOf(input, world);
    const reason = input.text('reason')?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON);
    const isPerson = world.isPerson();
    const team = input.has('team') ? (await teamOf(world)).team : undefined;
    const where = team === undefined ? whereOf(input, world) : TEAM_WIDE;
    const careful = changeState(world, (draft) => {
      if (team !== undefined) return beginForTeam(draft, team, lastsFor, reason);
      const { book } = readCareful(draft);
      const before = book.on[where];
      const known = before && lasts(before, draft.now) ? before : undefined;
      const until = lastsFor === undefined ? undefined : draft.now + lastsFor;
      if (known && !isPerson && (known.until ?? Infinity) >= (until ?? Infinity)) return known;
      const next: Careful = {
        since: known?.since ?? draft.now,
        ...(until === undefined ? {} : { until }),
        by: isPerson ? 'user' : 'agent',
        ...(reason ? { reason } : known?.reason === undefined ? {} : { reason: known.reason }),
        ...(isPerson ? {} : { unsaid: true }),
      };
      writeCareful(draft, { ...book, on: { ...book.on, [where]: next } });
      return next;
    });
    if (input.has('json')) return printJson(world, dataOf(careful, where));
    const off = team === undefined ? 'careful off' : 'careful off --team';
    world.out(`Careful mode is on ${named(where)}, ${endOf(careful)}. \`fairlead ${off}\` ends it.\n`);
  },
};

function beginForTeam(draft: Draft, team: string, lastsFor: number | undefined, reason: string | undefined): Careful {
  const until = lastsFor === undefined ? {} : { until: draft.now + lastsFor };
  const careful: Careful = { since: draft.now, ...until, by: 'user', ...(reason && { reason }) };
  draft.set(teamCarefulId(team), JSON.stringify(careful), careful.until ?? 0);
  return careful;
}

async function endForTeam(input: Input, world: CliWorld): Promise<void> {
  const sharing = await teamOf(world);
  const before = changeState(world, (draft) => {
    const careful = teamCareful(sharing, (id) => draft.read(id), draft.now);
    if (careful) draft.delete(teamCarefulId(sharing.team));
    return careful;
  });
  if (input.has('json')) return printJson(world, { active: false, changed: before !== undefined });
  world.out(`Careful mode ${before ? 'is off' : 'was not on'} ${named(TEAM_WIDE)}.\n`);
}

export const off: Command = {
  summary: 'end careful mode',
  gated: 'it ends careful mode',
  details:
    'For a person at a terminal. An agent that calls it is asked about; what the person approves there holds for that very call.',
  options: { ...ALL, team: { type: 'boolean', help: TEAM_HELP }, ...JSON_OPTION },
  redeem: ({ root, command }, input, world) =>
    root === rootAt(world) && ['all', 'team'].every((wide) => !input.has(wide) || command.includes(`--${wide}`)),
  async run(input, world) {
    if (input.has('team')) return endForTeam(input, world);
    const where = whereOf(input, world);
    const { before, left } = changeState(world, (draft) => {
      const { book, intact } = readCareful(draft);
      const ended = Object.entries(book.on).filter(([root]) => input.has('all') || root === where);
      const rest = Object.fromEntries(Object.entries(book.on).filter(([root]) => !ended.some(([one]) => one === root)));
      if (ended.length > 0 || !intact) writeCareful(draft, withOn(book, rest));
      return {
        before: ended.map(([, careful]) => careful).find((careful) => lasts(careful, draft.now)),
        left: carefulIn(withOn(book, rest), where, draft.now),
      };
    });
    if (input.has('json'))
      return printJson(world, {
        ...(left ? dataOf(left, EVERYWHERE) : { active: false }),
        changed: before !== undefined,
      });
    world.out(before ? `Careful mode is off ${named(where)}.\n` : `Careful mode was not on ${named(where)}.\n`);
    if (left) world.out('It is still on in every project; `fairlead careful off --all` ends that.\n');
    if (await teamCarefulNow(world))
      world.out('It is still on for the team; `fairlead careful off --team` ends that.\n');
  },
};

export const status: Command = {
  summary: 'whether careful mode is on, since when and until when',
  options: JSON_OPTION,
  async run(input, world) {
    const root = rootAt(world);
    const { careful, where, changed, now } = await carefulNow(root, world);
    const found = changed === undefined ? {} : { changedBehindUs: changed };
    if (input.has('json'))
      return printJson(world, { ...(careful ? dataOf(careful, where) : { active: false, where: root }), ...found });
    if (careful) world.out(`${describeCareful(careful, where, now)}\n`);
    else world.out(`Careful mode is off ${named(root)}.\n`);
    if (changed !== undefined)
      world.out(
        `Its record was changed by something other than Fairlead, seen ${formatTime(changed)}; it stayed on.\n`,
      );
  },
};

/** What holds here, of the team before one's own, and when its record was found to differ. */
export async function carefulNow(root: string, world: CliWorld) {
  const draft = draftOf(world);
  const { book, intact } = readCareful(draft);
  const ofTeam = await teamCarefulNow(world);
  const own = carefulIn(book, root, draft.now);
  const where = ofTeam ? TEAM_WIDE : own === book.on[root] ? root : EVERYWHERE;
  return { careful: ofTeam ?? own, where, changed: intact ? book.changed?.at : draft.now, now: draft.now };
}

async function teamCarefulNow(world: CliWorld): Promise<Careful | undefined> {
  const sharing = await sharingOf(world);
  const draft = draftOf(world);
  return teamCareful(sharing, (id) => draft.read(id), draft.now);
}

export function describeCareful(careful: Careful, where: string, now: number): string {
  const who = careful.by === 'agent' ? 'switched on by an agent' : 'switched on by the user';
  const why = careful.reason === undefined ? '' : `: ${printableLine(careful.reason)}`;
  return `Careful mode is on ${named(where)} since ${formatSpan(now - careful.since)}, ${endOf(careful)}, ${who}${why}.`;
}

function withOn({ on: _on, grant: _grant, ...rest }: CarefulBook, left: CarefulBook['on']): CarefulBook {
  return Object.keys(left).length === 0 ? { on: left } : { ...rest, on: left };
}

function dataOf({ unsaid: _unsaid, ...careful }: Careful, where: string): object {
  return { active: true, where, ...careful };
}

function whereOf(input: Input, world: CliWorld): string {
  return input.has('all') ? EVERYWHERE : rootAt(world);
}

function named(where: string): string {
  if (where === TEAM_WIDE) return 'for the whole team';
  return where === EVERYWHERE ? 'in every project' : `in ${where}`;
}

function endOf({ until }: Careful): string {
  return until === undefined ? 'until it is switched off' : `until ${formatTime(until)}`;
}

async function lengthOf(input: Input, world: CliWorld): Promise<number | undefined> {
  const text = input.text('for');
  if (input.has('until-off')) {
    if (text !== undefined) throw new UsageError('give --for or --until-off, not both');
    return undefined;
  }
  if (text !== undefined) return timeSpan('--for', text);
  const { packs } = settingsOf(await world.engine().workspaces.layersAt(rootAt(world)));
  const options = packsHolding('careful').map(
    (pack) => packs[pack]?.options?.['careful'] as Defaults | null | undefined,
  );
  const given = options.map((careful) => careful?.defaultFor).find((value) => value !== undefined);
  return timeSpan('careful.defaultFor', typeof given === 'string' ? given : DEFAULT_FOR);
}

interface Defaults {
  readonly defaultFor?: unknown;
}

export default {
  order: 80,
  groups: { careful: 'let rules act harder for a while: on, off, status' },
  verbs: { 'careful on': on, 'careful off': off, 'careful status': status },
} satisfies VerbFile;
