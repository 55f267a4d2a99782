import { FATE_WORDS, readFates } from '../../ledger/fates.ts';
import type { FateName } from '../../ledger/fates.ts';
import { countJudgements, JUDGEMENTS, keepJudgement, NOT_JUDGED } from '../../ledger/judgements.ts';
import type { Judgement } from '../../ledger/judgements.ts';
import { readStops } from '../../ledger/stops.ts';
import type { Stop } from '../../ledger/stops.ts';
import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { databaseOf, decisionNamed, ruleMeant, sinceOf } from '../database.ts';
import { hint } from '../hint.ts';
import { knownRules, rootAt, shown } from '../known-rules.ts';
import { isOftenWrong, proposalsFor } from '../propose-milder.ts';
import type { Proposal } from '../propose-milder.ts';
import { withPrecision } from '../rule-judged.ts';
import type { Judged } from '../rule-judged.ts';
import { whatOf } from '../rule-record.ts';
import { counted, formatTime, paint, printableLine, printTable, wrap } from '../table.ts';

const USUAL_SPAN = '30d';
const WORDS = ['yes', 'no', 'skip', 'quit'] as const;
/** What, and what to do instead. */
const REASON_LINES = 2;

const FILTERS = {
  rule: { type: 'string', value: 'ID', help: 'stops of one rule' },
  since: { type: 'string', value: 'SPAN', help: `not older than this: 30m, 4h, 2d (default ${USUAL_SPAN})` },
} as const;

export const judge: Command = {
  summary: 'say of recent stops whether they were right',
  gated: 'it says for the person whether stops were right',
  usage: `[DECISION ${JUDGEMENTS.join('|')}]`,
  details: `Goes through what was stopped or asked about, and what rules in shadow would have stopped, in every project, the newest first,
and asks of each whether that was right. The answers are kept; what was judged is not asked again. At the end it proposes a
milder mode or a narrower rule for rules that were often wrong, as commands to copy. Nothing of that is done by itself.
With a decision it judges that one, also anew. \`fairlead rules stops\` lists what is open, for programs with --json.
\`fairlead stats\` and \`fairlead rules show\` have the share that was right.`,
  args: [0, 2],
  options: { ...FILTERS, ...JSON_OPTION },
  check(input, world) {
    if (input.args.length > 0) return void oneMeant(input, world);
    if (input.has('json'))
      throw new UsageError('--json goes with a decision; `fairlead rules stops --json` lists those that are open');
    sinceIn(input, world);
  },
  async run(input, world) {
    if (input.args.length > 0) return judgeOne(input, world);
    if (!world.interactive)
      throw new UsageError('there is nobody to ask; `fairlead rules judge DECISION right|wrong` judges one decision');
    return judgeAll(await openStops(input, world), world);
  },
};

export const stops: Command = {
  summary: 'stops that nobody has judged yet',
  details: `What was stopped or asked about, and what rules in shadow would have stopped, in every project, the newest first, unless somebody
has judged it. \`fairlead rules judge\` asks about them one by one; a person at a terminal judges one with
\`fairlead rules judge DECISION right\` or \`wrong\`.
--json: \`open\` with both commands for each, \`rules\` with how each was judged so far and what is proposed.`,
  options: { ...FILTERS, ...JSON_OPTION },
  async run(input, world) {
    const open = await openStops(input, world);
    if (input.has('json')) {
      return printJson(world, {
        open: open.map((stop) => ({ ...dataOf(stop, world), judge: commandsFor(stop) })),
        rules: await standings(world),
      });
    }
    if (open.length === 0) return world.out('Nothing was stopped that nobody has judged.\n');
    printTable(
      world,
      [
        { title: 'id' },
        { title: 'time', leaves: 2 },
        { title: 'rule' },
        { title: 'decision', leaves: 1 },
        { title: 'what', shrinksTo: 20 },
      ],
      open.map((stop) => [stop.id, formatTime(stop.at), stop.rules.join(', '), decided(stop), whatOf(stop, world)]),
    );
  },
};

function sinceIn(input: Input, world: CliWorld): number {
  return sinceOf(input.text('since') ?? USUAL_SPAN, world.engine().clock.now());
}

async function openStops(input: Input, world: CliWorld): Promise<readonly Stop[]> {
  const given = input.text('rule');
  const rule = given === undefined ? {} : { rule: await ruleMeant(given, world) };
  return readStops(databaseOf(world), { since: sinceIn(input, world), judged: 'open', ...rule });
}

function oneMeant(
  { args: [id = '', word] }: Input,
  world: CliWorld,
): { readonly stop: Stop; readonly judgement: Judgement } {
  const judgement = JUDGEMENTS.find((each) => each === word);
  if (judgement === undefined)
    throw new UsageError(
      word === undefined
        ? `was decision ${id} right? give one word more: ${JUDGEMENTS.join(' or ')}`
        : `no judgement "${word}"${hint(word, JUDGEMENTS) || `; it is ${JUDGEMENTS.join(' or ')}`}`,
    );
  const row = decisionNamed(id, world);
  const [stop] = readStops(databaseOf(world), { since: 0, id: row.id });
  if (!stop) throw new UsageError(`decision ${row.id} stopped nothing: there is nothing to judge`);
  return { stop, judgement };
}

async function judgeOne(input: Input, world: CliWorld): Promise<void> {
  const { stop, judgement } = oneMeant(input, world);
  keep(stop, judgement, world);
  if (input.has('json'))
    return printJson(world, { decision: stop.id, judgement, rules: await standings(world, stop.rules) });
  world.out(`${stop.id} by ${stop.rules.join(', ')} is judged ${judgement}.\n`);
  await propose(stop.rules, world);
}

async function judgeAll(open: readonly Stop[], world: CliWorld): Promise<void> {
  const judged: { readonly stop: Stop; readonly judgement: Judgement }[] = [];
  if (open.length === 0) return world.out('Nothing was stopped that nobody has judged.\n');
  for (const [at, stop] of open.entries()) {
    showStop(stop, `${at + 1}/${open.length}`, world);
    const answer = await world.pick(stop.shadow ? 'Would that have been right?' : 'Was this right?', WORDS);
    if (answer === 'quit') break;
    if (answer === 'skip') continue;
    const judgement = answer === 'yes' ? 'right' : 'wrong';
    // At once: whoever ends the terminal has still answered.
    keep(stop, judgement, world);
    judged.push({ stop, judgement });
  }
  const right = judged.filter(({ judgement }) => judgement === 'right').length;
  world.out(
    `\n${counted(judged.length, 'stop')} judged: ${right} right, ${judged.length - right} wrong. ${open.length - judged.length} still open.\n`,
  );
  await propose([...new Set(judged.flatMap(({ stop }) => stop.rules))], world);
}

function keep(stop: Stop, judgement: Judgement, world: CliWorld): void {
  keepJudgement(databaseOf(world), stop, judgement, world.engine().clock.now());
}

function decided({ action, shadow }: Stop): string {
  return shadow ? `would ${action}` : action;
}

function fateOf({ n }: Stop, world: CliWorld): FateName | 'open' | undefined {
  return readFates(databaseOf(world), [{ n }]).get(n);
}

function showStop(stop: Stop, position: string, world: CliWorld): void {
  const { at, rules, root, reason, id } = stop;
  const fate = fateOf(stop, world);
  const became = fate === undefined || fate === 'open' ? '' : `, ${FATE_WORDS[fate]}`;
  world.out(
    `\n${paint(world, 'bold', `${position}  ${formatTime(at)}  ${decided(stop)} by ${rules.join(', ')}`)}${became}\n`,
  );
  world.out(`  in ${printableLine(shown(world, root))}; fairlead explain ${id}\n`);
  world.out(`${wrap(whatOf(stop, world), world.columns, '  > ')}\n`);
  if (reason !== '') world.out(`${wrap(reason.split('\n').slice(0, REASON_LINES).join('\n'), world.columns, '  ')}\n`);
}

function dataOf(stop: Stop, world: CliWorld) {
  const { id, at, root, rules, action, shadow, reason } = stop;
  const fate = fateOf(stop, world);
  return { decision: id, at, root, rules, action, shadow, what: whatOf(stop, world), reason, ...(fate && { fate }) };
}

function commandsFor({ id }: Stop): Readonly<Record<Judgement, string>> {
  return { right: `fairlead rules judge ${id} right`, wrong: `fairlead rules judge ${id} wrong` };
}

interface Standing extends Judged {
  readonly rule: string;
  readonly proposals: readonly Proposal[];
}

/** How rules were judged so far, and what is proposed for them. */
async function standings(world: CliWorld, only?: readonly string[]): Promise<readonly Standing[]> {
  const db = databaseOf(world);
  const counts = countJudgements(db);
  const { rules } = await knownRules(world);
  return [...counts.keys()]
    .filter((rule) => only === undefined || only.includes(rule))
    .map((rule): Standing => {
      const judged = counts.get(rule) ?? NOT_JUDGED;
      const known = rules.find(({ meta }) => meta.id === rule);
      const proposals =
        known && isOftenWrong(judged)
          ? proposalsFor(known, readStops(db, { since: 0, rule, judged: 'wrong' }), rootAt(world))
          : [];
      return { rule, ...withPrecision(judged), proposals };
    });
}

async function propose(rules: readonly string[], world: CliWorld): Promise<void> {
  for (const { rule, right, wrong, proposals } of await standings(world, rules)) {
    if (proposals.length === 0) continue;
    world.out(`\n${rule} was wrong ${wrong} of ${right + wrong} times. It stops less with one of these:\n`);
    for (const { why, command } of proposals) world.out(`  ${printableLine(command)}\n    ${printableLine(why)}\n`);
  }
}

export default { order: 124, verbs: { 'rules judge': judge, 'rules stops': stops } } satisfies VerbFile;
