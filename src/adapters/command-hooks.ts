import type { AgentEvent } from './adapter.ts';
import type { Fields } from './fields.ts';
import { isFields } from './fields.ts';
import { addHooks, handlersIn, removeHooks } from './hook-groups.ts';
import { hookLines } from './hook-line.ts';
import type { LineSpec } from './hook-line.ts';
import type { Addition, Delivery, Installer, Narrowing, OwnEntry, SettingsReport } from './installer.ts';
import type { JsonContainer } from './json-edit.ts';
import { memberOf, objectIn, render, toValue } from './json-edit.ts';
import { validateHooks } from './validate-hooks.ts';
import type { HookRules } from './validate-hooks.ts';

/** One whose hooks stand in groups by event, in JSON. */
export interface CommandHooks extends LineSpec {
  /** What the agent counts limits in: how many of it are a second. */
  readonly perSecond: number;
  /** What a limit that a person has set comes to, where the agent takes it for another unit by its size. */
  secondsIn?(limit: number): number;
  readonly rules: HookRules;
  /** Settings in the file that keep hooks from running. */
  switches?(root: JsonContainer | undefined): readonly string[];
}

export type CommandInstaller = Pick<Installer, 'agent' | 'wired' | 'read' | 'mustBlock' | 'add' | 'remove'> & {
  isOwn(handler: unknown): boolean;
};

export function commandInstaller(spec: CommandHooks): CommandInstaller {
  const { agent, perSecond, rules } = spec;
  const { wired: events, heard: heardIn, lineFor, readOwn: readLine, mustBlock } = hookLines(spec);

  const handlerFor = (event: AgentEvent, delivery: Delivery, set?: number) => {
    const { command, seconds } = lineFor(event, delivery, set);
    return { type: 'command', command, timeout: seconds * perSecond };
  };
  const readOwn = (handler: unknown): Pick<OwnEntry, 'words' | 'blocks'> | undefined =>
    isFields(handler) && handler['type'] === 'command' ? readLine(handler['command']) : undefined;
  const isOwn = (handler: unknown): boolean => readOwn(handler) !== undefined;

  function read(source: string): SettingsReport {
    const root = objectIn(source, rules.comments);
    const handlers = handlersIn(root, rules.flat).filter(({ effective }) => effective);
    const own = handlers.flatMap(({ event, path, item, group }): OwnEntry[] => {
      const handler = toValue(item.value);
      const found = readOwn(handler);
      if (!found) return [];
      const narrowed = narrowingsOf(toValue(group.value) as Fields, handler as Fields);
      return [{ event, path, ...found, ...(narrowed.length > 0 && { narrowed }) }];
    });
    const commands = handlers.map(({ item }) => toValue(item.value)).filter((handler) => !isOwn(handler));
    const others = commands.flatMap((each) => {
      const line = isFields(each) ? (each['command'] ?? each['bash']) : undefined;
      return typeof line === 'string' ? line : [];
    });
    const problems = validateHooks(source, rules);
    return { problems, own, foreign: commands.length, others, switches: spec.switches?.(root) ?? [] };
  }

  function add(source: string, delivery: Delivery): Addition {
    const heard = heardIn(delivery);
    return addHooks(source, {
      entries: heard.map((event) => ({ event: event.name, handler: handlerFor(event, delivery) })),
      unheard: new Set(events.filter((event) => !heard.includes(event)).map(({ name }) => name)),
      isOwn,
      ...(rules.comments === true && { comments: true }),
      ...(rules.flat === true && { flat: true }),
      redirect({ event, item }, now, layout) {
        const known = events.find(({ name }) => name === event);
        const timeout = memberOf(item.value, 'timeout')?.value;
        const node = memberOf(item.value, 'command')?.value;
        if (!known || !node) return [];
        const limit = timeout && toValue(timeout);
        const seconds = typeof limit === 'number' ? (spec.secondsIn?.(limit) ?? limit / perSecond) : undefined;
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
    mustBlock,
    add,
    remove: (text, kept) =>
      removeHooks(text, kept, isOwn, { comments: rules.comments === true, flat: rules.flat === true }),
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
