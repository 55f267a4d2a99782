import { ATTENTION } from '../advice/attention.ts';
import { BREAKER_LIMITS } from '../limits/breaker.ts';
import type { ContextParts } from '../decide/context.ts';
import { decide } from '../decide/decide.ts';
import { NO_EFFECTS } from '../match/effect-filter.ts';
import { exampleEvent } from './example-event.ts';
import { listensUnder } from '../match/listens.ts';
import { NO_FACTS } from '../../event/facts.ts';
import { NO_RECORDS } from '../session/agent-records.ts';
import { createRuleIndex } from '../match/rule-index.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import { effectsHeard, whyFiltered } from '../match/why-filtered.ts';
import type {
  Example,
  ExampleVerdict,
  Rule,
  RuleBody,
  RuleFiles,
  RuleMeta,
  RuleSymbol,
  RuleWorkspace,
} from '../rule.ts';
import { ownersFor } from '../session/scope.ts';
import { tellTurn } from '../session/turn.ts';
import { Draft } from '../../state/draft.ts';
import { createMemoryStore } from '../../state/memory.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';

export interface ExampleResult {
  readonly example: Example | string;
  readonly expected: ExampleVerdict;
  /** The event that it stands for, the last one of several. */
  readonly event: Event;
  readonly got: ExampleVerdict;
  /** How far the event got; a `pass` past tier 0 is a near miss. */
  readonly tier: 0 | 1 | 2 | 3;
  readonly reason: string;
  /** The rule broke down; it passed for no better reason. */
  readonly failed: boolean;
  /** All that was said, to the agent or to the person. */
  readonly texts: readonly string[];
}

/** A rule with its code, or the way to it. */
export type Triable = Rule | { readonly meta: RuleMeta; load(): RuleBody | Promise<RuleBody> };

const ROOT = '/example';
const HOME = '/home/dev';
/** A fixed moment and day: an example means the same whenever it is tried. */
const NOW = 1_800_000_000_000;
const DAY = '2027-01-15';
const NO_FILES: RuleFiles = {
  readText: () => undefined,
  stat: () => undefined,
  lstat: () => undefined,
  readRange: () => undefined,
  list: () => [],
  realpath: () => undefined,
};

/** What an example's call would do, read elsewhere. */
export type ExampleEffects = (
  event: Event,
  place: { readonly root: string; readonly home: string },
) => readonly Effect[];

/** The event of an example as an agent would tell of it. */
export type ExampleSpelling = (event: Event) => Event;

/** Runs every example of a rule through selection, guards, check and merge, each in a session of its own, with nothing held back by a mode. */
export async function tryExamples(
  rule: Triable,
  effectsOf: ExampleEffects = () => NO_EFFECTS,
  spell: ExampleSpelling = (event) => event,
): Promise<ExampleResult[]> {
  const declared = 'meta' in rule ? rule.meta : rule;
  const options = declared.options ?? {};
  // A rule that breaks down passes here, so that a failure never looks like a denial.
  const meta = { ...declared, onError: 'pass' as const, on: listensUnder(declared, options) };
  const load = 'meta' in rule ? () => rule.load() : () => rule;
  const active: ActiveRule = { meta, mode: 'enforce', options, source: 'example', load };
  const results: ExampleResult[] = [];
  for (const [expected, examples] of Object.entries(meta.examples ?? {})) {
    for (const example of examples) {
      results.push({
        example,
        expected: expected as ExampleVerdict,
        ...(await tryExample(active, example, effectsOf, spell)),
      });
    }
  }
  return results;
}

export function holds({ expected, got, failed }: ExampleResult): boolean {
  return !failed && got === expected;
}

/** Some example comes close without being meant: without one, a rule that stops everything would look right. */
export function hasNearMiss(results: readonly ExampleResult[]): boolean {
  return results.some(({ expected, tier }) => expected === 'pass' && tier > 0);
}

type Tried = Omit<ExampleResult, 'example' | 'expected'>;

async function tryExample(
  rule: ActiveRule,
  example: Example | string,
  effectsOf: ExampleEffects,
  spell: ExampleSpelling,
): Promise<Tried> {
  const store = createMemoryStore();
  const index = createRuleIndex([rule]);
  const { times = 1, first = [], branch } = typeof example === 'string' ? {} : example;
  const calls = [...first.map(asDone), ...Array.from({ length: Math.max(times, 1) }, () => example)];
  const files = branch === undefined ? NO_FILES : filesOn(branch);
  let tried: Tried | undefined;
  for (const [time, call] of calls.entries()) {
    const event = spell(exampleEvent(call, rule.meta, { root: ROOT, session: 'example', now: NOW + time }));
    const draft = new Draft(store, event.receivedAt);
    const effects = index.wantsEffects(event) ? effectsOf(event, { root: ROOT, home: HOME }) : NO_EFFECTS;
    const selected = index.select(event, () => ROOT, effects);
    const turn = tellTurn(event, draft);
    const workspace = workspaceFor(rule.meta);
    const standing = { ownerOf: ownersFor(event, workspace, () => DAY, turn), workspace };
    const parts: ContextParts = {
      ...standing,
      draft,
      decision: '',
      standingOf: () => standing,
      files,
      overrides: undefined,
      effects,
      effectsFor: () => effectsHeard(rule, event, () => ROOT, effects),
      careful: false,
      turn,
      setup: () => ({ servers: [], hooks: [] }),
      records: NO_RECORDS,
      today: () => DAY,
      pause: undefined,
      facts: NO_FACTS,
      attention: ATTENTION,
      isOwnWrite: () => false,
      who: { session: event.session, agent: 'main' },
    };
    const { decision, trace } = await decide(selected, event, {
      ...parts,
      rules: index.rules,
      breaker: BREAKER_LIMITS,
      carriesNotes: true,
      own: [],
      heeds: [],
      // No exception is in force here, so no call needs a name.
      seal: () => '',
      micros: () => 0,
      onLate() {},
    });
    store.commit({ reads: draft.reads, changes: draft.changes, now: draft.now });
    const { tier, reason } = trace[0] ?? whyFiltered(rule, event, () => ROOT, effects) ?? { tier: 0, reason: '' };
    const failed = trace[0]?.failed === true;
    tried = { event, got: verdictOf(decision), tier, reason, failed, texts: textsIn(decision) };
  }
  return tried as Tried;
}

/** What came to its end before the example; a text is a command. */
function asDone(call: Example | string): Example {
  const done: Example = typeof call === 'string' ? { command: call } : call;
  return { event: 'tool.after', ...done, tool: done.tool ?? (done.command === undefined ? 'edit' : 'shell') };
}

/** A repository that tells which branch is checked out, and nothing else. */
function filesOn(branch: string): RuleFiles {
  const head = `${ROOT}/.git/HEAD`;
  const kinds: ReadonlyMap<string, 'dir' | 'file'> = new Map([
    [`${ROOT}/.git`, 'dir'],
    [head, 'file'],
  ]);
  return {
    ...NO_FILES,
    readText: (path) => (path === head ? `ref: refs/heads/${branch}\n` : undefined),
    stat: (path) => {
      const kind = kinds.get(path);
      return kind && { kind, size: 0, mtimeMs: 0 };
    },
  };
}

/** Holds the entry that the rule needs, and is indexed, so that examples get as far as its check. */
function workspaceFor({ needs }: RuleMeta): RuleWorkspace {
  return {
    root: ROOT,
    repository: ROOT,
    home: HOME,
    markerBacked: true,
    isTrusted: true,
    nearest: (name) => (name === needs?.entry ? ROOT : undefined),
    relative: (path) => (path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : path),
    nameOf: (path) => (path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : undefined),
    isIgnored: () => false,
    hasProgram: () => false,
    variable: () => undefined,
    graph: {
      state: 'initialised',
      symbols: (name) => ({ total: 1, items: [knownAs(name)] }),
      impactOf: () => undefined,
      symbolsIn: () => [],
      symbolAt: () => undefined,
      testsReaching: () => [],
      isTest: () => false,
      filesBelow: () => [],
      whenCurrent: () => undefined,
      whenStable: () => undefined,
      recheck: () => {},
    },
  };
}

/** In the world of examples every name is that of a function. */
function knownAs(name: string): RuleSymbol {
  return {
    name,
    qualified: name,
    kind: 'function',
    path: `${ROOT}/src/example.ts`,
    line: 1,
    column: 1,
    size: 0,
    mtimeMs: 0,
    callers: { total: 0, items: [], roles: {} },
    use: { places: {}, implementers: 0, unresolved: 0 },
  };
}

function verdictOf({ action, notes, warns }: Decision): ExampleVerdict {
  if (action !== 'pass' && action !== 'allow') return action;
  if (notes.length > 0) return 'note';
  return warns.length > 0 ? 'warn' : 'pass';
}

function textsIn({ reason, notes, warns }: Decision): string[] {
  return [...(reason === undefined ? [] : [reason]), ...[...notes, ...warns].map(({ text }) => text)];
}
