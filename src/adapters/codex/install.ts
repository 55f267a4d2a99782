import type { AgentEvent } from '../adapter.ts';
import { isFields } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { addHooks, handlersIn, removeHooks } from '../hook-groups.ts';
import { areHookWords, hookArgs, stopsOnFailure, timeoutOf } from '../hook-words.ts';
import type { Addition, Delivery, Installer, Narrowing, OwnEntry, SettingsReport } from '../installer.ts';
import { memberOf, objectIn, render, toValue } from '../json-edit.ts';
import { quoteWord, wordsOfLine } from '../shell-line.ts';
import { CHECKS, validateHooks } from '../validate-hooks.ts';
import { AGENT, EVENTS } from './names.ts';
import { PROMISES } from './promises.ts';
import { settingsPath } from './settings.ts';
import { trustSettings } from './trust.ts';

export const codexInstaller: Installer = {
  agent: AGENT,
  wired: EVENTS,
  promises: PROMISES,
  settingsPath,
  reach: (scope) =>
    scope === 'user' ? 'all your sessions, in every project' : 'sessions in this project, of everybody who trusts it',
  policyPaths: () => [],
  read,
  mustBlock: (event, failsClosed) => EVENTS.some((known) => known.name === event && stopsOnFailure(known, failsClosed)),
  add,
  remove: (text, kept) => removeHooks(text, kept, isOwn),
  trust: (scope, location, files) => trustSettings(scope, location, files, isOwn),
};

/** Client 0.166.0 allows no more for these, and says so at every start. */
const TIMEOUTS = { 'session.end': 3, 'turn.failed': 3 } as const;

/** Its hooks fail open, unless they end with 2 and say why. So the line says it where this program cannot. */
const OR_BLOCK = ` || /bin/sh -c ${quoteWord(
  'echo "Fairlead cannot start: run fairlead init again, or take its hooks out of .codex/hooks.json" >&2; exit 2',
)}`;

interface CommandHandler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
}

function handlerFor(
  event: AgentEvent,
  { launch, failsClosed }: Delivery,
  timeout = timeoutOf(event, TIMEOUTS),
): CommandHandler {
  const words = [launch.command, ...hookArgs(launch, AGENT, event, timeout)];
  const blocks = failsClosed !== undefined && stopsOnFailure(event, failsClosed);
  return { type: 'command', command: `${words.map(quoteWord).join(' ')}${blocks ? OR_BLOCK : ''}`, timeout };
}

/** The words of an entry that starts this program, and whether the client stops where it cannot. */
function readOwn(handler: unknown): Pick<OwnEntry, 'words' | 'blocks'> | undefined {
  const line = isFields(handler) && handler['type'] === 'command' ? handler['command'] : undefined;
  if (typeof line !== 'string') return undefined;
  const [call = '', ...rest] = line.split(' || ');
  const words = wordsOfLine(call) ?? [];
  return areHookWords(words, AGENT) ? { words, blocks: rest.join(' || ').endsWith(" exit 2'") } : undefined;
}

const isOwn = (handler: unknown): boolean => readOwn(handler) !== undefined;

const { text, flag, fields, seconds } = CHECKS;

function read(source: string): SettingsReport {
  const problems = validateHooks(source, {
    events: EVENTS.map(({ name }) => name),
    types: {
      command: { needs: ['command'], has: { command: text, commandWindows: text, async: flag } },
      mcp_tool: { needs: ['server', 'tool'], has: { server: text, tool: text, input: fields } },
      prompt: { needs: [], has: {} },
      agent: { needs: [], has: {} },
    },
    ofAll: { timeout: seconds, statusMessage: text },
    top: ['description', 'hooks'],
    // One that it cannot read makes it leave the whole file out.
    disables: () => 'file',
  });
  const handlers = handlersIn(objectIn(source)).filter(({ effective }) => effective);
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
  return { problems, own, foreign: commands.length, others, switches: [] };
}

function narrowingsOf({ matcher }: Fields, handler: Fields): Narrowing[] {
  const found: Narrowing[] = [];
  if (typeof matcher === 'string' && matcher !== '' && matcher !== '*')
    found.push({ setting: 'matcher', value: matcher });
  if (handler['async'] === true) found.push({ setting: 'async', value: 'true', isUnheard: true });
  return found;
}

function add(source: string, delivery: Delivery): Addition {
  const heard = EVENTS.filter(({ canonical }) => delivery.hears?.(canonical) ?? true);
  return addHooks(source, {
    entries: heard.map((event) => ({ event: event.name, handler: handlerFor(event, delivery) })),
    unheard: new Set(EVENTS.filter((event) => !heard.includes(event)).map(({ name }) => name)),
    isOwn,
    redirect({ event, item }, now, layout) {
      const known = EVENTS.find(({ name }) => name === event);
      const timeout = memberOf(item.value, 'timeout')?.value;
      const node = memberOf(item.value, 'command')?.value;
      if (!known || !node) return [];
      const limit = timeout && toValue(timeout);
      const { command } = handlerFor(known, delivery, typeof limit === 'number' ? limit : undefined);
      if (toValue(node) === command) return [];
      return [{ at: node.start, removed: now.slice(node.start, node.end), inserted: render(command, layout) }];
    },
  });
}
