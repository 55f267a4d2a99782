import { redact } from '../../ledger/redact.ts';
import { isSameAgent } from '../session/scope.ts';
import { cellId } from '../../state/cells.ts';
import type { OwnerOf } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event, EventName } from '../../event/event.ts';
import type { Note } from '../../event/verdict.ts';

/** Characters that may be injected; denials are outside of it. */
export interface Attention {
  readonly event: number;
  readonly turn: number;
  readonly session: number;
}

export const ATTENTION: Attention = { event: 9_000, turn: 12_000, session: 60_000 };

/** Notes are joined by a blank line. */
const SEPARATOR_LENGTH = 2;

/** Notes that wait; when there are more, the least important go, of these the oldest. */
const MAX_WAITING = 20;

/** Events that bring context to the agent without making it go on when it was about to stop. */
const CARRIERS: ReadonlySet<EventName> = new Set([
  'session.start',
  'prompt.submit',
  'tool.before',
  'tool.after',
  'tool.failed',
  'tool.batch',
]);

export function carriesWaiting(event: EventName): boolean {
  return CARRIERS.has(event);
}

export function waitingId(session: string, agent: string): string {
  return cellId('session', session, 'waiting', agent);
}

export interface Fitted {
  readonly said: readonly Note[];
  readonly waits: readonly Note[];
  readonly dropped: readonly Note[];
}

/** The longest note that event, turn and session have room for. */
export function roomFor(limits: Attention, draft: Draft, ownerOf: OwnerOf): number {
  const { session, turns } = readSpent(draft.read(attentionId(ownerOf('session'))));
  const inTurn = turns.find(([owner]) => owner === ownerOf('turn'))?.[1] ?? 0;
  return Math.max(0, Math.min(limits.event, limits.turn - inTurn, limits.session - session) - SEPARATOR_LENGTH);
}

function attentionId(session: string): string {
  return cellId('session', session, 'attention');
}

/** Sources of a start after which what was said before is no longer in front of the agent. */
const FORGETTING: ReadonlySet<string> = new Set(['compact', 'clear']);

/** What the agent has no more is not billed to its session. */
export function forgetSpent({ session, start }: Pick<Event, 'session' | 'start'>, draft: Draft): void {
  const id = attentionId(session);
  if (start && FORGETTING.has(start.source) && draft.read(id) !== undefined) draft.delete(id);
}

/**
 * Lets the most important notes through as far as event, turn and session allow, bills them, and keeps the rest for the
 * session's next event. What not even an empty session could hold is cut at a line end.
 */
export function fitNotes(notes: readonly Note[], limits: Attention, draft: Draft, ownerOf: OwnerOf): Fitted {
  const id = attentionId(ownerOf('session'));
  const turn = ownerOf('turn');
  const spent = readSpent(draft.read(id));
  const sessionLeft = limits.session - spent.session;
  const before = spent.turns.find(([owner]) => owner === turn)?.[1] ?? 0;
  const room = Math.min(limits.event, limits.turn - before, sessionLeft);
  let left = room;
  const longest = Math.min(limits.event, limits.turn, limits.session);
  const said: Note[] = [];
  const waits: Note[] = [];
  const dropped: Note[] = [];
  for (const note of notes) {
    const fitting =
      note.text.length + SEPARATOR_LENGTH > longest
        ? { ...note, text: cut(note.text, longest - SEPARATOR_LENGTH) }
        : note;
    const cost = fitting.text.length + SEPARATOR_LENGTH;
    if (cost <= left) {
      said.push(fitting);
      left -= cost;
    } else (cost > sessionLeft ? dropped : waits).push(fitting);
  }
  const bill = room - left;
  if (bill > 0) draft.set(id, JSON.stringify(billed(spent, turn, before + bill, bill)), 0);
  return { said, waits, dropped };
}

/** Characters said in a session, and in the newest turns of its agents; one cell, because it is written with every note. */
interface Spent {
  readonly session: number;
  readonly turns: readonly (readonly [owner: string, characters: number])[];
}

/** Agents that may have a turn at the same time. */
const MAX_TURNS = 16;

function readSpent(value: string | undefined): Spent {
  try {
    const { session, turns } = JSON.parse(value ?? '{}') as Partial<Spent>;
    return { session: session ?? 0, turns: Array.isArray(turns) ? turns : [] };
  } catch {
    return { session: 0, turns: [] };
  }
}

function billed(spent: Spent, turn: string, used: number, bill: number): Spent {
  // The earlier turns of the same agent are over.
  const others = spent.turns.filter(([owner]) => owner !== turn && !isSameAgent(owner, turn));
  return { session: spent.session + bill, turns: [...others.slice(1 - MAX_TURNS), [turn, used]] };
}

export function readWaiting(draft: Draft, id: string): Note[] {
  const value = draft.read(id);
  if (value === undefined) return [];
  try {
    return JSON.parse(value) as Note[];
  } catch {
    return [];
  }
}

function storable(note: Note): Note {
  const text = redact(note.text);
  return text === note.text ? note : { ...note, text };
}

export function keepWaiting(draft: Draft, id: string, notes: readonly Note[]): void {
  const once = [...new Map(notes.map((note) => [note.text, storable(note)])).values()];
  const best = new Set(
    once
      .toReversed()
      .sort((a, b) => b.priority - a.priority)
      .slice(0, MAX_WAITING),
  );
  const kept = once.filter((note) => best.has(note));
  const before = draft.read(id);
  const after = kept.length > 0 ? JSON.stringify(kept) : undefined;
  if (after === before) return;
  if (after !== undefined) draft.set(id, after, 0);
  else draft.delete(id);
}

function cut(text: string, length: number): string {
  const mark = '\n[cut]';
  const head = text.slice(0, Math.max(0, length - mark.length));
  const line = head.lastIndexOf('\n');
  return (line > length / 2 ? head.slice(0, line) : head.replace(/[\uD800-\uDBFF]$/, '')) + mark;
}
