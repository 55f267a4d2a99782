import { cellId } from '../../state/cells.ts';
import type { OwnerOf } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';
import type { FollowUp } from '../../event/follow-up.ts';
import type { FollowOutcome } from '../../event/heed.ts';
import type { Decision } from '../../event/verdict.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import { noteOutcome } from './back-off.ts';
import { countHeed } from './outcomes.ts';
import { agentKey } from '../session/scope.ts';
import { splitPath } from '../match/path-index.ts';
import { pathsOf, textsOf } from '../match/rule-index.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Expectation } from '../rule.ts';
import { foldCase } from '../../text/words.ts';

interface Open {
  readonly rule: string;
  /** The decision that it was said with. */
  readonly decision: string;
  /** The ways to follow it that are still open. */
  readonly ways: readonly Expectation[];
  /** Tool calls since it was said. */
  readonly calls: number;
  /** The turn in which it was said, where its rule speaks less when it is ignored. */
  readonly turn?: string;
}

export function expectId(session: string, agent: string): string {
  return cellId('session', session, 'expect', agent);
}

/** What was said, to whom and when. */
interface Saying {
  /** Its id. */
  readonly id: string;
  readonly decision: Pick<Decision, 'action' | 'by' | 'notes'>;
  readonly event: Event;
}

/** Opens an expectation for each rule that declares one and whose words really went to the agent. */
export function openExpectations(
  { id, decision, event }: Saying,
  rules: readonly ActiveRule[],
  draft: Draft,
  ownerOf: OwnerOf,
): FollowUp[] {
  const stops = decision.action === 'deny' || decision.action === 'ask';
  const advising = decision.notes.map(({ rule }) => rule);
  const opened = [...new Set([...advising, ...(stops ? decision.by : [])])].flatMap((rule): Open[] => {
    const { expect, backsOff } = rules.find(({ meta }) => meta.id === rule)?.meta ?? {};
    if (!expect) return [];
    const turn = backsOff && advising.includes(rule) && { turn: ownerOf('turn') };
    return [{ rule, decision: id, ways: waysOf(expect), calls: 0, ...turn }];
  });
  if (opened.length === 0) return NOTHING;
  const cell = expectId(event.session, agentKey(event));
  const [again, others] = partition(read(draft, cell), (open) => opened.some(({ rule }) => rule === open.rule));
  draft.set(cell, JSON.stringify([...others, ...opened]), 0);
  return [
    // What is said anew before it could show is judged by the new one.
    ...again.map(({ rule, decision: before }) => countHeed({ rule, decision: before, outcome: 'moot' }, draft)),
    ...opened.map(({ rule }) => countHeed({ rule, decision: id }, draft)),
  ];
}

const NOTHING: FollowUp[] = [];

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Holds the agent's next step against what was expected; relative globs count from `root`. The end of a turn, or of the session for what may take that long, judges what is still open as moot. */
export function judgeExpectations(event: Event, root: string, draft: Draft): FollowUp[] {
  const agent = agentKey(event);
  const id = expectId(event.session, agent);
  const open = read(draft, id);
  if (open.length === 0) return NOTHING;
  const still: Open[] = [];
  const judged: FollowUp[] = [];
  for (const one of open) {
    const outcome = judge(one, event, root);
    if (typeof outcome === 'object') {
      still.push(outcome);
      continue;
    }
    const { rule, decision, turn } = one;
    judged.push(countHeed({ rule, decision, outcome }, draft));
    if (turn !== undefined) noteOutcome({ session: event.session, agent, rule, turn }, outcome, draft);
  }
  if (still.length === 0) draft.delete(id);
  else draft.set(id, JSON.stringify(still), 0);
  return judged;
}

export function judgesExpectations(event: Event): boolean {
  return (
    event.name === 'tool.before' ||
    event.name === 'turn.stop' ||
    event.name === 'subagent.stop' ||
    event.name === 'prompt.submit' ||
    event.name === 'session.end'
  );
}

function judge(open: Open, event: Event, root: string): FollowOutcome | Open {
  if (event.name === 'tool.before') {
    if (open.ways.some((way) => isFollowed(way, event, root))) return 'followed';
    if (open.ways.some(({ around }) => around && holdsOne(around, event))) return 'round';
    const calls = open.calls + 1;
    const ways = open.ways.filter(({ within }) => within > calls);
    return ways.length === 0 ? 'ignored' : { ...open, ways, calls };
  }
  if (event.name === 'session.end') return 'moot';
  if (event.name === 'prompt.submit' && event.prompt?.origin !== 'human') return open;
  const ways = open.ways.filter(({ until }) => until === 'session');
  return ways.length === 0 ? 'moot' : { ...open, ways };
}

function isFollowed({ tool, words, paths }: Expectation, event: Event, root: string): boolean {
  if (tool !== undefined && event.tool?.kind !== tool) return false;
  if (words && !holdsOne(words, event)) return false;
  if (!paths) return true;
  const touched = pathsOf(event).map((path) => splitPath(path, () => root));
  return paths
    .map(compileGlob)
    .some((glob) => touched.some(({ segments, below }) => matchGlob(glob, below(undefined), segments)));
}

function holdsOne(words: readonly string[], event: Event): boolean {
  const texts = textsOf(event).map(foldCase);
  return words.some((word) => texts.some((text) => text.includes(foldCase(word))));
}

export function waysOf(expect: Expectation | readonly Expectation[]): readonly Expectation[] {
  return Array.isArray(expect) ? (expect as readonly Expectation[]) : [expect as Expectation];
}

function read(draft: Draft, id: string): Open[] {
  const value = draft.read(id);
  if (value === undefined) return [];
  try {
    // An engine of an earlier build may have written it otherwise.
    return (JSON.parse(value) as Open[]).filter(({ ways }) => Array.isArray(ways));
  } catch {
    return [];
  }
}
