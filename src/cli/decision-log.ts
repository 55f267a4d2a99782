import { EVENT_NAMES } from '../event/event.ts';
import { hasDetail, newestRow, OUTCOMES, outcomeOf, readRemarks, readRows } from '../ledger/read.ts';
import type { OutcomeName, Remark, RowFilter, StoredRow } from '../ledger/read.ts';
import type { Database } from '../platform/database.ts';
import { UsageError } from './command.ts';
import type { CliWorld, Input } from './command.ts';
import { databaseOf, ledgerSession, requireRule, sinceOf } from './database.ts';
import { hint } from './hint.ts';
import { linePrinter } from './listing.ts';
import type { Listing } from './listing.ts';
import { OUTCOME_STYLES } from './show-explanation.ts';
import { cut, formatCount, formatMoment, paint, printableLine } from './table.ts';
import type { Cells, Column } from './table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'time' },
  { title: 'session' },
  { title: 'seq', align: 'right' },
  { title: 'event', shrinksTo: 11 },
  { title: 'tool', shrinksTo: 6 },
  { title: 'decision' },
  { title: 'rules', shrinksTo: 12 },
  { title: 'tier', align: 'right' },
  { title: 'chars', align: 'right' },
  { title: 'µs', align: 'right' },
  { title: 'id' },
];

/** How long an event's detail may be on its way to the file. */
const DETAIL_MS = 1_000;

/** Events and what was decided on them. */
export async function decisionLog(input: Input, world: CliWorld): Promise<Listing<StoredRow>> {
  const filter = filterOf(input, databaseOf(world), world);
  if (filter.rule !== undefined) await requireRule(filter.rule, world);
  const now = world.engine().clock.now();
  const lines = linePrinter<StoredRow>(world, {
    columns: COLUMNS,
    sample: SAMPLE,
    cells: (row) => cellsOf(row, now),
    below(rows) {
      const remarks = readRemarks(databaseOf(world), rows);
      return ({ n }) => (remarks.get(n) ?? []).map((remark) => remarkLine(world, remark));
    },
  });
  return {
    read(range) {
      const db = databaseOf(world);
      const rows = readRows(db, { ...filter, ...range });
      return range.after === undefined ? rows : withDetails(rows, db, world.engine().clock.now());
    },
    newest: () => newestRow(databaseOf(world)),
    print: input.has('json') ? printJsonLines(world) : lines,
    emptyText: (newest) =>
      newest > 0
        ? 'No event matches.'
        : 'The ledger is empty: no event has been recorded. `fairlead doctor` shows whether the hooks are installed.',
  };
}

function filterOf(input: Input, db: Database, world: CliWorld): RowFilter {
  const session = input.text('session');
  const since = input.text('since');
  const rule = input.text('rule');
  const event = input.text('event');
  const outcomes = input.list('action').flatMap((given) => given.split(','));
  for (const given of outcomes) {
    if (!OUTCOMES.includes(given as OutcomeName))
      throw new UsageError(`no decision is called "${given}"; there is ${OUTCOMES.join(', ')}`);
  }
  if (event !== undefined && !(EVENT_NAMES as readonly string[]).includes(event))
    throw new UsageError(
      `no event is called "${event}"${hint(event, EVENT_NAMES) || `; there is ${EVENT_NAMES.join(', ')}`}`,
    );
  return {
    ...(session === undefined ? {} : { session: ledgerSession(session, db) }),
    ...(since === undefined ? {} : { since: sinceOf(since, world.engine().clock.now()) }),
    ...(rule === undefined ? {} : { rule }),
    ...(event === undefined ? {} : { event }),
    ...(outcomes.length === 0 ? {} : { outcomes: outcomes as OutcomeName[] }),
  };
}

/** For one who follows: up to the first row whose detail, and with it its remarks, is still to come. */
function withDetails(rows: readonly StoredRow[], db: Database, now: number): readonly StoredRow[] {
  const early = rows.findIndex(({ n, at, tier }) => tier >= 3 && now - at < DETAIL_MS && !hasDetail(db, n));
  return early < 0 ? rows : rows.slice(0, early);
}

function printJsonLines(world: CliWorld): (rows: readonly StoredRow[]) => void {
  return (rows) => {
    const remarks = readRemarks(databaseOf(world), rows);
    const lines = rows.map((row) => {
      const left = remarks.get(row.n);
      return JSON.stringify({ ...row, outcome: outcomeOf(row), ...(left && { remarks: left }) });
    });
    world.out(lines.map((line) => `${line}\n`).join(''));
  };
}

const REMARK_INDENT = ' '.repeat(10);

function remarkLine(world: CliWorld, { rule, reason }: Remark): string {
  return paint(world, 'dim', cut(`${REMARK_INDENT}${printableLine(`${rule}: ${reason}`)}`, world.columns));
}

/** Widths for a log that starts empty. */
const SAMPLE: Cells = [
  '00:00:00',
  '00000000',
  '0000',
  'tool.before',
  'tool-name',
  'rewrite',
  'a-pack/and-its-rule',
  0,
  0,
  '00000',
  '000000000000',
];

function cellsOf(row: StoredRow, now: number): Cells {
  const outcome = outcomeOf(row);
  const style = OUTCOME_STYLES[outcome];
  return [
    formatMoment(row.at, now),
    row.session.slice(0, 8),
    row.seq,
    row.event,
    row.tool,
    { text: outcome + (row.copy ? '*' : ''), ...(style === undefined ? {} : { style }) },
    row.rules,
    row.tier,
    row.chars,
    formatCount(Math.round(row.micros)),
    row.id,
  ];
}
