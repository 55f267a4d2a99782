import type { EventName } from '../event/event.ts';
import type { AgentEvent } from './adapter.ts';
import { comesAs } from './adapter.ts';
import type { Fields } from './fields.ts';
import { isFields } from './fields.ts';
import { addHooks, handlersIn, removeHooks } from './hook-groups.ts';
import { areHookWords, hookArgs, stopsOnFailure, timeoutOf } from './hook-words.ts';
import type { Addition, Delivery, Installer, Narrowing, OwnEntry, SettingsReport } from './installer.ts';
import type { JsonContainer } from './json-edit.ts';
import { memberOf, objectIn, render, toValue } from './json-edit.ts';
import { quoteWord, wordsOfLine } from './shell-line.ts';
import { validateHooks } from './validate-hooks.ts';
import type { HookRules } from './validate-hooks.ts';

/** An agent that starts each hook by a line for a shell, in groups by event. A hook that ends with 2 and says why stops a call. */
export interface CommandHooks {
  readonly agent: string;
  readonly events: readonly AgentEvent[];
  /** Where a person finds the entries. */
  readonly file: string;
  /** Seconds, for events that need another limit than the usual one. */
  readonly timeouts: Readonly<Partial<Record<EventName, number>>>;
  /** What the agent counts them in: how many of it are a second. */
  readonly perSecond: number;
  readonly rules: HookRules;
  /** It takes the failure of any hook for a denial, also of one for prompts. */
  readonly failsClosed?: true;
  /** Settings in the file that keep hooks from running. */
  switches?(root: JsonContainer | undefined): readonly string[];
}

export type CommandInstaller = Pick<Installer, 'agent' | 'wired' | 'read' | 'mustBlock' | 'add' | 'remove'> & {
  isOwn(handler: unknown): boolean;
};

const OR_GO_ON = ' || true';

export function commandInstaller(spec: CommandHooks): CommandInstaller {
  const { agent, perSecond, rules } = spec;
  const events = spec.events.filter(({ wiring }) => wiring !== 'never');
  // The line says it where this program cannot.
  const orBlock = ` || /bin/sh -c ${quoteWord(
    `echo "Fairlead cannot start: run fairlead init again, or take its hooks out of ${spec.file}" >&2; exit 2`,
  )}`;

  /** `seconds`: what a person has set. */
  const handlerFor = (event: AgentEvent, { launch, failsClosed }: Delivery, seconds?: number) => {
    const timeout = seconds ?? timeoutOf(event, spec.timeouts);
    const words = [launch.command, ...hookArgs(launch, agent, event, timeout)];
    const blocks = failsClosed !== undefined && stopsOnFailure(event, failsClosed);
    const orElse = blocks ? orBlock : spec.failsClosed ? OR_GO_ON : '';
    const command = `${words.map(quoteWord).join(' ')}${orElse}`;
    return { type: 'command', command, timeout: timeout * perSecond };
  };

  /** The words of an entry that starts this program, and whether the agent stops where it cannot. */
  const readOwn = (handler: unknown): Pick<OwnEntry, 'words' | 'blocks'> | undefined => {
    const line = isFields(handler) && handler['type'] === 'command' ? handler['command'] : undefined;
    if (typeof line !== 'string') return undefined;
    const [call = '', ...rest] = line.split(' || ');
    const words = wordsOfLine(call) ?? [];
    return areHookWords(words, agent) ? { words, blocks: rest.join(' || ').endsWith(" exit 2'") } : undefined;
  };
  const isOwn = (handler: unknown): boolean => readOwn(handler) !== undefined;
  const hears = (event: AgentEvent, { hears: asked }: Delivery): boolean =>
    asked === undefined || comesAs(event).some(asked);

  function read(source: string): SettingsReport {
    const root = objectIn(source, rules.comments);
    const handlers = handlersIn(root).filter(({ effective }) => effective);
    const own = handlers.flatMap(({ event, path, item, group }): OwnEntry[] => {
      const handler = toValue(item.value);
      const found = readOwn(handler);
      if (!found) return [];
      const narrowed = narrowingsOf(toValue(group.value) as Fields, handler as Fields);
      return [{ event, path, ...found, ...(narrowed.length > 0 && { narrowed }) }];
    });
    const commands = handlers.map(({ item }) => toValue(item.value)).filter((handler) => !isOwn(handler));
    const others = commands.flatMap((each) =>
      isFields(each) && typeof each['command'] === 'string' ? each['command'] : [],
    );
    const problems = validateHooks(source, rules);
    return { problems, own, foreign: commands.length, others, switches: spec.switches?.(root) ?? [] };
  }

  function add(source: string, delivery: Delivery): Addition {
    const heard = events.filter((event) => hears(event, delivery));
    return addHooks(source, {
      entries: heard.map((event) => ({ event: event.name, handler: handlerFor(event, delivery) })),
      unheard: new Set(events.filter((event) => !heard.includes(event)).map(({ name }) => name)),
      isOwn,
      ...(rules.comments === true && { comments: true }),
      redirect({ event, item }, now, layout) {
        const known = events.find(({ name }) => name === event);
        const timeout = memberOf(item.value, 'timeout')?.value;
        const node = memberOf(item.value, 'command')?.value;
        if (!known || !node) return [];
        const limit = timeout && toValue(timeout);
        const seconds = typeof limit === 'number' ? limit / perSecond : undefined;
        const { command } = handlerFor(known, delivery, seconds);
        if (toValue(node) === command) return [];
        return [{ at: node.start, removed: now.slice(node.start, node.end), inserted: render(command, layout) }];
      },
    });
  }

  return {
    agent,
    wired: events,
    read,
    mustBlock: (event, failsClosed) =>
      events.some((known) => known.name === event && stopsOnFailure(known, failsClosed)),
    add,
    remove: (text, kept) => removeHooks(text, kept, isOwn, { comments: rules.comments === true }),
    isOwn,
  };
}

function narrowingsOf({ matcher }: Fields, handler: Fields): Narrowing[] {
  const found: Narrowing[] = [];
  if (typeof matcher === 'string' && matcher !== '' && matcher !== '*')
    found.push({ setting: 'matcher', value: matcher });
  if (handler['async'] === true) found.push({ setting: 'async', value: 'true', isUnheard: true });
  return found;
}
