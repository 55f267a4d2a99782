import type { EventName } from '../event/event.ts';
import type { AgentEvent } from './adapter.ts';
import { comesAs } from './adapter.ts';
import { areHookWords, hookArgs, stopsOnFailure, timeoutOf } from './hook-words.ts';
import type { Delivery, OwnEntry } from './installer.ts';
import { quoteWord, wordsOfLine } from './shell-line.ts';

/** An agent that starts each hook by a line for a shell. A hook that ends with 2 stops a call. */
export interface LineSpec {
  readonly agent: string;
  readonly events: readonly AgentEvent[];
  /** Where a person finds the entries. */
  readonly file: string;
  /** Seconds, for events that need another limit than the usual one. */
  readonly timeouts: Readonly<Partial<Record<EventName, number>>>;
  /** It takes the failure of any hook for a denial, also of one for prompts. */
  readonly failsClosed?: true;
  /** What such a hook prints where the agent does not read on stderr why it ends with 2. */
  denial?(event: AgentEvent, why: string): object;
}

export interface HookLines {
  /** Those that an installation can listen to. */
  readonly wired: readonly AgentEvent[];
  /** Those of them that are wanted. */
  heard(delivery: Delivery): readonly AgentEvent[];
  /** The line and its limit; `seconds`: what a person has set. */
  lineFor(
    event: AgentEvent,
    delivery: Delivery,
    seconds?: number,
  ): { readonly command: string; readonly seconds: number };
  /** The words of a line that starts this program, and whether the agent stops where it cannot. */
  readOwn(line: unknown): Pick<OwnEntry, 'words' | 'blocks'> | undefined;
  mustBlock(event: string, failsClosed: (event: EventName) => boolean): boolean;
}

const OR_GO_ON = ' || true';

export function hookLines({ agent, events, file, timeouts, failsClosed: closes, denial }: LineSpec): HookLines {
  const wired = events.filter(({ wiring }) => wiring !== 'never');
  // The line says it where this program cannot.
  const why = `Fairlead cannot start: run fairlead init again, or take its hooks out of ${file}`;
  const orBlock = (event: AgentEvent): string => {
    const said = denial ? `echo ${quoteWord(JSON.stringify(denial(event, why)))}` : `echo "${why}" >&2`;
    return ` || /bin/sh -c ${quoteWord(`${said}; exit 2`)}`;
  };
  return {
    wired,
    heard: ({ hears }) => wired.filter((event) => hears === undefined || comesAs(event).some(hears)),
    lineFor(event, { launch, failsClosed }, set) {
      const seconds = set ?? timeoutOf(event, timeouts);
      const words = [launch.command, ...hookArgs(launch, agent, event, seconds)];
      const blocks = failsClosed !== undefined && stopsOnFailure(event, failsClosed);
      const orElse = blocks ? orBlock(event) : closes ? OR_GO_ON : '';
      return { command: `${words.map(quoteWord).join(' ')}${orElse}`, seconds };
    },
    readOwn(line) {
      if (typeof line !== 'string') return undefined;
      const [call = '', ...rest] = line.split(' || ');
      const words = wordsOfLine(call) ?? [];
      return areHookWords(words, agent) ? { words, blocks: rest.join(' || ').endsWith(" exit 2'") } : undefined;
    },
    mustBlock: (event, failsClosed) =>
      wired.some((known) => known.name === event && stopsOnFailure(known, failsClosed)),
  };
}
