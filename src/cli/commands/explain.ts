import { ADAPTERS, adapterNamed } from '../../adapters/registry.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import { explain as explainRules, isSameNote } from '../../engine/trial/explain.ts';
import type { Explanation, Fate, Recorded, Today, ExplainedRule } from '../../engine/trial/explain.ts';
import { readWaiting, waitingId } from '../../engine/advice/attention.ts';
import { agentKey } from '../../engine/session/scope.ts';
import { projectOf } from '../../engine/decide/bookkeeping.ts';
import type { Event } from '../../event/event.ts';
import type { Decision, Note } from '../../event/verdict.ts';
import { readFates } from '../../ledger/fates.ts';
import { findOriginal, newestRow, OUTCOMES, readDetail, readDetailsAfter, readRows } from '../../ledger/read.ts';
import type { StoredRow } from '../../ledger/read.ts';
import type { OpenedEngine } from '../../assembly/open-engine.ts';
import { nodeFiles } from '../../platform/files.ts';
import { resolve } from '../../platform/paths.ts';
import { Draft } from '../../state/draft.ts';
import { agentFor } from '../agents.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { databaseOf, decisionNamed } from '../database.ts';
import { dryRun, isPayloadOf } from '../dry-run.ts';
import { rootAt } from '../known-rules.ts';
import { readCall } from '../read-call.ts';
import type { ReadCall } from '../read-call.ts';
import { showExplanation, decisionLines, ruleLine, TIERS, verdictLines, warningsOf } from '../show-explanation.ts';
import type { Explained } from '../show-explanation.ts';
import { toldHeeds } from '../told-heeds.ts';
import { readingLines } from '../show-reading.ts';
import { counted, cut, paint, printableLine, wrap } from '../table.ts';

/** Of a long command its beginning is shown; `--json` has all of it. */
const SHOWN_CHARACTERS = 2_000;

type Screen = Pick<CliWorld, 'colour' | 'columns'>;

/** A command that somebody asks about: how it is read, what it would do, who has something to say, and what comes of it. */
function showCommand(explained: Explained, world: Screen): string {
  const { row, detail, explanation } = explained;
  const event = detail?.event as Event;
  const decision = detail?.decision as Decision;
  const lines = [
    `${paint(world, 'bold', 'Command')}  ${cut(printableLine(event.tool?.command ?? ''), SHOWN_CHARACTERS)}`,
    paint(world, 'dim', `in ${printableLine(event.cwd)}, project ${printableLine(row.root)}`),
    ...warningsOf(explained).map((warning) => paint(world, 'yellow', wrap(`! ${warning}`, world.columns))),
    ...readingLines(explained, event, world),
    '',
    ...ruleLines(explanation?.rules ?? [], decision, world),
    '',
    ...decisionLines(decision, { ...explained, reply: '' }, world),
  ];
  return `${lines.join('\n')}\n`;
}

/** What is said once below, with the decision, is not said here too. */
function ruleLines(rules: readonly ExplainedRule[], decision: Decision, world: Screen): string[] {
  const speaking = rules.filter(({ verdicts, failed }) => verdicts.length > 0 || failed === true);
  const silent = rules.filter((rule) => !speaking.includes(rule));
  const width = speaking.reduce((most, { rule }) => Math.max(most, rule.length), 0);
  const said = [decision.reason ?? '', ...[...decision.notes, ...decision.warns].map(({ text }) => text)];
  const tiers = TIERS.map((name, tier) => ({ name, count: silent.filter((rule) => rule.tier === tier).length }));
  const stops = tiers.flatMap(({ name, count }, tier) => (count === 0 ? [] : [`${count} at tier ${tier} (${name})`]));
  return [
    paint(world, 'bold', speaking.length === 0 ? 'No rule has a verdict.' : 'Rules with a verdict:'),
    ...speaking.flatMap((rule) => [
      ruleLine(rule, width, world),
      ...rule.verdicts.flatMap((verdict) => {
        const [head = '', ...text] = verdictLines(verdict, rule, world);
        return said.some((each) => each.includes(verdict.text ?? '')) ? [head] : [head, ...text];
      }),
    ]),
    ...(silent.length > 0
      ? [`${counted(silent.length, speaking.length === 0 ? 'rule' : 'other rule')} stopped: ${stops.join(', ')}.`]
      : []),
  ];
}

export const explain: Command = {
  summary: 'why it was decided so, or what a command would do',
  usage: '[DECISION | -- "COMMAND"]',
  details: `Names every rule that listens to the event, the tier where it stopped, and why; then what was decided and said.
DECISION is an id from \`fairlead log\`, or as much of its beginning or end as is unique.
With an event on stdin, a payload as the agent sends it or an event from \`explain --json\`, it shows what the rules
would decide now. Nothing is stored by that.
With a shell command after \`--\`, in quotes, it shows how the command is read, what it would do, and what the rules would
decide. The command is not run.`,
  args: [0, 1_000],
  options: {
    last: { type: 'boolean', help: 'the last decision that said something, in this project or else anywhere' },
    agent: {
      type: 'string',
      value: 'NAME',
      help: 'whose payload it is; one of: ' + ADAPTERS.map(({ name }) => name).join(', '),
    },
    cwd: { type: 'string', value: 'DIR', help: 'where the command would run; this directory if not given' },
    ...JSON_OPTION,
  },
  async run(input, world) {
    if (input.rest) return runCommand(commandIn(input), input, world);
    const explained = await find(input, world);
    if (input.has('json')) printJson(world, explained);
    else world.out(showExplanation(explained, world));
  },
};

function commandIn({ args, rest = [], ...input }: Input): string {
  const [command = '', ...others] = rest;
  if (args.length > rest.length || input.has('last')) throw new UsageError('give a decision or a command, not both');
  if (others.length > 0)
    throw new UsageError('give one command, quoted as a whole: fairlead explain -- "git push && npm publish"');
  if (command.trim() === '') throw new UsageError('the command is empty');
  return command;
}

async function runCommand(command: string, input: Input, world: CliWorld): Promise<void> {
  const cwd = resolve(world.cwd, input.text('cwd') ?? '.');
  if (nodeFiles.stat(cwd)?.kind !== 'dir') throw new UsageError(`there is no directory ${cwd}`);
  const adapter = agentFor(input.text('agent'), world);
  const explained = await explainGiven(shellEvent(command, cwd, adapter), adapter, world);
  if (!input.has('json')) return world.out(showCommand(explained, world));
  const { reading, effects, explanation, detail, reply, row } = explained;
  const { rules, notListening, unsaid } = explanation ?? {};
  const decided = { rules, notListening, unsaid, decision: detail?.decision, reply };
  printJson(world, { command, cwd, root: row.root, reading, effects, ...decided });
}

/** A call as the agent would announce it, in a session of its own. */
function shellEvent(command: string, cwd: string, { name, events, toolKinds }: Adapter): Event {
  return {
    name: 'tool.before',
    agent: name,
    agentEvent: events.find(({ canonical }) => canonical === 'tool.before')?.name ?? '',
    session: 'explain',
    hasSession: true,
    cwd,
    depth: 0,
    receivedAt: 0,
    tool: {
      kind: 'shell',
      name: Object.keys(toolKinds).find((tool) => toolKinds[tool] === 'shell') ?? 'shell',
      input: { command },
      hasInput: true,
      command,
      paths: [],
      edits: [],
    },
  };
}

async function find(input: Input, world: CliWorld): Promise<Explained> {
  const [id, other] = input.args;
  if (other !== undefined)
    throw new UsageError(`unexpected argument: ${other}; a command goes after --, in quotes: fairlead explain -- "…"`);
  if (input.text('cwd') !== undefined) throw new UsageError('--cwd goes with a command');
  if (id !== undefined && input.has('last')) throw new UsageError('give a decision or --last, not both');
  if (id !== undefined || input.has('last')) {
    if (input.text('agent') !== undefined)
      throw new UsageError('--agent goes with an event on stdin; the ledger knows whose its events are');
    return explainStored(id === undefined ? newest(world) : decisionNamed(id, world), world);
  }
  if (!world.hasInput) throw new UsageError('give a decision, --last, a command after `--`, or an event on stdin');
  const text = await world.readStdin();
  if (text.trim() === '')
    throw new UsageError('stdin is empty; give a decision, --last, a command after `--`, or an event on stdin');
  const payload = parse(text);
  const adapter = agentFor(input.text('agent'), world, (each) => isPayloadOf(each, payload, world));
  return explainGiven(payload, adapter, world);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new CommandError(`stdin is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new CommandError('stdin holds JSON, but not one event: an object was expected');
}

const SAYING = OUTCOMES.filter((outcome) => outcome !== 'pass');

/** Of what was said: most events are neutral, and nobody asks about the newest of those. */
function newest(world: CliWorld): StoredRow {
  const db = databaseOf(world);
  const said = { outcomes: SAYING, last: 1 };
  const row = readRows(db, { ...said, root: rootAt(world) })[0] ?? readRows(db, said)[0];
  if (row) return row;
  throw new CommandError(
    newestRow(db) === 0
      ? 'the ledger is empty; `fairlead doctor` shows whether the hooks are installed'
      : 'no decision in the ledger said anything; `fairlead log` lists them, and `fairlead explain ID` tells of any',
  );
}

async function explainStored(row: StoredRow, world: CliWorld): Promise<Explained> {
  const engine = world.engine();
  const { db } = engine.memory;
  const detail = db && readDetail(db, row.n);
  if (!db || !detail) return { row, dry: false };
  const original = row.copy ? findOriginal(db, row) : undefined;
  const source = original && readDetail(db, original.n);
  const recorded: Recorded = original && source ? { row: original, detail: source } : { row, detail };
  const told = await explainRecorded(recorded, engine, (note) => fateOf(note, original ?? row, recorded, engine));
  const receipt = readFates(db, [row]).get(row.n);
  const heeds = toldHeeds(db, [row], world.userHome).get(row.n);
  return {
    row,
    detail,
    ...told,
    dry: false,
    ...(receipt === undefined ? {} : { receipt }),
    ...(heeds && { heeds }),
    ...(original ? { original: original.id } : {}),
    ...reachOf(row.agent, detail.event as Event, detail.decision as Decision),
  };
}

async function explainGiven(payload: unknown, adapter: Adapter, world: CliWorld): Promise<Explained> {
  const engine = world.engine();
  const ran = await dryRun(payload, adapter, engine, { cwd: world.cwd, home: world.userHome });
  const { row, detail, reply, failures, answeredBefore, changes } = ran;
  const event = detail.event as Event;
  const id = waitingId(event.session, agentKey(event));
  const kept = changes.findLast((change) => change.id === id);
  const waiting = kept?.op === 'set' ? (JSON.parse(kept.value) as Note[]) : [];
  const fate = (note: Pick<Note, 'rule' | 'variant' | 'text'>): Fate => ({
    kind: waiting.some((one) => isSameNote(one, note)) ? 'waits' : 'dropped',
  });
  const told = await explainRecorded(ran, engine, fate);
  return {
    ...{ row, detail, ...told, dry: true, answeredBefore, reply: reply.stdout },
    ...(failures.length > 0 ? { failures } : {}),
    ...(engine.isOff(row.at) ? { off: true } : {}),
    ...reachOf(adapter.name, event, detail.decision as Decision),
  };
}

async function explainRecorded(
  recorded: Recorded,
  engine: OpenedEngine,
  fate: Today['fateOf'],
): Promise<ReadCall & { readonly explanation: Explanation }> {
  const event = recorded.detail.event as Event;
  const place = await engine.locate(event, projectOf(engine.store, event));
  const { told, ...read } = await readCall(event, place, engine);
  const { rules, digest } = place.policy.index;
  const today = { rules, digest, rootOf: place.rootOf, effects: told, fateOf: fate };
  return { ...read, explanation: explainRules(recorded, today) };
}

/** The ledger tells when a note was said after all, and the session's cell whether it still waits. */
function fateOf(
  note: Pick<Note, 'rule' | 'variant' | 'text'>,
  row: StoredRow,
  { detail }: Recorded,
  engine: OpenedEngine,
): Fate {
  const { db } = engine.memory;
  const later =
    db &&
    readDetailsAfter(db, row).find((next) =>
      (next.detail.decision as Decision).notes.some((said) => isSameNote(said, note)),
    );
  if (later) return { kind: 'said-later', decision: later.row.id };
  const event = detail.event as Event;
  const waiting = readWaiting(new Draft(engine.store, engine.clock.now()), waitingId(event.session, agentKey(event)));
  return { kind: waiting.some((one) => isSameNote(one, note)) ? 'waits' : 'dropped' };
}

/** How the agent took what was decided, where it has no channel for it. */
function reachOf(agent: string, event: Event, { action, warns }: Decision): Pick<Explained, 'undelivered'> {
  const reach = adapterNamed(agent)?.capabilities(event.name);
  if (!reach) return {};
  const undelivered = [
    ...(action !== 'pass' && action !== 'save' && reach[action] === 'none' ? [action] : []),
    ...(warns.length > 0 && reach.warn === 'none' ? ['warn'] : []),
  ];
  return undelivered.length > 0 ? { undelivered } : {};
}

export default { order: 150, verbs: { explain } } satisfies VerbFile;
