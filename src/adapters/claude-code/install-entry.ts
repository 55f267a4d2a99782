import type { AgentEvent } from '../adapter.ts';
import type { Delivery, HttpTarget, Launch, OwnEntry } from '../installer.ts';
import { isFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { canBlockOnFailure, isPosted, timeoutOf } from './install-events.ts';
import { AGENT } from './parse.ts';

const PROGRAM = /^fairlead(?:[-.]\w+)*$/i;
const SHELL_FORM = new RegExp(`(?:^|[\\\\/\\s"'])fairlead[\\w.-]*["']?\\s+hook\\s+--agent\\s+["']?${AGENT}(?![\\w-])`);
const OWN_URL = new RegExp(`^http://(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):\\d+/hook/${AGENT}$`);

/** What tells that a handler is ours: the words of its command or where it posts. There is no other mark, so nobody can forget it. */
export function readOwn(handler: unknown): Pick<OwnEntry, 'words' | 'http'> | undefined {
  if (!isFields(handler)) return undefined;
  if (handler['type'] === 'http') {
    const target = ownTarget(handler);
    return target && { words: [], http: { ...target, blocks: handler['onFailure'] === 'block' } };
  }
  const words = handler['type'] === 'command' ? ownWords(handler) : undefined;
  return words && { words };
}

function ownWords({ command, args }: Fields): readonly string[] | undefined {
  if (typeof command !== 'string') return undefined;
  if (args === undefined) return SHELL_FORM.test(command) ? [command] : undefined;
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return undefined;
  const words = [command, ...args];
  const verb = words.findIndex((each, at) => each === 'hook' && words[at + 1] === '--agent' && words[at + 2] === AGENT);
  return isProgram(words[verb - 1]) ? words : undefined;
}

/** Whether a word of a command names this program. */
export function isProgram(word = ''): boolean {
  return PROGRAM.test(word.split(/[\\/]/).at(-1) ?? '');
}

function ownTarget({ url, headers }: Fields): HttpTarget | undefined {
  if (typeof url !== 'string' || !OWN_URL.test(url) || !isFields(headers)) return undefined;
  const shown = Object.entries(headers).findLast(([name]) => isAuthorization(name))?.[1];
  const token = typeof shown === 'string' ? /^Bearer (\S+)$/.exec(shown)?.[1] : undefined;
  return token === undefined ? undefined : { url, token };
}

export function isAuthorization(name: string | undefined): boolean {
  return name?.toLowerCase() === 'authorization';
}

export interface CommandHandler {
  readonly type: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout: number;
}

export interface HttpHandler {
  readonly type: 'http';
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  readonly timeout: number;
  readonly onFailure?: 'block';
}

/** The handler for an event, also one that is there and has a timeout of its own. */
export function handlerFor(
  event: AgentEvent,
  { launch, http }: Delivery,
  timeout = timeoutOf(event),
): CommandHandler | HttpHandler {
  if (!http || !isPosted(event)) return commandFor(event, launch, timeout);
  return {
    type: 'http',
    url: http.url,
    headers: { Authorization: `Bearer ${http.token}` },
    timeout,
    ...(canBlockOnFailure(event) && http.failsClosed(event.canonical) ? { onFailure: 'block' } : {}),
  };
}

function commandFor(
  event: AgentEvent,
  { command, args, homeArgs, takesWithin = false }: Launch,
  timeout: number,
): CommandHandler {
  const within = takesWithin ? withinArgs(timeout) : [];
  return {
    type: 'command',
    command,
    args: [...args, 'hook', '--agent', AGENT, '--event', event.name, ...homeArgs, ...within],
    timeout,
  };
}

/** How long the program waits when nothing is said, in milliseconds. */
const USUAL_WAIT = 8_000;
/** What it needs to answer after that. */
const MARGIN = 1_000;

/** Only for less than usual: who lets the client wait longer has not asked to be kept waiting. */
function withinArgs(timeout: number): readonly string[] {
  const wait = Math.max(timeout * 1_000 - MARGIN, timeout * 500);
  return wait < USUAL_WAIT ? ['--within', String(Math.round(wait))] : [];
}

/** Which fields of a handler are ours, so that all others stay as a person wrote them. */
const OWN_FIELDS = ['type', 'command', 'args', 'url', 'headers', 'timeout'];

/**
 * A handler that is there, as another type. What a person added goes along. `onFailure` does not: on a handler that posts
 * it follows the rules, because it stops the agent whenever the engine is away.
 */
export function converted(current: Fields, wanted: CommandHandler | HttpHandler): object {
  const isSameType = current['type'] === wanted.type;
  const rest = Object.entries(current).filter(
    ([name]) => !OWN_FIELDS.includes(name) && (isSameType || name !== 'onFailure'),
  );
  const headers = isFields(current['headers']) ? Object.entries(current['headers']) : [];
  const others = Object.fromEntries(headers.filter(([name]) => !isAuthorization(name)));
  const hasOthers = Object.keys(others).length > 0;
  if (wanted.type === 'http')
    return { ...wanted, headers: { ...wanted.headers, ...others }, ...Object.fromEntries(rest) };
  return { ...wanted, ...(hasOthers ? { headers: others } : {}), ...Object.fromEntries(rest) };
}
