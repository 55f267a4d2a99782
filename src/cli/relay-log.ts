import { findRelaySessions, newestRelay, readRelays } from '../ledger/relays.ts';
import type { RelayFilter, StoredRelay } from '../ledger/relays.ts';
import { basename } from '../platform/paths.ts';
import { UsageError } from './command.ts';
import type { CliWorld, Input } from './command.ts';
import { databaseOf, ruleMeant, sessionNamed, sinceOf } from './database.ts';
import { rootAt } from './known-rules.ts';
import { linePrinter } from './listing.ts';
import type { Listing } from './listing.ts';
import { formatMoment } from './table.ts';
import type { Cells, Column } from './table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'time' },
  { title: 'session' },
  { title: 'project', shrinksTo: 8 },
  { title: 'event' },
  { title: 'variant', shrinksTo: 8 },
  { title: 'message', shrinksTo: 20 },
];

/** Records for those who listen outside the session. */
export async function relayLog(input: Input, world: CliWorld): Promise<Listing<StoredRelay>> {
  for (const option of ['event', 'action', 'denied', 'grep'])
    if (input.text(option) !== undefined || input.list(option).length > 0 || input.has(option))
      throw new UsageError(`--${option} is about decisions; it does not go with --kind relay`);
  const filter = await filterOf(input, world);
  const now = world.engine().clock.now();
  const lines = linePrinter<StoredRelay>(world, {
    columns: COLUMNS,
    sample: SAMPLE,
    goesOn: input.has('follow'),
    cells: (row) => cellsOf(row, now),
  });
  return {
    read: (range) => readRelays(databaseOf(world), { ...filter, ...range }),
    newest: () => newestRelay(databaseOf(world)),
    print: input.has('json') ? printJsonLines(world) : lines,
    emptyText: (newest) => (newest > 0 ? 'No record matches.' : 'No rule has relayed anything.'),
  };
}

async function filterOf(input: Input, world: CliWorld): Promise<RelayFilter> {
  const db = databaseOf(world);
  const session = input.text('session');
  const since = input.text('since');
  const given = input.text('rule');
  const isThere = given !== undefined && readRelays(db, { rule: given, last: 1 }).length > 0;
  const rule = given === undefined || isThere ? given : await ruleMeant(given, world);
  return {
    ...(input.has('all') || session !== undefined ? {} : { root: rootAt(world) }),
    ...(session === undefined ? {} : { session: sessionNamed(session, findRelaySessions(db, session)) }),
    ...(since === undefined ? {} : { since: sinceOf(since, world.engine().clock.now()) }),
    ...(rule === undefined ? {} : { rule }),
  };
}

function printJsonLines(world: CliWorld): (rows: readonly StoredRelay[]) => void {
  return (rows) => world.out(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** Widths for a log that starts empty. */
const SAMPLE: Cells = [
  '00:00:00',
  '00000000',
  'a-workspace',
  'relay',
  'a-variant',
  'a-pack/a-rule: what it has to say',
];

function cellsOf({ at, session = '', root, event, variant, message }: StoredRelay, now: number): Cells {
  return [formatMoment(at, now), session.slice(0, 8), basename(root), event, variant, message];
}
