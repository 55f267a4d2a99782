import type { AgentEvent } from '../adapter.ts';
import type { Delivery, HttpTarget, OwnEntry } from '../installer.ts';
import { isFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { canBlockOnFailure, isPosted, stopsOnFailure, timeoutOf } from './install-events.ts';
import { OWN_URL, SHELL_FORM } from './own-hook.ts';
import { AGENT } from './parse.ts';

const PROGRAM = /^fairlead(?:[-.]\w+)*$/i;

/** What tells that a handler is ours: the words of its command or where it posts. There is no other mark, so nobody can forget it. */
export function readOwn(handler: unknown): Pick<OwnEntry, 'words' | 'http' | 'blocks'> | undefined {
  if (!isFields(handler)) return undefined;
  const blocks = handler['onFailure'] === 'block';
  if (handler['type'] === 'http') {
    const target = ownTarget(handler);
    return target && { words: [], http: target, blocks };
  }
  const words = handler['type'] === 'command' ? ownWords(handler) : undefined;
  return words && { words, blocks };
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
  readonly onFailure?: 'block';
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
  { launch, http, failsClosed }: Delivery,
  timeout = timeoutOf(event),
): CommandHandler | HttpHandler {
  const blocks = failsClosed !== undefined && stopsOnFailure(event, failsClosed);
  const failing = blocks ? ({ onFailure: 'block' } as const) : {};
  if (http && isPosted(event))
    return { type: 'http', url: http.url, headers: { Authorization: `Bearer ${http.token}` }, timeout, ...failing };
  const { command, args, homeArgs } = launch;
  const words = [
    ...[...args, 'hook', '--agent', AGENT, '--event', event.name],
    ...(blocks ? ['--if-gone', IF_GONE] : []),
    ...[...homeArgs, ...withinArgs(event, timeout)],
  ];
  return { type: 'command', command, args: words, timeout, ...failing };
}

/** The client shows the whole command of an entry that cannot start, and nothing else that we could have written. */
const IF_GONE =
  'Fairlead cannot start: run `fairlead init` again, or take its hooks out of .claude/settings.local.json and ~/.claude/settings.json';

/** How long the program waits when nothing is said, in milliseconds. */
const USUAL_WAIT = 8_000;
/** How long it waits in line where it would have to deny. */
const GUARDED_WAIT = 55_000;
/** What it needs to start, and to answer after that. */
const MARGIN = 1_000;

/** No longer than we would by ourselves: who lets the client wait longer has not asked to be kept waiting. */
function withinArgs(event: AgentEvent, timeout: number): readonly string[] {
  const most = canBlockOnFailure(event) ? GUARDED_WAIT : USUAL_WAIT;
  const wait = Math.min(most, Math.max(timeout * 1_000 - MARGIN, timeout * 500));
  return wait === USUAL_WAIT ? [] : ['--within', String(Math.round(wait))];
}

/** Which fields of a handler are ours, so that all others stay as a person wrote them. */
const OWN_FIELDS = ['type', 'command', 'args', 'url', 'headers', 'timeout', 'onFailure'];

/** A handler that is there, in another form. What a person added goes along; `onFailure` does where no rules are asked. */
export function converted(current: Fields, wanted: CommandHandler | HttpHandler, followsRules: boolean): object {
  const keepsFailure = !followsRules && current['type'] === wanted.type;
  const rest = Object.entries(current).filter(
    ([name]) => !OWN_FIELDS.includes(name) || (name === 'onFailure' && keepsFailure),
  );
  const headers = isFields(current['headers']) ? Object.entries(current['headers']) : [];
  const others = Object.fromEntries(headers.filter(([name]) => !isAuthorization(name)));
  const hasOthers = Object.keys(others).length > 0;
  if (wanted.type === 'http')
    return { ...wanted, headers: { ...wanted.headers, ...others }, ...Object.fromEntries(rest) };
  return { ...wanted, ...(hasOthers ? { headers: others } : {}), ...Object.fromEntries(rest) };
}
