import { readExceptions, writeExceptions } from '../../engine/limits/exceptions.ts';
import type { Exception } from '../../engine/limits/exceptions.ts';
import type { Event } from '../../event/event.ts';
import { findOriginal, readDetail, readRows } from '../../ledger/read.ts';
import type { StoredRow } from '../../ledger/read.ts';
import { changeState } from '../change-state.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { databaseOf, decisionNamed } from '../database.ts';
import { exceptionId } from '../exception-id.ts';
import { refuseHeld } from '../held-rules.ts';
import { knownRules, rootAt } from '../known-rules.ts';
import { cut, formatTime, printableLine } from '../table.ts';
import { timeSpan } from '../time-span.ts';

const MAX_WITHIN_MS = 24 * 3_600_000;

export const allowOnce: Command = {
  summary: 'let one stopped call through, once',
  gated: 'it lets through what a rule has stopped',
  usage: '[DECISION]',
  details: `DECISION is an id from \`fairlead log\`, or as much of its beginning or end as is unique; without one, the newest call that was
stopped in this project is shown and asked about. The same tool with the same input then passes
the rules that stopped it, once, in the same project, whichever session tries it. Nothing is granted: what the agent
itself asks about, it still asks.`,
  args: [0, 1],
  options: {
    within: { type: 'string', value: 'TIME', help: 'how long it may wait for its use; 15m by default' },
    yes: { type: 'boolean', short: 'y', help: 'without a decision: do not ask whether it is that one' },
    ...JSON_OPTION,
  },
  check(input, world) {
    withinOf(input);
    callMeant(input, world);
  },
  async run(input, world) {
    const within = withinOf(input);
    const [given] = input.args;
    const { root, decision, rules, call, what } = callMeant(input, world);
    refuseHeld((await knownRules(world, root)).rules, ({ meta }) => rules.includes(meta.id));
    if (
      given === undefined &&
      !input.has('yes') &&
      !(await world.ask(`${cut(printableLine(what), 120)}\nstopped by ${rules.join(', ')}: let it through once?`))
    ) {
      world.out('Nothing was changed.\n');
      return 1;
    }
    const exception = changeState(world, (draft): Exception => {
      const known = readExceptions(draft, root).filter((one) => one.decision !== decision);
      const id = exceptionId(known, draft.now);
      const added = { id, rules, since: draft.now, until: draft.now + within, call, decision };
      writeExceptions(draft, root, [...known, added]);
      return added;
    });
    if (input.has('json')) return printJson(world, { ...exception, root });
    world.out(
      `${cut(printableLine(what), 120)}\npasses ${rules.join(', ')} once, until ${formatTime(exception.until)}, in ${root}. \`fairlead rules enable ${rules[0]}\` takes it back.\n`,
    );
  },
};

function withinOf(input: Input): number {
  return timeSpan('--within', input.text('within') ?? '15m', MAX_WITHIN_MS);
}

function callMeant({ args: [given] }: Input, world: CliWorld): StoppedCall {
  return stoppedCall(given === undefined ? newest(world) : decisionNamed(given, world), world);
}

interface StoppedCall {
  readonly root: string;
  readonly decision: string;
  readonly rules: readonly string[];
  readonly call: string;
  readonly what: string;
}

/** Of the last day: what was stopped before that is not what a person has in mind. */
const RECENT_MS = 86_400_000;

function newest(world: CliWorld): StoredRow {
  const root = rootAt(world);
  const since = world.engine().clock.now() - RECENT_MS;
  const row = readRows(databaseOf(world), { since, root, outcomes: ['deny', 'ask'], last: 1 })[0];
  if (!row) throw new CommandError(`nothing was stopped in ${root} in the last day; \`fairlead log\` lists decisions`);
  return row;
}

function stoppedCall(named: StoredRow, world: CliWorld): StoppedCall {
  const db = databaseOf(world);
  const row = named.copy ? (findOriginal(db, named) ?? named) : named;
  if (row.action !== 'ask' && row.action !== 'deny')
    throw new CommandError(`decision ${row.id} stopped nothing: it was ${row.action}`);
  const detail = readDetail(db, row.n);
  if (!detail) throw new CommandError(`the details of decision ${row.id} were not written, so its call is not known`);
  const stopping = detail.trace.filter(({ call }) => call !== undefined);
  const [first] = stopping;
  if (first?.call === undefined)
    throw new CommandError(
      `decision ${row.id} cannot be lifted for one call: ${row.tool === '' ? 'it is not about a tool call' : 'no rule that looked at the call stopped it'}; \`fairlead explain ${row.id}\` has the details`,
    );
  const { tool } = detail.event as Event;
  return {
    root: row.root,
    decision: row.id,
    rules: stopping.map(({ rule }) => rule),
    call: first.call,
    what: tool?.command ?? [row.tool, ...(tool?.paths ?? [])].join(' '),
  };
}

export default { order: 90, verbs: { 'allow-once': allowOnce } } satisfies VerbFile;
