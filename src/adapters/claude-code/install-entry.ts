import type { AgentEvent } from '../adapter.ts';
import type { Delivery, HttpTarget, Launch, OwnEntry } from '../installer.ts';
import { isFields } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { ADOPTED, areHookWords, canBlockOnFailure, hookArgs, stopsOnFailure, timeoutOf } from '../hook-words.ts';
import { isPosted, TIMEOUTS } from './install-events.ts';
import { OWN_URL, SHELL_FORM } from './own-hook.ts';
import { AGENT } from './parse.ts';

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
  return areHookWords(words, AGENT) && !words.includes(ADOPTED) ? words : undefined;
}

/** Of an entry that has us run hooks of others: which. */
export function adoptedSet(handler: unknown): string | undefined {
  if (!isFields(handler) || typeof handler['command'] !== 'string' || !Array.isArray(handler['args'])) return undefined;
  const words = [handler['command'], ...handler['args'].map(String)];
  return areHookWords(words, AGENT) ? words[words.indexOf(ADOPTED) + 1 || words.length] : undefined;
}

/** An entry that has us run hooks of others, which may take so many seconds. Nobody else would run them, so a call waits for it. */
export function adoptedHandler(event: AgentEvent, set: string, seconds: number, launch: Launch): CommandHandler {
  const blocks = canBlockOnFailure(event);
  const { args, homeArgs } = launch;
  return {
    type: 'command',
    command: launch.command,
    args: [
      ...[...args, 'hook', '--agent', AGENT, '--event', event.name, ADOPTED, set],
      ...(blocks ? ['--if-gone', IF_GONE] : []),
      ...[...homeArgs, '--within', String(Math.ceil(seconds * 1_000) + ADOPTED_MARGIN)],
    ],
    timeout: Math.ceil(seconds) + 2 * (ADOPTED_MARGIN / 1_000),
    ...(blocks && { onFailure: 'block' }),
  };
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

/**
 * Copilot runs the entries of a project that are for Claude Code, without their arguments. It prefers `bash`, which Claude Code
 * passes over. So what knows neither its agent nor its event does not start.
 */
const NOTHING = 'true';

export interface CommandHandler {
  readonly type: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly bash?: typeof NOTHING;
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
  { launch, http, failsClosed, inProject = false }: Delivery,
  timeout = timeoutOf(event, TIMEOUTS),
): CommandHandler | HttpHandler {
  const blocks = failsClosed !== undefined && stopsOnFailure(event, failsClosed);
  const failing = blocks ? ({ onFailure: 'block' } as const) : {};
  if (http && isPosted(event))
    return { type: 'http', url: http.url, headers: { Authorization: `Bearer ${http.token}` }, timeout, ...failing };
  const args = hookArgs(launch, AGENT, event, timeout, blocks ? ['--if-gone', IF_GONE] : []);
  const elsewhere = inProject ? ({ bash: NOTHING } as const) : {};
  return { type: 'command', command: launch.command, args, ...elsewhere, timeout, ...failing };
}

/** What we need beside the hooks themselves, in milliseconds: to start, to put together what they said, to hold it against rules. */
const ADOPTED_MARGIN = 10_000;

/** The client shows the whole command of an entry that cannot start, and nothing else that we could have written. */
const IF_GONE =
  'Fairlead cannot start: run `fairlead init` again, or take its hooks out of .claude/settings.local.json and ~/.claude/settings.json';

/** Which fields of a handler are ours, so that all others stay as a person wrote them. */
const OWN_FIELDS = ['type', 'command', 'args', 'bash', 'url', 'headers', 'timeout', 'onFailure'];

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
