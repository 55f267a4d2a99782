import { EVENT_NAMES } from '../event/event.ts';
import { FATE_WORDS, readFates } from '../ledger/fates.ts';
import type { FateName } from '../ledger/fates.ts';
import { hasDetail, newestRow, OUTCOMES, outcomeOf, readRows, readTold } from '../ledger/read.ts';
import type { OutcomeName, Remark, RowFilter, StoredRow } from '../ledger/read.ts';
import type { Database } from '../platform/database.ts';
import { basename } from '../platform/paths.ts';
import { UsageError } from './command.ts';
import type { CliWorld, Input } from './command.ts';
import { databaseOf, ruleMeant, sessionMeant, sinceOf } from './database.ts';
import { hint } from './hint.ts';
import { rootAt } from './known-rules.ts';
import { linePrinter } from './listing.ts';
import type { Listing } from './listing.ts';
import { OUTCOME_STYLES } from './show-explanation.ts';
import { cut, formatMoment, paint, printableLine } from './table.ts';
import type { Cells, Column } from './table.ts';
import { describeHeed, toldHeeds } from './told-heeds.ts';
import type { ToldHeed } from './told-heeds.ts';
import { whatHappened } from './what-happened.ts';

/** Where all lines are of one project, its name is the first to go. */
const columnsFor = (isAll: boolean): readonly Column[] => [
  { title: 'time' },
  { title: 'project', shrinksTo: 12, leaves: isAll ? 2 : 3 },
  { title: 'event', leaves: 1 },
  { title: 'what', shrinksTo: 24 },
  { title: 'decision' },
  { title: 'rule', shrinksTo: 16 },
  { title: 'id', leaves: isAll ? 3 : 2 },
];

/** How long an event's detail may be on its way to the file. */
const DETAIL_MS = 1_000;
/** Rows that a search looks through at a time. */
const PAGE = 500;

/** A row with what its event was about. */
interface LoggedRow extends StoredRow {
  readonly what: string;
  readonly remarks: readonly Remark[];
  readonly undo?: number;
  /** The policy of a team that had a say in it. */
  readonly policy?: string;
  /** What became of it on the agent's side; `open` while that is not known. */
  readonly fate?: FateName | 'open';
  /** What the agent made of its advice. */
  readonly heeds?: readonly ToldHeed[];
}

/** Events and what was decided on them. */
export async function decisionLog(input: Input, world: CliWorld): Promise<Listing<LoggedRow>> {
  const given = filterOf(input, world);
  const { root, rule } = given;
  const filter = rule === undefined ? given : { ...given, rule: await ruleMeant(rule, world) };
  const now = world.engine().clock.now();
  const lines = linePrinter<LoggedRow>(world, {
    columns: columnsFor(root === undefined),
    sample: SAMPLE,
    goesOn: input.has('follow'),
    cells: (row) => cellsOf(row, now, world),
    below:
      () =>
      ({ remarks, fate, policy, heeds = [] }) => [
        ...(policy === undefined ? [] : [remarkLine(world, `by the policy ${policy}`)]),
        ...(fate !== undefined && UNUSUAL.has(fate) ? [remarkLine(world, FATE_WORDS[fate as FateName])] : []),
        ...heeds
          .filter(({ outcome }) => outcome !== 'open')
          .map((heed) => remarkLine(world, `${heed.rule}: ${describeHeed(heed)}`)),
        ...remarks.map((remark) => remarkLine(world, textOfRemark(remark))),
      ],
  });
  const matches = matcherOf(input);
  return {
    read(range) {
      const rows = readMatching(world, { ...filter, ...range }, matches);
      return range.after === undefined ? rows : withDetails(rows, databaseOf(world), world.engine().clock.now());
    },
    newest: () => newestRow(databaseOf(world)),
    print: input.has('json') ? printJsonLines(world) : lines,
    emptyText: (newest) =>
      newest === 0
        ? 'The ledger is empty: no event has been recorded. `fairlead doctor` shows whether the hooks are installed.'
        : root === undefined
          ? 'No event matches.'
          : `No event matches in ${printableLine(root)}; \`--all\` looks in every project.`,
  };
}

function matcherOf(input: Input): ((row: LoggedRow) => boolean) | undefined {
  const wanted = input.text('grep')?.toLowerCase();
  if (wanted === undefined) return undefined;
  return ({ event, tool, what, rules, remarks, ...row }) =>
    [event, tool, what, outcomeOf({ rules, ...row, event, tool }), rules, ...remarks.map(textOfRemark)]
      .join('\n')
      .toLowerCase()
      .includes(wanted);
}

/** What a search asks for is not in the rows alone, so it looks through them page by page, the newest first. */
function readMatching(
  world: CliWorld,
  filter: RowFilter,
  matches: ((row: LoggedRow) => boolean) | undefined,
): readonly LoggedRow[] {
  const db = databaseOf(world);
  if (!matches) return logged(readRows(db, filter), db, world);
  const { last = Infinity } = filter;
  let found: LoggedRow[] = [];
  for (let before: number | undefined; found.length < last;) {
    const page = readRows(db, { ...filter, ...(before === undefined ? {} : { before }), last: PAGE });
    found = [...logged(page, db, world).filter(matches), ...found];
    before = page[0]?.n;
    if (page.length < PAGE) break;
  }
  return last === Infinity ? found : found.slice(Math.max(0, found.length - last));
}

function logged(rows: readonly StoredRow[], db: Database, { userHome }: CliWorld): LoggedRow[] {
  const told = readTold(db, rows);
  const fates = readFates(db, rows);
  const allHeeds = toldHeeds(db, rows, userHome);
  return rows.map((stored) => {
    const fate = fates.get(stored.n);
    const heeds = allHeeds.get(stored.n);
    const row = { ...stored, ...(fate !== undefined && { fate }), ...(heeds && { heeds }) };
    const { event, remarks = [], undo, policy } = told.get(row.n) ?? {};
    const what = event ? whatHappened(event, { root: row.root, userHome }) : row.tool;
    const more = policy === undefined ? {} : { policy };
    if (undo === undefined) return { ...row, what, remarks, ...more };
    return { ...row, what, undo, ...more, remarks: [{ rule: row.rules, reason: `kept as undo ${undo}` }, ...remarks] };
  });
}

function filterOf(input: Input, world: CliWorld): RowFilter {
  const session = input.text('session');
  const since = input.text('since');
  const rule = input.text('rule');
  const event = input.text('event');
  const outcomes = [
    ...input.list('action').flatMap((given) => given.split(',')),
    ...(input.has('denied') ? ['deny'] : []),
  ];
  for (const given of outcomes) {
    if (!OUTCOMES.includes(given as OutcomeName))
      throw new UsageError(`no decision is called "${given}"; there is ${OUTCOMES.join(', ')}`);
  }
  if (event !== undefined && !(EVENT_NAMES as readonly string[]).includes(event))
    throw new UsageError(
      `no event is called "${event}"${hint(event, EVENT_NAMES) || `; there is ${EVENT_NAMES.join(', ')}`}`,
    );
  // A session that is named is shown wherever it was.
  const isAnywhere = input.has('all') || session !== undefined;
  return {
    ...(isAnywhere ? {} : { root: rootAt(world) }),
    ...(session === undefined ? {} : { session: sessionMeant(session, world) }),
    ...(since === undefined ? {} : { since: sinceOf(since, world.engine().clock.now()) }),
    ...(rule === undefined ? {} : { rule }),
    ...(event === undefined ? {} : { event }),
    ...(outcomes.length === 0 ? {} : { outcomes: outcomes as OutcomeName[] }),
  };
}

/** For one who follows: up to the first row whose detail, and with it its remarks, is still to come. */
function withDetails(rows: readonly LoggedRow[], db: Database, now: number): readonly LoggedRow[] {
  const early = rows.findIndex(({ n, at }) => now - at < DETAIL_MS && !hasDetail(db, n));
  return early < 0 ? rows : rows.slice(0, early);
}

function printJsonLines(world: CliWorld): (rows: readonly LoggedRow[]) => void {
  return (rows) => {
    const lines = rows.map(({ remarks, ...row }) =>
      JSON.stringify({ ...row, outcome: outcomeOf(row), ...(remarks.length > 0 && { remarks }) }),
    );
    world.out(lines.map((line) => `${line}\n`).join(''));
  };
}

/** Fates that the decision alone does not tell. */
const UNUSUAL: ReadonlySet<string> = new Set<FateName>([
  ...(['allowed', 'refused', 'cut', 'misplaced', 'late', 'failed', 'unseen'] as const),
]);

const REMARK_INDENT = ' '.repeat(10);

function remarkLine(world: CliWorld, text: string): string {
  return paint(world, 'dim', cut(`${REMARK_INDENT}${printableLine(text)}`, world.columns));
}

function textOfRemark({ rule, reason }: Remark): string {
  return `${rule}: ${reason}`;
}

/** Widths for a log that goes on: what was done gets all the room that is left. */
const SAMPLE: Cells = [
  '00:00:00',
  'a-project',
  'tool.before',
  ' '.repeat(200),
  'rewrite',
  'a-pack/and-its-rule',
  '00000000000',
];

function cellsOf(row: LoggedRow, now: number, { userHome }: CliWorld): Cells {
  const outcome = outcomeOf(row);
  const style = OUTCOME_STYLES[outcome];
  return [
    formatMoment(row.at, now),
    row.root === userHome ? '~' : basename(row.root),
    row.event,
    row.what,
    { text: outcome + (row.copy ? '*' : ''), ...(style === undefined ? {} : { style }) },
    row.rules.replaceAll(',', ', '),
    row.id,
  ];
}
