import type { ActiveRule } from '../../engine/match/rule-index.ts';
import type { Mode } from '../../event/verdict.ts';
import { readSaid } from '../../ledger/stops.ts';
import { changeMode } from '../change-mode.ts';
import { CommandError, printJson } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { databaseOf } from '../database.ts';
import { knownRules, ruleNamed } from '../known-rules.ts';
import { sayingsOf, stepUp } from '../mode-step.ts';
import { agreesToSource, leavesShadow } from '../instructions/show-source.ts';
import { RECORD_DAYS, recordOf } from '../rule-record.ts';
import type { RuleRecord } from '../rule-record.ts';
import { describeJudged } from '../rule-judged.ts';
import { originOf } from '../rule-origin.ts';
import { counted, cut, formatTime, paint, printableLine } from '../table.ts';

/** Nobody to ask. */
const UNASKED = 2;
const DECLINED = 1;

export const promote: Command = {
  summary: 'show how a rule has done, and raise its mode',
  changesRules: true,
  usage: '<rule>',
  details: `Shows the record of the last ${RECORD_DAYS} days: what the rule said or would have said in shadow, what it would have stopped in your
own transcripts in the next mode, how often its advice was followed, and how its stops were judged (\`fairlead rules judge\`).
Then it asks, and raises the mode by one step in your config.yaml: off, shadow, advise, ask, enforce; save comes after advise
for a rule about what a copy can bring back. No step makes anything milder that the rule may say.
A rule that was made of a sentence of instructions leaves shadow only by your yes to the sentence and its examples, at a terminal.
Replay executes nothing; what no transcript tells is counted as unknown (\`fairlead help replay\`).
Exit codes: 0 when it was raised, 1 when it was not, 2 when there was nobody to ask.`,
  args: [1, 1],
  options: {
    yes: { type: 'boolean', short: 'y', help: 'raise without asking' },
    json: { type: 'boolean', help: 'print the record as JSON; raises with --yes only' },
  },
  async run(input, world) {
    const { rule, next } = await stepMeant(input, world);
    const isJson = input.has('json');
    const record = await recordOf(rule.meta.id, next, world, !isJson);
    const step = { rule: rule.meta.id, mode: rule.mode, next };
    if (isJson && !input.has('yes')) return printJson(world, { ...step, raised: false, record });
    const asksSource = leavesShadow(rule, next);
    if (asksSource && (isJson || input.has('yes'))) throw new CommandError(unsaid(rule.meta.id));
    if (!isJson) showRecord(record, rule.mode, next, world);
    if (asksSource && !(await agreesToSource(rule.meta, world))) return DECLINED;
    const answer = isJson ? 'yes' : await asked(step, input, world);
    if (answer !== 'yes') return answer;
    const quiet = { ...world, out: () => {} };
    const code = await changeMode({ args: [step.rule], has: () => false }, isJson ? quiet : world, next);
    if (isJson) printJson(world, { ...step, raised: true, record });
    return code;
  },
};

function unsaid(id: string): string {
  return `${id} was made of a sentence of instructions, and leaves shadow by a person's yes to it alone; \`fairlead rules promote ${id}\` in your own terminal asks`;
}

interface Step {
  readonly rule: ActiveRule;
  readonly next: Mode;
}

async function stepMeant({ args: [name = ''] }: Input, world: CliWorld): Promise<Step> {
  const known = await knownRules(world);
  const rule = ruleNamed(known, name);
  const { meta, mode } = rule;
  const origin = originOf(rule, known.layers);
  if (origin.layer === 'project')
    throw new CommandError(
      `${meta.id} is ${mode} because of ${origin.text}, which is above yours; change it in .fairlead/config.yaml`,
    );
  const recorded = readSaid(databaseOf(world), meta.id, 0).map(({ kind }) => kind);
  const next = stepUp(meta, mode, sayingsOf(meta, recorded));
  if (next === undefined)
    throw new CommandError(`${meta.id} is ${mode}: a harder mode would change nothing of what it says`);
  return { rule, next };
}

async function asked(
  { rule, mode, next }: { readonly rule: string; readonly mode: Mode; readonly next: Mode },
  input: Input,
  world: CliWorld,
): Promise<'yes' | number> {
  if (input.has('yes')) return 'yes';
  if (!world.interactive) {
    world.err('Nothing was changed: there is nobody to ask here. `--yes` raises without asking.\n');
    return UNASKED;
  }
  if (await world.ask(`\nRaise ${rule} from ${mode} to ${next}?`)) return 'yes';
  world.out('Nothing was changed.\n');
  return DECLINED;
}

function showRecord(record: RuleRecord, mode: Mode, next: Mode, world: CliWorld): void {
  const { said, stops, followed, ignored, round, judged, replay } = record;
  const line = (text: string) => world.out(`${text}\n`);
  const example = (at: number, action: string, what: string) =>
    line(
      `  ${formatTime(at)}  ${action}  ${cut(printableLine(what), Math.max(20, Math.min(world.columns, 140) - 30))}`,
    );
  line(paint(world, 'bold', `${record.rule}: ${mode}, the next step is ${next}`));
  line(`\nIn the last ${RECORD_DAYS} days`);
  if (said.length === 0) line('  it said nothing, and would have said nothing');
  for (const { mode: then, kind, count } of said)
    line(`  ${count} × ${kind}${then === 'shadow' ? ', in shadow: nobody was told' : ` in mode ${then}`}`);
  for (const { at, action, what } of stops) example(at, action, what);
  const advised = followed + ignored + round;
  line(advised === 0 ? '  no advice to follow' : `  followed ${followed} of ${advised} times`);
  line(
    `  ${judged.precision === undefined ? 'no stop judged yet; `fairlead rules judge` asks' : describeJudged(judged)}`,
  );
  if (!replay) return line('\nNo transcript of an agent was found, so there is nothing to replay.');
  const { calls, sessions, fires, blocks, asks, saves, notes, unknown, examples } = replay;
  line(
    `\nReplayed in mode ${next}: ${counted(calls, 'call')} in ${counted(sessions, 'session')} of the last ${RECORD_DAYS} days`,
  );
  line(
    `  spoke on ${counted(fires, 'event')}: ${blocks} would have been stopped, ${asks} asked about, ${saves} kept for undo, ${counted(notes, 'note')}; ${unknown} unknown`,
  );
  for (const { at, action, subject } of examples) example(at, action, subject);
}

export default { order: 122, verbs: { 'rules promote': promote } } satisfies VerbFile;
