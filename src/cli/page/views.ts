import { readRows } from '../../ledger/read.ts';
import { DAY_MS, readEventDays } from '../../ledger/rule-days.ts';
import { readSessionSums } from '../../ledger/session-sums.ts';
import { nodeFiles } from '../../platform/files.ts';
import { readLog } from '../../state/session-log.ts';
import { CommandError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { databaseOf } from '../database.ts';
import { dispatch } from '../dispatch.ts';
import { unguardedSince } from '../../workspace/wired.ts';
import { knownRules } from '../known-rules.ts';
import { mayLoosen } from '../mode-step.ts';
import type { Explained } from '../show-explanation.ts';
import { copiesOf } from '../undo-copies.ts';
import { whatHappened } from '../what-happened.ts';
import { createGraphViews } from './graph-views.ts';
import { decisionOf } from './decision.ts';
import { lineOf, sessionsBefore, shownAs, stopsBefore, timelineOf } from './rows.ts';
import { DAYS, rulesIn } from './rule-lines.ts';
import { teamMarkOf } from '../../workspace/team-standing.ts';
import type { Layers } from '../../workspace/standing.ts';
import type {
  CopyLine,
  Day,
  DecisionDetail,
  Finding,
  LiveSession,
  Now,
  RuleDetail,
  Session,
  Told,
  PackView,
  PackViewName,
} from './shapes.ts';
import { PACK_PAGES } from '../../packs/cli.generated.ts';
import { activePacks } from '../active-packs.ts';

/** The views of packs that are on in the project at hand. */
export async function packViewNames(world: CliWorld): Promise<readonly PackViewName[]> {
  const active = await activePacks(world);
  const pages = await Promise.all(
    PACK_PAGES.filter(({ pack }) => active.includes(pack)).map(async ({ pack, load }) => ({ pack, ...(await load()) })),
  );
  return pages.toSorted((a, b) => a.order - b.order).map(({ pack, title }) => ({ pack, title }));
}

/** Undefined for a pack that is off, or has no view. */
export async function packView(world: CliWorld, wanted: string | undefined): Promise<PackView | undefined> {
  const part = PACK_PAGES.find(({ pack }) => pack === wanted);
  if (!part || !(await activePacks(world)).includes(part.pack)) return undefined;
  const { show } = await part.load();
  return shownThroughout(await show(world)) as PackView;
}

/** What files of a project say is shown as a terminal would. Commands stay as they are: they are copied. */
function shownThroughout(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return shownAs(value);
  if (Array.isArray(value)) return name === 'commands' ? value : value.map((each) => shownThroughout(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shownThroughout(each, key)]));
}

/** A session without an event for so long no longer counts as going on. */
const LIVE_MS = 30 * 60_000;
const MOST_LIVE = 20;
const LATEST = 6;
const FINDINGS_MS = 30_000;
const MOST_COPIES = 500;

/** What the verbs may be given: a word of another form could be an option. */
const DECISION = /^[a-z0-9]{4,40}$/;
const NUMBER = /^\d{1,15}$/;
const RULE = /^[\w]+\/[\w][\w.-]*$/;

/** Undefined for what cannot be a name of that form. */
function named<T>(given: string | undefined, form: RegExp, answer: (name: string) => T): T | undefined {
  return given !== undefined && form.test(given) ? answer(given) : undefined;
}

export type Query = (name: string) => string | undefined;

export interface Views {
  /** The data of one view; undefined where there is nothing of that name. */
  answer(view: string, query: Query): Promise<unknown>;
}

/** Every view as data. All of it is read: what changes anything is a command that the page shows. */
export function createViews(world: CliWorld): Views {
  const db = () => databaseOf(world);
  const { userHome } = world;
  const graph = createGraphViews(world);
  let found: { readonly at: number; readonly findings: readonly Finding[] } | undefined;

  const views = new Map<string, (query: Query) => unknown>(
    Object.entries({
      now: () => now(),
      findings: () => findings(world.engine().clock.now()),
      stops: (query: Query) => stopsBefore(db(), stopQuery(query), userHome),
      sessions: (query: Query) => sessionsBefore(db(), query('before')),
      session: (query: Query) => session(query('id') ?? '', numberIn(query('before'))),
      rules: () => rulesIn(world),
      rule: (query: Query) => named(query('id'), RULE, rule),
      copies: () => copiesOf(world).store.list().slice(0, MOST_COPIES).map(copyLine),
      copy: (query: Query) => named(query('number'), NUMBER, (number) => tell(['undo', 'show', number])),
      packs: () => packViewNames(world),
      pack: (query: Query) => packView(world, query('name')),
      graphs: () => graph.roots(),
      symbols: (query: Query) => graph.search(query('root'), query('query')),
      symbol: (query: Query) => graph.around(query('root'), query('key')),
      architecture: (query: Query) => graph.architecture(query('root')),
      decision: (query: Query) => named(query('id'), DECISION, decision),
    }),
  );

  async function now(): Promise<Now> {
    const at = world.engine().clock.now();
    const [today, { root, layers }] = [Math.floor(at / DAY_MS), await knownRules(world)];
    const live = readSessionSums(db(), { since: at - LIVE_MS, most: MOST_LIVE }).filter(({ ended }) => ended === 0);
    const { stops } = stopsBefore(db(), {}, userHome, LATEST);
    const waiting = stopsBefore(db(), { action: 'ask' }, userHome, LATEST).stops;
    return {
      at,
      project: root,
      ...policyIn(layers),
      live: live.map((sum): LiveSession => ({ ...lineOf(sum), doing: unguarded(world, sum.root) ?? doingOf(sum) })),
      asks: waiting.filter((ask) => ask.fate === undefined && !ask.passed && at - ask.at < LIVE_MS),
      stops,
      days: daysUntil(today),
    };
  }

  function doingOf({ session: of, first_n: first, last_n: last, root }: ReturnType<typeof readSessionSums>[number]) {
    const [row] = readRows(db(), { session: of, after: first - 1, before: last + 1, last: 1 });
    if (!row) return '';
    const told = db().prepare(`SELECT body -> '$.event' AS event FROM details WHERE n = ?`).get(row.n) as
      | { event: string | null }
      | undefined;
    const what = whatHappened(JSON.parse(told?.event ?? '{}') as object, { root, userHome });
    return what === '' ? row.event : shownAs(what);
  }

  function daysUntil(today: number): readonly Day[] {
    const first = today - DAYS + 1;
    const events = new Map<number, number>();
    for (const { day, count } of readEventDays(db(), first)) events.set(day, (events.get(day) ?? 0) + count);
    const stops = db()
      .prepare(
        `SELECT at / ${DAY_MS} AS day, count(*) AS count FROM events WHERE action IN ('deny', 'ask') AND copy = 0 AND at >= ? GROUP BY 1`,
      )
      .all(first * DAY_MS) as { day: number; count: number }[];
    const stopsOn = new Map(stops.map(({ day, count }) => [day, count]));
    return Array.from({ length: DAYS }, (_, index) => {
      const day = first + index;
      return { day, events: events.get(day) ?? 0, stops: stopsOn.get(day) ?? 0 };
    });
  }

  /** What the doctor says, not more often than it is worth. */
  async function findings(at: number): Promise<readonly Finding[]> {
    if (found && at - found.at < FINDINGS_MS) return found.findings;
    const { text } = await tell(['doctor', '--json']);
    const { sections } = JSON.parse(text) as {
      readonly sections: readonly { readonly findings: readonly Finding[] }[];
    };
    found = { at, findings: sections.flatMap((section) => section.findings) };
    return found.findings;
  }

  function session(id: string, before: number | undefined): Session | undefined {
    const timeline = timelineOf(db(), id, before, userHome);
    if (!timeline) return undefined;
    const prompts = readLog(nodeFiles, world.paths.state, id) ?? [];
    return { ...timeline, prompts: prompts.map(({ prompt, tokens, pct }) => ({ prompt, tokens, pct })) };
  }

  async function rule(id: string): Promise<RuleDetail> {
    const { text } = await tell(['rules', 'show', id, '--json']);
    const { messages, examples, ...shown } = JSON.parse(text) as ShownRule;
    return {
      ...{ id: shown.id, summary: shown.summary, pack: shown.pack, mode: shown.mode, source: shown.source },
      mayLoosen: mayLoosen(shown.id),
      messages: messages.map(({ variant, text: said }) => ({ variant, text: said })),
      examples: Object.entries(examples ?? {}).flatMap(([kind, cases]) =>
        cases.map((each) => ({ kind, text: exampleText(each) })),
      ),
    };
  }

  async function decision(id: string): Promise<DecisionDetail> {
    const { text } = await tell(['explain', id, '--json']);
    return decisionOf(JSON.parse(text) as Explained);
  }

  /** What a verb prints; it is one that only reads. */
  async function tell(argv: readonly string[]): Promise<Told> {
    const parts: string[] = [];
    const silent = { ...world, cwd: world.cwd, colour: false, columns: 100, interactive: false, err: () => {} };
    await dispatch(argv, { ...silent, out: (text) => void parts.push(text) }, ({ command }) => {
      if (command.gated !== undefined || command.changesRules === true) throw new CommandError('the page only reads');
    });
    return { text: parts.join('') };
  }

  return { answer: async (view, query) => await views.get(view)?.(query) };
}

interface ShownRule extends Omit<RuleDetail, 'examples'> {
  readonly examples?: Readonly<Record<string, readonly unknown[]>>;
}

function exampleText(example: unknown): string {
  if (typeof example === 'string') return example;
  const { command, path, prompt, ...rest } = example as Readonly<Record<string, unknown>>;
  const main = command ?? prompt ?? path;
  return typeof main === 'string' ? main : JSON.stringify(rest);
}

function copyLine({ number, at, root, session, command, names, files, bytes }: CopyLine): CopyLine {
  return {
    number,
    at,
    root: shownAs(root),
    session,
    command: shownAs(command),
    names: names.map(shownAs),
    files,
    bytes,
  };
}

function stopQuery(query: Query) {
  const [before, rule, action] = [numberIn(query('before')), query('rule'), query('action')];
  return {
    ...(before !== undefined && { before }),
    ...(rule !== undefined && { rule }),
    ...(action !== undefined && { action }),
  };
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function policyIn(layers: Layers): Pick<Now, 'policy'> {
  const mark = teamMarkOf(layers);
  if (!mark) return {};
  const { policy: { expires = '' } = {}, glass } = layers.team ?? {};
  const { name, version, stage, ring } = mark;
  return { policy: { policy: `${name}@${version}`, stage, ring, expires, ...(glass && { glass }) } };
}

/** No event tells what a session does that calls us no more. */
function unguarded({ paths, engine }: CliWorld, root: string): string | undefined {
  const since = unguardedSince(nodeFiles, paths.state, engine().clock.now(), root);
  return since === undefined ? undefined : `unguarded since ${since}`;
}
