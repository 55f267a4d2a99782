import { relative } from 'node:path';
import { defineRule, own, switchIn, countIn, fieldsIn } from '../../engine/rule.ts';
import type { Cells, Event, RuleContext, Verdict } from '../../engine/rule.ts';
import { AWAITS, awaitsWith, bookOf, fateOf, isHeld, JUDGED, quietness, TURN, UNHEEDED } from './advice.ts';
import type { TurnBook } from './advice.ts';
import { answerOf, EXTENTS, knownOf, unreadOf } from './answer.ts';
import type { Known } from './answer.ts';
import { broadSearch } from './broad.ts';
import { isIgnoredAt } from './find-index.ts';
import { EDITED } from './freshness.ts';
import { agentOf, FLIGHTS, isFlying, isMarked, MARK } from './mark.ts';
import { fits, queryOf, shorter, valuesOf } from './message.ts';
import type { Wording } from './message.ts';
import type { Search, Incompetence } from './search.ts';
import { BUILT_IN } from './providers.ts';
import { callOf, labelOf, SEEN_TOOLS } from './routes.ts';
import { termsOf } from './terms.ts';
import { isServedByHook, sitesOf } from './usable.ts';
import type { Site, Usable } from './usable.ts';
import { listed } from '../../effects/words/arguments.ts';
import { CODE_LANGUAGES, languageOf, languagesOf } from './languages.ts';

/** Directories of code that others wrote or a program made, by name; what only a project ignores is asked for apart. */
const DEPENDENCIES: ReadonlySet<string> = new Set(
  listed(
    'node_modules bower_components jspm_packages .yarn .pnpm-store vendor third_party .venv venv virtualenv site-packages ' +
      'dist-packages __pypackages__ __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .eggs dist target .gradle ' +
      '.m2 .cargo .rustup Pods Carthage DerivedData .build .bundle .terraform .next .nuxt .svelte-kit .turbo .parcel-cache ' +
      '.cache .dart_tool .stack-work _build .nyc_output .git .hg .svn',
  ),
);

/** Directories that hold texts and pictures, as hidden ones hold settings; code in them is looked for by naming its language. */
const WITHOUT_CODE: ReadonlySet<string> = new Set(listed('docs doc documentation images img fonts licenses LICENSES'));

interface Indexed {
  /** The directory the index covers. */
  readonly root: string;
  /** Whether the project leaves a place out. */
  ignored(path: string): boolean;
  /** What it holds; any code when it does not say. */
  readonly languages?: ReadonlySet<string>;
}

/** Why a graph could not answer what is searched for in one of its places; undefined when it could. */
export function competence(
  search: Search,
  place: string,
  { root, ignored, languages = CODE_LANGUAGES }: Indexed,
  terms: readonly string[] = termsOf(search),
): Incompetence | undefined {
  const inside = relative(root, place);
  if (inside === '..' || inside.startsWith('../') || inside.startsWith('/')) return 'outside';
  const lies = (is: (segment: string) => boolean) =>
    isIn(inside, is) || (search.globs.length > 0 && search.globs.every((glob) => isIn(glob, is)));
  if (lies((segment) => DEPENDENCIES.has(segment))) return 'dependency';
  if (search.facts) return 'facts';
  if (inside !== '' && ignored(place)) return 'dependency';
  if (languagesOf(search).some((group) => !group.some((one) => languages.has(one)))) return 'other-languages';
  if (lies(isWithoutCode) && languageOf(search) === undefined) return 'other-languages';
  return isAnswerable(search, terms) ? undefined : 'no-term';
}

function isIn(path: string, is: (segment: string) => boolean): boolean {
  return path.split('/').some(is);
}

function isWithoutCode(segment: string): boolean {
  return WITHOUT_CODE.has(segment) || /^\.\w/.test(segment);
}

function isAnswerable(search: Search, terms: readonly string[]): boolean {
  if (terms.length > 0) return true;
  if (!search.listing) return false;
  const asksForAll = search.patterns.length + search.globs.length + search.types.length === 0;
  return asksForAll || languageOf(search) !== undefined;
}

const MOST_CHARS = 400;

interface Limits {
  readonly expectWithin: number;
  readonly maxChars: number;
  readonly maxDenials: number;
}

/** A value of the wrong kind counts as not given. */
function limitsIn(options: Readonly<Record<string, unknown>>): Limits {
  const careful = fieldsIn(options['careful']);
  return {
    expectWithin: countIn(options['expectWithin']) ?? 8,
    maxChars: Math.min(countIn(options['maxChars']) ?? MOST_CHARS, MOST_CHARS),
    maxDenials: countIn(careful['maxDenials']) ?? 2,
  };
}

const ID = 'codegraph/search-nudge';
/** For an index that is being opened or brought up to date. */
const WAIT_MS = 150;
const STATE = {
  mark: MARK,
  flights: FLIGHTS,
  turn: TURN,
  awaits: AWAITS,
  unheeded: UNHEEDED,
  judged: JUDGED,
  tools: SEEN_TOOLS,
  edited: EDITED,
} as const;

const MESSAGES = {
  nudge:
    'A {index} index covers {place}{others}.\n{call}\nanswers from it, with definitions and callers. Text search stays the better choice for strings, comments and configuration.',
  answer:
    '{answer}, says the {index} index{behind}.\n{call}\nhas the rest. Text search stays the better choice for strings, comments and configuration.',
  less: '{answer}, says the {index} index{behind}.\n{call}\nhas the rest.',
  least: '{answer}, says the {index} index{behind}.',
  names:
    'A {index} index covers {place}{others}.\n{call}\nanswers from it by the name of a symbol, with definitions and callers. A listing stays the better choice for files as such.',
  short: 'A {index} index covers {place}.\n{call}',
  blocked: '{fact} Careful mode holds a broad search back; a search of files that are named runs.\n{call}',
} as const;
type Context = RuleContext<typeof STATE, typeof MESSAGES>;

export default defineRule({
  id: 'codegraph/search-nudge',
  pack: 'codegraph',
  summary: 'A broad text search where a code graph covers the place: says once per turn what to ask the graph.',
  on: [
    { event: 'tool.before', tool: ['search', 'glob'] },
    {
      event: 'tool.before',
      tool: ['shell'],
      words: ['rg ', 'ag ', 'ack ', 'grep', 'find', 'fd', 'ls ', 'tree'],
    },
  ],
  mode: 'advise',
  careful: 'enforce',
  // More than it waits for the index.
  budgetMs: 1_200,
  priority: 40,
  state: STATE,
  options: { relevance: 'on', providers: {}, expectWithin: 8, maxChars: 400, answerFirst: 'on', careful: {} },
  messages: MESSAGES,
  answers: ['answer', 'less', 'least'],
  examples: {
    note: ['parseConfig', { command: 'rg parseConfig' }, { command: 'grep -rn "load(Config|Settings)" src' }],
    pass: [
      '[0-9]+',
      { command: 'npm test 2>&1 | grep FAIL' },
      { command: 'git commit -m "use grep -r"' },
      { command: 'find . -name package.json' },
    ],
  },
  check(event, context) {
    const { options, workspace, files, state, now, careful, pass } = context;
    const search = broadSearch(event, files, workspace);
    if (!search) return pass('not a broad search');
    const sites = sitesOf(search, event, context);
    const covered = sites.next().value;
    if (!covered) return pass('no usable index covers this place');
    const agent = agentOf(event);
    // To tell the turn may take a look at the transcript, so it is asked for no sooner.
    const { turn } = context;
    if (isMarked(state.mark.get(agent), event, turn)) return pass('a graph was asked in this turn');
    if (isFlying(state.flights.get(agent), now)) return pass('a graph is being asked');
    const book = bookOf(state.turn.get(agent), turn);
    const denies = careful && book.denials < limitsIn(options).maxDenials;
    // Asked before what the graph could answer, since that takes longer to tell and changes nothing.
    if (book.nudged && !denies) return pass('this turn has had its nudge');
    const terms = termsOf(search);
    const lacksAt = ({ place, best: { index } }: Site) =>
      switchIn(options.relevance, true)
        ? competence(search, place, { root: index.root, ignored: (path) => isIgnoredAt(path, context) }, terms)
        : undefined;
    const lacks = lacksAt(covered);
    const site = lacks ? [...sites].find((other) => !lacksAt(other)) : covered;
    if (!site) return pass(`the graph cannot answer this: ${lacks}`);
    const isOwn = site.best.index.provider.id === BUILT_IN;
    const finish = (): Verdict => {
      const known = isOwn ? knownOf(search.patterns, terms, workspace.graph) : [];
      // Words that the graph has no symbol for are strings, settings or prose: a note about them would mislead.
      if (isOwn && terms.length > 0 && known.length === 0) return pass('the graph knows no symbol of these words');
      return tell(event, { search, site, terms, known, book, denies }, context);
    };
    const waiting = isOwn && terms.length > 0 ? workspace.graph?.whenStable(WAIT_MS) : undefined;
    return waiting === undefined ? finish() : waiting.then(finish);
  },
});

/** What was found out about a search before anything is said. */
interface Found {
  readonly search: Search;
  readonly site: Site;
  readonly terms: readonly string[];
  readonly known: readonly Known[];
  readonly book: TurnBook;
  readonly denies: boolean;
}

function tell(event: Event, { search, site, terms, known, book, denies }: Found, context: Context): Verdict {
  const { options, workspace, state, now, careful, turn, pass, note, deny } = context;
  const { place, best, others } = site;
  const agent = agentOf(event);
  const { maxChars, expectWithin } = limitsIn(options);
  const query = queryOf(terms, search, known);
  const call = query && callOf(best.route, query);
  const values = valuesOf(best, others, place, workspace);
  const answer = (): Verdict | undefined => {
    if (call === undefined || known.length === 0 || !switchIn(options['answerFirst'], true)) return undefined;
    const behind =
      workspace.graph?.state === 'stable'
        ? (unreadOf(known, context) ?? own(''))
        : own(', which is being brought up to date');
    for (const extent of EXTENTS) {
      const found = answerOf(known, extent, context);
      if (found === undefined) return undefined;
      const said = { answer: found, index: values.index, behind, call: own(call) };
      for (const variant of ['answer', 'less', 'least'] as const) {
        const told = note(variant, said);
        if (fits(told, maxChars)) return told;
      }
    }
    return undefined;
  };
  const say = (): Verdict | undefined => {
    const told = answer();
    if (told) return told;
    const first = (word: (way: Wording) => Verdict): Verdict | undefined => {
      for (const way of shorter(values, query, best.route)) {
        const said = word(way);
        if (fits(said, maxChars)) return said;
      }
      return undefined;
    };
    const whole = first((way) => (call ? note('nudge', way) : note('names', way)));
    return whole ?? first((way) => note('short', way));
  };
  if (denies) {
    state.turn.set({ ...book, denials: book.denials + 1 }, agent);
    const [fact = 'An index answers this.', instead = ''] = say()?.text?.split('\n') ?? [];
    return deny('blocked', { fact: own(fact), call: own(instead) });
  }
  if (!careful) {
    // A sub-agent is started by no prompt, so nothing was put into its turn.
    if (book.searches === 0 && !event.subagent && isServedByHook([best, ...others], context)) {
      state.turn.set({ ...book, searches: 1 }, agent);
      return pass('the prompt brought graph context; the next search of the turn is told');
    }
    if (book.held) return pass('held in this turn');
    if (takeHold(agent, state)) {
      state.turn.set({ ...book, held: true }, agent);
      return pass('held', 'remark');
    }
    if (isQuiet(best, now, state) && !answer()) return pass('held: this workspace follows too few notes');
  }
  const said = say();
  if (!said) return pass(`does not fit in ${maxChars} characters`);
  state.turn.set({ ...book, nudged: true }, agent);
  // A note that nobody hears cannot be followed.
  if (context.mode === 'shadow') return said;
  const awaits = state.awaits.get();
  const left = awaits?.[agent];
  if (left) context.later.heed(ID, left.decision, fateOf(left));
  context.later.heed(ID, context.decision);
  const awaited = {
    turn,
    decision: context.decision,
    provider: best.index.provider.id,
    tool: labelOf(best.route),
    variant: said.variant ?? '',
    within: expectWithin,
    calls: 0,
    searched: false,
  };
  state.awaits.set(awaitsWith(awaits, agent, awaited) ?? {});
  return said;
}

/** Whether this agent's notes are held back; a turn that is held is one less to hold. */
function takeHold(agent: string, { unheeded }: Cells<typeof STATE>): boolean {
  const before = unheeded.get(agent);
  if (!before || !isHeld(before)) return false;
  if (before.hold > 0) unheeded.set({ ...before, hold: before.hold - 1 }, agent);
  return true;
}

/** Whether the workspace has followed so few notes that it gets only those that answer. */
function isQuiet({ index, route }: Usable, now: number, { judged }: Cells<typeof STATE>): boolean {
  const quiet = quietness(judged.get(), index.provider.id, labelOf(route), now);
  if (quiet === 'over') judged.clear();
  return quiet === 'quiet';
}
