import { OUTCOMES } from '../../ledger/read.ts';
import { UsageError } from '../command.ts';
import type { Command, VerbFile, CliWorld, Input } from '../command.ts';
import { decisionLog } from '../decision-log.ts';
import { DEFAULT_LAST, showListing, linePrinter } from '../listing.ts';
import type { Listing } from '../listing.ts';
import { findRelaySessions, newestRelay, readRelays } from '../../ledger/relays.ts';
import type { RelayFilter, StoredRelay } from '../../ledger/relays.ts';
import { basename } from '../../platform/paths.ts';
import { databaseOf, ruleMeant, sessionNamed, sinceOf } from '../database.ts';
import { rootAt } from '../known-rules.ts';
import { formatMoment } from '../table.ts';
import type { Cells, Column } from '../table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'time' },
  { title: 'session' },
  { title: 'project', shrinksTo: 8 },
  { title: 'event' },
  { title: 'variant', shrinksTo: 8 },
  { title: 'message', shrinksTo: 20 },
];

/** Records for those who listen outside the session. */
async function relayLog(input: Input, world: CliWorld): Promise<Listing<StoredRelay>> {
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

const KINDS = ['decisions', 'relay'];

export const log: Command = {
  summary: 'what the agent did, and what was decided',
  details: `One line per event of this project, newest last: when, where, what the agent did, what was decided and by which rule.
\`fairlead explain ID\` tells why. The decision is the action, or note or warn when the call passed and something was said; * marks
a copy of an event that was answered before. A line under an event is what a rule that said nothing remarked on it, or what a
rule in shadow would have said, or what became of the decision where that is not what it says: a person who was asked,
a reply that came late or reached nobody. A terminal cuts what it is too narrow for; a pipe gets everything.
--kind relay shows what rules have reported to those who listen outside the session.

--json prints one object per line: \`at\` (milliseconds since 1970), \`id\`, \`session\`, \`seq\`, \`agent\`, \`root\`, \`event\`, \`tool\`,
\`what\`, \`outcome\` (the decision as shown), \`action\`, \`rules\` (with commas between), \`remarks\` where there are any, \`fate\`
of what was sent to the agent (\`open\` while that is not known), \`policy\` where one had a say, and what it cost:
\`tier\`, \`chars\`, \`replyBytes\`, \`micros\`.`,
  options: {
    follow: { type: 'boolean', short: 'f', help: 'go on with new events until interrupted' },
    last: { type: 'string', short: 'n', value: 'N', help: `the newest N, or all (default ${DEFAULT_LAST})` },
    all: { type: 'boolean', short: 'a', help: 'every project' },
    denied: { type: 'boolean', help: 'only what was denied' },
    grep: { type: 'string', short: 'g', value: 'TEXT', help: 'only lines that hold this text, in capitals or not' },
    rule: { type: 'string', value: 'ID', help: 'events in which this rule spoke, decided, failed or left a remark' },
    session: {
      type: 'string',
      value: 'ID',
      bare: 'last',
      help: 'one session: the beginning of its id, or the last one of this project',
    },
    event: { type: 'string', value: 'NAME', help: 'one kind of event, such as tool.before' },
    since: { type: 'string', value: 'SPAN', help: 'not older than this: 30m, 4h, 2d' },
    action: { type: 'string', multiple: true, value: 'NAME', help: `${OUTCOMES.join(', ')}; may be given again` },
    kind: { type: 'string', value: 'KIND', help: `${KINDS.join(' or ')} (default ${KINDS[0]})` },
    json: { type: 'boolean', help: 'print one JSON object per line' },
  },
  async run(input, world) {
    const kind = input.text('kind') ?? 'decisions';
    if (!KINDS.includes(kind))
      throw new UsageError(`no kind of record is called "${kind}"; there is ${KINDS.join(', ')}`);
    if (kind === 'relay') return showListing(input, world, await relayLog(input, world));
    return showListing(input, world, await decisionLog(input, world));
  },
};

export default { order: 160, verbs: { log } } satisfies VerbFile;
