import { EVENT_NAMES } from '../../event/event.ts';
import { OUTCOMES, outcomeOf, readRows } from '../../ledger/read.ts';
import type { OutcomeName, RowFilter, StoredRow } from '../../ledger/read.ts';
import type { Database } from '../../platform/database.ts';
import { UsageError } from '../command.ts';
import type { CliWorld, Command, Input } from '../command.ts';
import { databaseOf, ledgerSession, requireRule, sinceOf } from '../database.ts';
import { hint } from '../hint.ts';
import { OUTCOME_STYLES } from '../show-explanation.ts';
import { formatCount, formatMoment, layOut } from '../table.ts';
import type { Cells, Column } from '../table.ts';

const POLL_MS = 250;
const DEFAULT_LAST = 50;

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

export const log: Command = {
  summary: 'the record of events and decisions',
  details: `One line per event, newest last. \`fairlead explain ID\` tells why it was decided so.
The decision is the action, or note or warn when the call passed and something was said; * marks a copy of an event
that was answered before.`,
  options: {
    follow: { type: 'boolean', short: 'f', help: 'go on with new events until interrupted' },
    session: { type: 'string', value: 'ID', help: 'one session; the beginning of its id is enough' },
    rule: { type: 'string', value: 'ID', help: 'events in which this rule spoke, decided or failed' },
    event: { type: 'string', value: 'NAME', help: 'one kind of event, such as tool.before' },
    since: { type: 'string', value: 'SPAN', help: 'not older than this: 30m, 4h, 2d' },
    last: { type: 'string', value: 'N', help: `the newest N (default ${DEFAULT_LAST})` },
    all: { type: 'boolean', help: 'without that limit' },
    action: { type: 'string', multiple: true, value: 'NAME', help: `${OUTCOMES.join(', ')}; may be given again` },
    json: { type: 'boolean', help: 'print one JSON object per line' },
  },
  async run(input, world) {
    const db = databaseOf(world);
    const filter = filterOf(input, db, world);
    if (filter.rule !== undefined) await requireRule(filter.rule, world);
    const newest = newestOf(db);
    const rows = readRows(db, filter);
    const print = printer(input, world, rows);
    print(rows);
    if (input.has('follow')) await follow(world, filter, rows.at(-1)?.n ?? newest, print);
    else if (rows.length === 0 && !input.has('json')) world.out(`${emptyText(newest)}\n`);
  },
};

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
  if (input.has('all') && input.text('last') !== undefined) throw new UsageError('give --last or --all, not both');
  return {
    ...(session === undefined ? {} : { session: ledgerSession(session, db) }),
    ...(since === undefined ? {} : { since: sinceOf(since, world.engine().clock.now()) }),
    ...(rule === undefined ? {} : { rule }),
    ...(event === undefined ? {} : { event }),
    ...(outcomes.length === 0 ? {} : { outcomes: outcomes as OutcomeName[] }),
    ...(input.has('all') ? {} : { last: countOf(input.text('last')) }),
  };
}

function countOf(given: string | undefined): number {
  if (given === undefined) return DEFAULT_LAST;
  const count = Number(given);
  if (!Number.isInteger(count) || count < 0 || given.trim() === '')
    throw new UsageError(`--last wants a number, not "${given}"`);
  return count;
}

function printer(input: Input, world: CliWorld, first: readonly StoredRow[]): (rows: readonly StoredRow[]) => void {
  if (input.has('json'))
    return (rows) => world.out(rows.map((row) => `${JSON.stringify({ ...row, outcome: outcomeOf(row) })}\n`).join(''));
  const now = world.engine().clock.now();
  const table = layOut(world, COLUMNS, first.length > 0 ? first.map((row) => cellsOf(row, now)) : [SAMPLE]);
  let headed = false;
  return (rows) => {
    if (rows.length === 0) return;
    world.out(
      [...(headed ? [] : [table.head]), ...rows.map((row) => table.line(cellsOf(row, now)))]
        .map((line) => `${line}\n`)
        .join(''),
    );
    headed = true;
  };
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

function emptyText(newest: number): string {
  if (newest > 0) return 'No event matches.';
  return 'The ledger is empty: no event has been recorded. `fairlead doctor` shows whether the hooks are installed.';
}

function newestOf(db: Database): number {
  return (db.prepare('SELECT coalesce(max(n), 0) AS n FROM events').get() as { n: number }).n;
}

/** Ends with the first interrupt. */
async function follow(
  world: CliWorld,
  { last: _last, ...filter }: RowFilter,
  from: number,
  print: (rows: readonly StoredRow[]) => void,
): Promise<void> {
  let after = from;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      process.once('SIGINT', resolve);
      timer = setInterval(() => {
        try {
          const rows = readRows(databaseOf(world), { ...filter, after });
          print(rows);
          after = rows.at(-1)?.n ?? after;
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      }, POLL_MS);
    });
  } finally {
    clearInterval(timer);
  }
}
