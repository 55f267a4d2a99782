import { outcomeId } from '../../engine/advice/outcomes.ts';
import { namesOf } from '../../engine/match/rule-index.ts';
import type { ActiveRule } from '../../engine/match/rule-index.ts';
import type { FollowOutcome } from '../../event/heed.ts';
import { countFates, FATE_WORDS } from '../../ledger/fates.ts';
import type { FateName } from '../../ledger/fates.ts';
import {
  NO_COUNTS,
  groupFailures,
  readEventCounts,
  readRuleCounts,
  readSessions,
  readTotals,
} from '../../ledger/stats.ts';
import type { EventCount, FailureGroup, RuleCounts, SessionTotals, Totals } from '../../ledger/stats.ts';
import { countJudgements } from '../../ledger/judgements.ts';
import type { RowFilter } from '../../ledger/read.ts';
import { settingsOf } from '../../workspace/policy.ts';
import { hookCosts, showHookCosts } from '../adopt/hook-costs.ts';
import type { HookCost } from '../adopt/hook-costs.ts';
import { readBreakers } from '../breakers.ts';
import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { databaseOf, ruleMeant, sessionMeant, sinceOf } from '../database.ts';
import { hint } from '../hint.ts';
import { knownRules, packsOf } from '../known-rules.ts';
import { promptsOf, sessionsWithPrompts, showPrompts } from '../session-prompts.ts';
import { withPrecision } from '../rule-judged.ts';
import type { Judged } from '../rule-judged.ts';
import { billOf, showBill } from '../show-bill.ts';
import { resetPack, showPack, STATS_VIEWS } from '../stats-view.ts';
import {
  counted,
  formatBytes,
  formatCount,
  formatSpan,
  formatTime,
  paint,
  printableLine,
  printTable,
} from '../table.ts';
import type { Column } from '../table.ts';
import { copiesOf, sumUp } from '../undo-copies.ts';

interface RuleStats extends RuleCounts {
  readonly mode: string;
  /** Events that were turned away by name of tool, and by path or words; absent for rules that are not known here. */
  readonly tier0?: number;
  readonly tier1?: number;
  /** Since the state was last cleared, whatever the time span. */
  readonly followed: number;
  readonly ignored: number;
  readonly round: number;
  readonly moot: number;
  /** What a person said of its stops, over all time. */
  readonly judged: Judged;
  readonly breaker: string;
}

interface Stats {
  readonly since: number;
  readonly totals: Totals;
  readonly rules: readonly RuleStats[];
  readonly sessions: readonly SessionTotals[];
  readonly failures: readonly FailureGroup[];
  readonly undo: { readonly count: number; readonly bytes: number };
  /** What became of decisions, by fate; `open` where that is not known. */
  readonly fates: Readonly<Record<string, number>>;
  /** Of others, that the engine runs; of all sessions. */
  readonly hooks: readonly HookCost[];
}

export const stats: Command = {
  summary: 'per rule: fires, tiers, time, characters, failures',
  usage: '[pack]',
  args: [0, 1],
  details: `Counted from the ledger. Tiers say how far events got with each rule: t0 another tool, t1 its paths or words did not
match, t2 a guard or throttle stopped it, t3 its check ran. t0 and t1 follow from what the rule listens to now.
"fates" says what became of decisions on the agent's side, as its transcript tells.
"followed" is the share of its advice that the agent acted on, over all time; "right" the share of its
stops that you judged so (\`fairlead rules judge\`).
Hooks that \`fairlead adopt\` has taken over have a table of their own: runs, time, what they decided, how often they failed.
With --session, also how full that session's context was at each of its prompts, from first to last.
--bill: what the model was given, in tokens (an estimate: 4 characters are taken for one), the time in the engine, and what of it
is known to have helped, per rule and session. Only what the ledger can count is claimed.
With the name of a pack: what the pack itself counts in this project, or the table of its rules when it counts nothing.
Such counters are kept for 8 days, by the hour; a running engine adds to them every 2 s.`,
  options: {
    since: { type: 'string', value: 'SPAN', help: 'not older than this: 30m, 4h, 2d (default 24h)' },
    session: {
      type: 'string',
      value: 'ID',
      bare: 'last',
      help: 'one session: the beginning of its id, or the last one of this project',
    },
    rule: { type: 'string', value: 'ID', help: 'one rule' },
    bill: { type: 'boolean', help: 'what it costs in tokens and milliseconds, and what it saved' },
    all: { type: 'boolean', help: 'with a pack that counts: all projects together' },
    reset: { type: 'boolean', help: 'with a pack: start its counters afresh' },
    yes: { type: 'boolean', short: 'y', help: 'reset without asking' },
    ...JSON_OPTION,
  },
  async run(input, world) {
    const [pack] = input.args;
    if (pack !== undefined) await requirePack(pack, world);
    if (input.has('reset')) {
      if (pack === undefined) throw new UsageError('--reset wants the name of a pack');
      return resetPack(pack, input, world);
    }
    if (input.has('bill') && pack !== undefined)
      throw new UsageError('--bill is of all packs; --rule narrows it to one rule');
    const view = pack === undefined ? undefined : await STATS_VIEWS.get(pack)?.();
    if (pack !== undefined && view) return showPack(pack, view, input, world);
    if (input.has('all'))
      throw new UsageError('--all goes with a pack that counts; the table is of all projects anyway');
    return showRules(pack, input, world);
  },
};

async function requirePack(pack: string, world: CliWorld): Promise<void> {
  const packs = packsOf(await knownRules(world));
  if (!packs.includes(pack))
    throw new UsageError(`no pack "${pack}"${hint(pack, packs) || `; there are ${packs.join(', ')}`}`);
}

async function showRules(pack: string | undefined, input: Input, world: CliWorld): Promise<number | void> {
  const span = input.text('since') ?? '24h';
  const session = input.text('session');
  const only = session === undefined ? undefined : sessionMeant(session, world, sessionsWithPrompts(world, session));
  // Of a session that is named, all that is known counts, however long ago it was.
  const isWhole = only !== undefined && input.text('since') === undefined;
  const filter = {
    since: isWhole ? 0 : sinceOf(span, world.engine().clock.now()),
    ...(only === undefined ? {} : { session: only }),
  };
  const when = isWhole ? `in session ${printableLine(only)}` : `in the last ${span}`;
  const given = input.text('rule');
  const rule = given === undefined ? undefined : await ruleMeant(given, world);
  if (input.has('bill')) {
    const bill = await billOf({ ...filter, ...(rule !== undefined && { rule }) }, world);
    return input.has('json') ? printJson(world, bill) : showBill(bill, when, world);
  }
  const all = await collect(filter, rule, world);
  if (pack === undefined) {
    const prompts = filter.session === undefined ? undefined : promptsOf(world, filter.session);
    if (input.has('json')) return printJson(world, prompts ? { ...all, prompts } : all);
    show(all, when, world);
    return prompts && showPrompts(world, prompts);
  }
  // A rule's id begins with its pack, also that of a rule which is gone by now.
  const rules = all.rules.filter((one) => one.rule.startsWith(`${pack}/`));
  if (input.has('json')) return printJson(world, { pack, since: filter.since, rules });
  if (rules.length === 0) return world.out(`No rule of ${pack} is on here, and none was ${when}.\n`);
  world.out(`${paint(world, 'bold', `${pack}, ${when}`)}\n`);
  showTable(rules, world);
}

async function collect(
  filter: RowFilter & { readonly since: number },
  rule: string | undefined,
  world: CliWorld,
): Promise<Stats> {
  const db = databaseOf(world);
  const engine = world.engine();
  const now = engine.clock.now();
  const { rules, layers } = await knownRules(world);
  const counts = new Map(readRuleCounts(db, filter).map((one) => [one.rule, one]));
  const events = readEventCounts(db, filter);
  const active = rules.filter(({ mode }) => mode !== 'off');
  const { failures, windowSeconds, recoverySeconds } = settingsOf(layers).breaker;
  const breakers = new Map(
    readBreakers(
      engine.store,
      { failures, windowMs: windowSeconds * 1_000, recoveryMs: recoverySeconds * 1_000 },
      now,
    ).map((one) => [one.rule, one]),
  );
  const judgements = countJudgements(db);
  const ids = new Set([...counts.keys(), ...active.map(({ meta }) => meta.id)]);
  const outcome = (id: string, kind: FollowOutcome) => Number(engine.store.get(outcomeId(id, kind), now) ?? 0);
  const ruleStats = [...ids]
    .filter((id) => rule === undefined || id === rule)
    .map((id): RuleStats => {
      const known = rules.find(({ meta }) => meta.id === id);
      const tally = counts.get(id) ?? { rule: id, ...NO_COUNTS };
      return {
        ...tally,
        mode: known?.mode ?? '',
        ...(known ? turnedAway(known, events, tally) : {}),
        followed: outcome(id, 'followed'),
        ignored: outcome(id, 'ignored'),
        round: outcome(id, 'round'),
        moot: outcome(id, 'moot'),
        judged: withPrecision(judgements.get(id)),
        breaker: breakers.get(id)?.state ?? 'closed',
      };
    })
    .sort((a, b) => b.fires - a.fires || b.tier3 - a.tier3 || (a.rule < b.rule ? -1 : 1));
  const rows = rule === undefined ? filter : { ...filter, rule };
  return {
    since: filter.since,
    totals: readTotals(db, rows),
    rules: ruleStats,
    sessions: readSessions(db, rows),
    failures: groupFailures(engine.failures.read(), filter.since),
    undo: sumUp(copiesOf(world).store.list()),
    fates: countFates(db, rows),
    hooks: rule === undefined && filter.session === undefined ? hookCosts(filter.since, world) : [],
  };
}

/** Events the rule listens to that its filters did not let through. */
function turnedAway(
  { meta, root }: ActiveRule,
  events: readonly EventCount[],
  { tier2, tier3 }: RuleCounts,
): Pick<RuleStats, 'tier0' | 'tier1'> {
  let heard = 0;
  let ofTool = 0;
  for (const { event, tool, kind, count, root: at } of events) {
    if (root !== undefined && root !== at) continue;
    const entries = meta.on.filter((listen) => (namesOf(listen) as readonly string[]).includes(event));
    if (entries.length === 0) continue;
    heard += count;
    if (
      entries.some(
        (listen) =>
          (!listen.tool || (listen.tool as readonly string[]).includes(kind)) &&
          (!listen.name || listen.name.includes(tool)),
      )
    )
      ofTool += count;
  }
  return { tier0: heard - ofTool, tier1: Math.max(0, ofTool - tier2 - tier3) };
}

function show({ totals, rules, sessions, failures, undo, fates, hooks }: Stats, when: string, world: CliWorld): void {
  const heading = (text: string) => world.out(`\n${paint(world, 'bold', text)}\n`);
  const { events, neutral, denies, asks, saves, rewrites, notes, chars, copies, micros } = totals;
  if (events === 0) world.out(`No event ${when}.\n`);
  else {
    world.out(
      `${paint(world, 'bold', `${counted(events, 'event')} ${when}`)}, ${Math.round((100 * neutral) / events)} % neutral${copies > 0 ? `, ${copies} of them copies` : ''}\n`,
    );
    world.out(
      `${denies} denied, ${asks} asked, ${saves} kept for undo, ${rewrites} rewritten, ${counted(notes, 'note')}; ${counted(chars, 'character')} given to agents\n`,
    );
    world.out(`per event p50 ${micros.p50} µs, p95 ${micros.p95} µs, p99 ${micros.p99} µs\n`);
  }
  if (undo.count > 0) world.out(`${counted(undo.count, 'copy')} for undo, ${formatBytes(undo.bytes)}\n`);
  if (Object.keys(fates).length > 0)
    world.out(
      `fates: ${Object.entries(fates)
        .map(
          ([fate, count]) =>
            `${formatCount(count)} ${fate === 'open' ? 'not known yet' : FATE_WORDS[fate as FateName]}`,
        )
        .join(', ')}\n`,
    );
  if (rules.length > 0) {
    heading('Rules');
    showTable(rules, world);
  }
  if (hooks.length > 0) {
    heading('Hooks of others');
    showHookCosts(hooks, world);
  }
  if (sessions.length > 0) {
    heading('Sessions');
    printTable(
      world,
      [
        { title: 'session' },
        { title: 'last event', leaves: 1 },
        { title: 'lasted', align: 'right', leaves: 2 },
        ...['events', 'deny', 'ask'].map((title) => ({ title, align: 'right' }) as const),
        ...['chars', 'ms'].map((title) => ({ title, align: 'right', leaves: 3 }) as const),
      ],
      sessions.map((one) => [
        one.session,
        formatTime(one.last),
        formatSpan(one.last - one.first),
        one.events,
        one.denies,
        one.asks,
        one.chars,
        (one.micros / 1_000).toFixed(1),
      ]),
    );
  }
  if (failures.length > 0) {
    heading('Failures of the engine itself');
    printTable(
      world,
      [{ title: 'times', align: 'right' }, { title: 'last' }, { title: 'what', shrinksTo: 20 }],
      failures.map(({ what, count, last }) => [count, formatTime(last), what]),
    );
  }
}

function showTable(rules: readonly RuleStats[], world: CliWorld): void {
  const right = (leaves: number, ...titles: readonly string[]) =>
    titles.map((title): Column => ({ title, align: 'right', leaves }));
  printTable(
    world,
    [
      { title: 'rule' },
      { title: 'mode', leaves: 1 },
      ...right(1, 'fires', 'deny', 'ask', 'notes'),
      ...right(5, 't0', 't1', 't2', 't3'),
      ...right(4, 'p50 µs', 'p95 µs'),
      ...right(3, 'chars'),
      ...right(2, 'failed', 'followed', 'right'),
      { title: 'breaker', leaves: 2 },
    ],
    rules.map((rule) => [
      ...[rule.rule, rule.mode],
      ...[rule.fires, rule.denies, rule.asks, rule.notes].map(formatCount),
      ...[rule.tier0, rule.tier1, rule.tier2, rule.tier3].map((count) =>
        count === undefined ? '-' : formatCount(count),
      ),
      ...(rule.micros ? [rule.micros.p50, rule.micros.p95].map(formatCount) : ['-', '-']),
      ...[formatCount(rule.chars), formatCount(rule.failures)],
      followRate(rule),
      formatShare(rule.judged.precision),
      rule.breaker === 'closed' ? '' : { text: rule.breaker, style: 'red' as const },
    ]),
  );
}

function followRate({ followed, ignored, round }: RuleStats): string {
  const judged = followed + ignored + round;
  return formatShare(judged === 0 ? undefined : followed / judged);
}

function formatShare(share: number | undefined): string {
  return share === undefined ? '-' : `${Math.round(100 * share)} %`;
}

export default { order: 170, verbs: { stats } } satisfies VerbFile;
