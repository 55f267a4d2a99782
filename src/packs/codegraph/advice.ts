import { record } from '../../engine/rule.ts';
import type { Turn } from '../../engine/rule.ts';

/** What one turn of one agent has had. */
export interface TurnBook {
  readonly turn: Turn;
  readonly searches: number;
  readonly denials: number;
  readonly nudged?: true;
  readonly held?: true;
}

/** A note whose effect is awaited. */
export interface Awaited {
  readonly turn: Turn;
  /** The one that it was given with. */
  readonly decision: string;
  readonly provider: string;
  readonly tool: string;
  readonly variant: string;
  readonly within: number;
  /** Tool calls of the agent since. */
  readonly calls: number;
  /** One of them was a broad search. */
  readonly searched: boolean;
}

export type Awaits = Readonly<Record<string, Awaited>>;

/** Notes of one agent in one session that went unheeded, one after the other. */
export interface Unheeded {
  readonly ignored: number;
  /** So many turns that could have had a note go without. */
  readonly hold: number;
}

/** How the last notes of a workspace fared: `f` for followed, `i` for ignored, the latest last. */
export interface Judged {
  readonly outcomes: string;
  /** Since when too few were followed. */
  readonly quietSince?: number;
  /** By what each provider was named, when its last note was judged. */
  readonly routes: Readonly<Record<string, string>>;
}

/** By agent, the newest turn only: a cell of each turn's own would cost a look of its own. */
export const TURN = record<TurnBook>('codegraph.turn');
/** Its being there wakes the rule that judges. */
export const AWAITS = record<Awaits>('codegraph.awaits');
export const UNHEEDED = record<Unheeded>('codegraph.unheeded');
export const JUDGED = record<Judged>('codegraph.judged', { scope: 'workspace' });

export function bookOf(kept: TurnBook | undefined, turn: Turn): TurnBook {
  return kept?.turn === turn ? kept : { turn, searches: 0, denials: 0 };
}

const IGNORED_BEFORE_HOLD = 2;
const HELD_TURNS = 2;
const LAST_NOTES = 20;
const WORTHWHILE = 0.1;
const QUIET_MS = 14 * 86_400_000;
const MAX_AWAITED = 20;

export type Fate = 'followed' | 'ignored' | 'moot';

/** The notes that are awaited once one agent's has been given, or judged. */
export function awaitsWith(
  before: Awaits | undefined,
  agent: string,
  awaited: Awaited | undefined,
): Awaits | undefined {
  const others = Object.entries(before ?? {}).filter(([one]) => one !== agent);
  const all = [...others.slice(1 - MAX_AWAITED), ...(awaited ? [[agent, awaited] as const] : [])];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** What a tool call makes of an awaited note: its fate, or the note as it is awaited from now on. */
export function afterCall(
  awaited: Awaited,
  call: { readonly asksGraph: boolean; readonly isBroad: boolean },
): Fate | Awaited {
  const next = { ...awaited, calls: awaited.calls + 1, searched: awaited.searched || call.isBroad };
  if (call.asksGraph) return 'followed';
  return next.calls >= next.within ? fateOf(next) : next;
}

/** When no more calls count: a search in spite of the note ignored it; without one there was nothing to follow. */
export function fateOf({ searched }: Awaited): Fate {
  return searched ? 'ignored' : 'moot';
}

export function unheededAfter(before: Unheeded | undefined, fate: Fate): Unheeded | undefined {
  if (fate === 'moot') return before;
  if (fate === 'followed') return undefined;
  const ignored = (before?.ignored ?? 0) + 1;
  return { ignored, hold: ignored === IGNORED_BEFORE_HOLD ? HELD_TURNS : 0 };
}

/** Whether an agent that heeds no notes gets none in this turn. */
export function isHeld(unheeded: Unheeded | undefined): boolean {
  return unheeded !== undefined && (unheeded.hold > 0 || unheeded.ignored > IGNORED_BEFORE_HOLD);
}

export function judgedAfter(before: Judged | undefined, fate: Fate, awaited: Awaited, now: number): Judged | undefined {
  if (fate === 'moot') return before;
  const outcomes = `${before?.outcomes ?? ''}${fate === 'followed' ? 'f' : 'i'}`.slice(-LAST_NOTES);
  const routes = { ...before?.routes, [awaited.provider]: awaited.tool };
  return isLow(outcomes) ? { outcomes, routes, quietSince: before?.quietSince ?? now } : { outcomes, routes };
}

export function isLow(outcomes: string): boolean {
  return outcomes.length >= LAST_NOTES && shareFollowed(outcomes) < WORTHWHILE;
}

export function shareFollowed(outcomes: string): number {
  return outcomes.length === 0 ? 0 : outcomes.replaceAll('i', '').length / outcomes.length;
}

/** `over`: the workspace was quiet, and is so no longer, since time has passed or the provider has changed. */
export function quietness(
  judged: Judged | undefined,
  provider: string,
  route: string,
  now: number,
): 'quiet' | 'over' | undefined {
  if (judged?.quietSince === undefined) return undefined;
  const named = judged.routes[provider];
  return now - judged.quietSince >= QUIET_MS || (named !== undefined && named !== route) ? 'over' : 'quiet';
}
