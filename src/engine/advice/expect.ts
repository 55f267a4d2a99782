import { cellId } from '../../state/cells.ts';
import type { OwnerOf } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';
import type { Note } from '../../event/verdict.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import { outcomeId } from '../api/outcomes.ts';
import type { FollowOutcome } from '../api/outcomes.ts';
import { noteOutcome } from './back-off.ts';
import { agentKey } from '../session/scope.ts';
import { splitPath } from '../match/path-index.ts';
import { pathsOf, textsOf } from '../match/rule-index.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Expectation } from '../rule.ts';
import { foldCase } from '../../text/words.ts';

interface Open {
  readonly rule: string;
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

/** Opens an expectation for each note that was really said and whose rule declares one. */
export function openExpectations(
  notes: readonly Note[],
  rules: readonly ActiveRule[],
  event: Event,
  draft: Draft,
  ownerOf: OwnerOf,
): void {
  const opened = notes.flatMap((note): Open[] => {
    const { expect, backsOff } = rules.find((rule) => rule.meta.id === note.rule)?.meta ?? {};
    return expect
      ? [{ rule: note.rule, ways: waysOf(expect), calls: 0, ...(backsOff && { turn: ownerOf('turn') }) }]
      : [];
  });
  if (opened.length === 0) return;
  const id = expectId(event.session, agentKey(event));
  const before = read(draft, id).filter((open) => !opened.some(({ rule }) => rule === open.rule));
  draft.set(id, JSON.stringify([...before, ...opened]), 0);
}

/** Holds the agent's next step against what was expected; relative globs count from `root`. The end of a turn, or of the session for what may take that long, judges what is still open as moot. */
export function judgeExpectations(event: Event, root: string, draft: Draft): void {
  const agent = agentKey(event);
  const id = expectId(event.session, agent);
  const open = read(draft, id);
  if (open.length === 0) return;
  const still: Open[] = [];
  for (const one of open) {
    const judged = judge(one, event, root);
    if (typeof judged === 'object') still.push(judged);
    else {
      draft.add(outcomeId(one.rule, judged), 1, 0);
      if (one.turn !== undefined)
        noteOutcome({ session: event.session, agent, rule: one.rule, turn: one.turn }, judged, draft);
    }
  }
  if (still.length === 0) draft.delete(id);
  else draft.set(id, JSON.stringify(still), 0);
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
  const texts = textsOf(event).map(foldCase);
  if (words && !words.some((word) => texts.some((text) => text.includes(foldCase(word))))) return false;
  if (!paths) return true;
  const touched = pathsOf(event).map((path) => splitPath(path, () => root));
  return paths
    .map(compileGlob)
    .some((glob) => touched.some(({ segments, below }) => matchGlob(glob, below(undefined), segments)));
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
