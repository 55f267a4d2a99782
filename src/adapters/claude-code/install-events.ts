import type { EventName } from '../../event/event.ts';
import type { AgentEvent } from '../adapter.ts';
import type { Delivery } from '../installer.ts';
import { EVENTS } from './names.ts';

/**
 * Events that an installation does not listen to although rules may name them. Each entry costs a process per event,
 * so one that fires often must be able to reach somebody; a person who wants one of these adds it by hand, and it is kept.
 */
export const NOT_WIRED: Readonly<Partial<Record<EventName, string>>> = {
  'worktree.create': 'an entry replaces the way the client creates work trees',
  'worktree.remove': 'runs only for work trees that such an entry created',
  'message.display': 'runs for every few lines on the screen',
  'file.changed': 'runs only for files that the entry itself lists',
  'instructions.loaded': 'runs for every instruction file at every start, and no answer reaches anybody',
  'directory.added': 'no answer reaches anybody, and the next event shows the directory anyway',
};

/** What one can listen to. */
export const WIRED: readonly AgentEvent[] = EVENTS.filter(
  ({ canonical, wiring }) => wiring !== 'never' && NOT_WIRED[canonical] === undefined,
);

/** What an installation listens to. */
export function wiredFor({ hears = () => true }: Delivery): readonly AgentEvent[] {
  return WIRED.filter(({ canonical }) => hears(canonical));
}

/** Prompts start the program, so that a dead engine is back at the next one. */
const STARTS_PROGRAM: ReadonlySet<EventName> = new Set(['prompt.submit', 'prompt.expand']);

export function isPosted({ canonical, wiring }: AgentEvent): boolean {
  return wiring === 'any' && !STARTS_PROGRAM.has(canonical);
}

/**
 * Where a failure can be made to stop what a rule would have stopped, and no more than that. Not on prompts, by which a
 * person asks for help, nor on changed settings, by which a person takes broken hooks out.
 */
const BLOCKS_ON_FAILURE: ReadonlySet<EventName> = new Set(['tool.before', 'permission.request']);

export function canBlockOnFailure({ canonical }: AgentEvent): boolean {
  return BLOCKS_ON_FAILURE.has(canonical);
}

/** A permission request is about a call that a rule would have stopped: who must not miss the one must not miss the other. */
export function stopsOnFailure(event: AgentEvent, failsClosed: (event: EventName) => boolean): boolean {
  return canBlockOnFailure(event) && (failsClosed(event.canonical) || failsClosed('tool.before'));
}

/** Seconds. More than the engine's own deadline, so that the engine and not the client ends a slow rule. */
const TIMEOUT = 10;

/** Where the last word without an engine is a denial, a busy machine gets more time than where it is silence. */
const GUARDED_TIMEOUT = 60;

/** All hooks of this event share 1.5 seconds unless one asks for more; a person who quits should not wait long. */
const TIMEOUTS: Readonly<Partial<Record<EventName, number>>> = { 'session.end': 5 };

export function timeoutOf({ canonical }: AgentEvent): number {
  return BLOCKS_ON_FAILURE.has(canonical) ? GUARDED_TIMEOUT : (TIMEOUTS[canonical] ?? TIMEOUT);
}
