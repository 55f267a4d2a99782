import type { EventName } from '../event/event.ts';
import type { AgentEvent } from './adapter.ts';
import type { Launch } from './installer.ts';

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

/** Seconds. More than the engine's own deadline, so that the engine and not the agent ends a slow rule. */
const TIMEOUT = 10;

/** Where the last word without an engine is a denial, a busy machine gets more time than where it is silence. */
const GUARDED_TIMEOUT = 60;

/** How long an agent is told to wait; `own` are those of its events that need another limit. */
export function timeoutOf(event: AgentEvent, own: Readonly<Partial<Record<EventName, number>>>): number {
  return canBlockOnFailure(event) ? GUARDED_TIMEOUT : (own[event.canonical] ?? TIMEOUT);
}

/** How long the program waits when nothing is said, in milliseconds. */
const USUAL_WAIT = 8_000;
/** How long it waits in line where it would have to deny. */
const GUARDED_WAIT = 55_000;
/** What it needs to start, and to answer after that. */
const MARGIN = 1_000;

/** No longer than we would by ourselves: who lets the agent wait longer has not asked to be kept waiting. */
function withinArgs(event: AgentEvent, timeout: number): readonly string[] {
  const most = canBlockOnFailure(event) ? GUARDED_WAIT : USUAL_WAIT;
  const wait = Math.min(most, Math.max(timeout * 1_000 - MARGIN, timeout * 500));
  return wait === USUAL_WAIT ? [] : ['--within', String(Math.round(wait))];
}

/** What follows the command of an entry; `more` are words of the agent's own. */
export function hookArgs(
  { args, homeArgs }: Launch,
  agent: string,
  event: AgentEvent,
  timeout: number,
  more: readonly string[] = [],
): readonly string[] {
  return [
    ...[...args, 'hook', '--agent', agent, '--event', event.name],
    ...[...more, ...homeArgs, ...withinArgs(event, timeout)],
  ];
}

/** Before the name of a set of hooks of others, which the entry has us run. */
export const ADOPTED = '--adopted';

/** What stands before an event's name in the payloads of most agents. The native client has it too. */
export const EVENT_KEY = '"hook_event_name"';

const PROGRAM = /^fairlead(?:[-.]\w+)*$/i;

/** Whether a word of a command names this program. */
export function isProgram(word = ''): boolean {
  return PROGRAM.test(word.split(/[\\/]/).at(-1) ?? '');
}

/** Whether these words start this program for events of an agent. */
export function areHookWords(words: readonly string[], agent: string): boolean {
  const verb = words.findIndex((each, at) => each === 'hook' && words[at + 1] === '--agent' && words[at + 2] === agent);
  return isProgram(words[verb - 1]);
}

/** A pattern of lines for a shell that start it so. */
export function ownLine(agent: string): string {
  return String.raw`^(?:\S*[\\/](?:sh|node(?:js)?|bun)(?:\.exe)?\s+)?(?:'[^'\n]*[\\/]|[^\s"'|&;]*[\\/])?fairlead[\w.-]*'?[ \t]+hook[ \t]+--agent[ \t]+${agent}(?![\w-])`;
}
