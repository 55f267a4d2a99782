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

/** All hooks of this event share 1.5 seconds unless one asks for more; a person who quits should not wait long. */
export const TIMEOUTS: Readonly<Partial<Record<EventName, number>>> = { 'session.end': 5 };
