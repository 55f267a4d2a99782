import { PART, parseCellId } from '../../state/cells.ts';
import { sessionOf } from '../../state/memory.ts';
import type { Store, StoredCell } from '../../state/store.ts';
import { copyAge, isTeamCell, isTeamsQueue, seenId } from '../../state/team-queue.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, Option, VerbFile } from '../command.ts';
import { sessionNamed } from '../database.ts';
import { formatSpan, printable, printTable } from '../table.ts';

const SCOPES = ['session', 'turn', 'day', 'workspace', 'repository', 'user', 'team'];

const CHOICE = {
  scope: { type: 'string', value: 'SCOPE', help: SCOPES.join(', ') },
  session: {
    type: 'string',
    value: 'ID',
    help: 'cells of one session and its turns; the beginning of its id is enough',
  },
} as const satisfies Record<string, Option>;

interface Found {
  readonly id: string;
  readonly scope: string;
  /** Whose cell: a session, its turn, a workspace, a workspace and a day; empty for the user's own. */
  readonly owner: string;
  readonly name: string;
  readonly key: string;
  readonly value: unknown;
  readonly expiresIn?: number;
  readonly updated: number;
  /** Of a copy of the team's: milliseconds since it was known to be whole; absent where it never was. */
  readonly copyAge?: number;
}

export const list: Command = {
  summary: 'every state cell',
  details: 'Cells whose time has run out are not shown; the engine does not see them either.',
  options: { ...CHOICE, ...JSON_OPTION },
  run(input, world) {
    const cells = findCells(input, world);
    if (input.has('json'))
      return printJson(
        world,
        cells.map(({ id: _id, ...cell }) => cell),
      );
    if (cells.length === 0) return world.out('No state cell.\n');
    printTable(
      world,
      [
        { title: 'scope' },
        { title: 'owner', shrinksTo: 12 },
        { title: 'name', shrinksTo: 16 },
        { title: 'key', shrinksTo: 8 },
        { title: 'value', shrinksTo: 12 },
        { title: 'expires in', align: 'right' },
      ],
      cells.map(({ scope, owner, name, key, value, expiresIn }) => [
        scope,
        owner,
        name,
        key,
        JSON.stringify(value),
        expiresIn === undefined ? '' : formatSpan(expiresIn),
      ]),
    );
    for (const [team, age] of copiesIn(cells))
      world.out(`\nThe cells of ${printable(team)} are this machine's copy, ${ageOf(age)}.\n`);
  },
};

export const get: Command = {
  summary: 'one state cell',
  usage: '<name>',
  args: [1, 1],
  options: { key: { type: 'string', value: 'KEY', help: 'the one with this key' }, ...CHOICE, ...JSON_OPTION },
  run(input, world) {
    const [name = ''] = input.args;
    const cells = findCells(input, world).filter(
      (cell) => cell.name === name && (input.text('key') ?? cell.key) === cell.key,
    );
    if (cells.length === 0)
      throw new CommandError(
        `no state cell is called "${name}"${input.text('key') === undefined ? '' : ` with the key "${input.text('key')}"`}; \`fairlead state list\` names them all`,
      );
    if (input.has('json'))
      return printJson(
        world,
        cells.map(({ id: _id, ...cell }) => cell),
      );
    for (const { scope, owner, key, value, expiresIn, copyAge: age } of cells) {
      const about = [scope, owner, key].filter((part) => part !== '').join(' · ');
      const copy = scope === 'team' ? `, a copy ${ageOf(age)}` : '';
      world.out(
        `${printable(about)}${copy}${expiresIn === undefined ? '' : ` (expires in ${formatSpan(expiresIn)})`}\n${printable(JSON.stringify(value, null, 2))}\n`,
      );
    }
  },
};

export const clear: Command = {
  summary: 'forget state cells',
  gated: 'it makes the rules forget what happened',
  usage: '[name]',
  details: `What a rule has counted, marked or kept starts afresh. Settings, trust and the ledger stay as they are. What a team shares
goes with --scope team alone, and then for all of it.`,
  args: [0, 1],
  options: {
    key: { type: 'string', value: 'KEY', help: 'only the one with this key' },
    ...CHOICE,
    all: { type: 'boolean', help: 'every cell of every session' },
    yes: { type: 'boolean', short: 'y', help: 'do not ask' },
    ...JSON_OPTION,
  },
  check: (input, world) => void cellsToClear(input, world),
  async run(input, world) {
    const cells = cellsToClear(input, world);
    if (cells.length > 0 && !input.has('yes') && !(await confirm(cells.length, world))) {
      if (input.has('json')) printJson(world, { cleared: 0 });
      else world.out('Nothing was cleared.\n');
      return 1;
    }
    const { store, clock } = world.engine();
    if (cells.length > 0)
      store.commit({ reads: new Map(), changes: cells.map(({ id }) => ({ op: 'delete', id })), now: clock.now() });
    if (input.has('json')) printJson(world, { cleared: cells.length });
    else world.out(cells.length === 0 ? 'No such cell; nothing to clear.\n' : `Cleared ${countOf(cells.length)}.\n`);
    return 0;
  },
};

function cellsToClear(input: Input, world: CliWorld): Found[] {
  const [name] = input.args;
  const narrowed = name !== undefined || input.text('session') !== undefined || input.text('scope') !== undefined;
  if (narrowed && input.has('all')) throw new UsageError('--all goes alone');
  if (!narrowed && !input.has('all')) throw new UsageError('say what to clear: a name, --session, --scope, or --all');
  const key = input.text('key');
  const mayGo = ({ id, scope }: Found) => !isTeamsQueue(id) && (scope !== 'team' || input.text('scope') === 'team');
  return findCells(input, world).filter(
    (cell) => mayGo(cell) && (name ?? cell.name) === cell.name && (key ?? cell.key) === cell.key,
  );
}

async function confirm(count: number, world: CliWorld): Promise<boolean> {
  if (!world.interactive)
    throw new UsageError(`${countOf(count)} would be cleared and there is nobody to ask; --yes clears without asking`);
  return world.ask(`Clear ${countOf(count)}?`);
}

function countOf(count: number): string {
  return `${count} state cell${count === 1 ? '' : 's'}`;
}

/** Each team once, with the age of its copy. */
function copiesIn(cells: readonly Found[]): ReadonlyMap<string, number | undefined> {
  return new Map(cells.filter(({ scope }) => scope === 'team').map(({ owner, copyAge: age }) => [owner, age]));
}

function ageOf(age: number | undefined): string {
  return age === undefined ? 'never known to be whole' : `${formatSpan(age)} old`;
}

function findCells(input: Input, world: CliWorld): Found[] {
  const { store, clock } = world.engine();
  const now = clock.now();
  const scope = input.text('scope');
  if (scope !== undefined && !SCOPES.includes(scope))
    throw new UsageError(`no scope is called "${scope}"; there is ${SCOPES.join(', ')}`);
  const cells = store.list('', now);
  const given = input.text('session');
  const session =
    given === undefined
      ? undefined
      : sessionNamed(given, [...new Set(cells.flatMap((cell) => sessionOf(cell.id) ?? []))]);
  return cells
    .filter((cell) => session === undefined || sessionOf(cell.id) === session)
    .map((cell) => describe(cell, now, store))
    .filter((cell) => scope === undefined || cell.scope === scope);
}

function describe({ id, value, expires, updated }: StoredCell, now: number, store: Pick<Store, 'get'>): Found {
  const { scope, owner, name, key } = parseCellId(id);
  const age = isTeamCell(id) ? copyAge(store.get(seenId(owner), now), now) : Number.POSITIVE_INFINITY;
  return {
    id,
    scope,
    owner: owner.replaceAll(PART, ' · '),
    name,
    key: key.replaceAll(PART, ' · '),
    value: parse(value),
    updated,
    ...(Number.isFinite(age) && { copyAge: age }),
    ...(expires === 0 ? {} : { expiresIn: expires - now }),
  };
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export default {
  order: 180,
  groups: { state: 'what rules remember: list, get, clear' },
  verbs: { 'state list': list, 'state get': get, 'state clear': clear },
} satisfies VerbFile;
