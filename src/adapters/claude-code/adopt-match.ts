import type { AdoptedHook } from '../adopting.ts';
import type { Fields } from '../fields.ts';
import { numberAt, textAt } from '../fields.ts';
import { matches } from './narrowing.ts';

/** What a matcher is held against, by event; an event that is not here takes none. */
const MATCHED: Readonly<Record<string, string>> = {
  PreToolUse: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  Notification: 'notification_type',
  SessionStart: 'source',
  SessionEnd: 'reason',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  PreCompact: 'trigger',
};

const LIST = /^[\w|, -]+$/;

export function takesMatcher(event: string): boolean {
  return MATCHED[event] !== undefined;
}

/** Whether the client starts an entry with this matcher. */
export function isMatched(event: string, matcher: string | undefined, payload: Fields): boolean {
  const field = MATCHED[event];
  return field === undefined || matcher === undefined || matches(matcher, textAt(payload, field) ?? '');
}

function isForAll(matcher: string | undefined): matcher is undefined | '' | '*' {
  return matcher === undefined || matcher === '' || matcher === '*';
}

function namesIn(matcher: string): readonly string[] {
  return matcher.split(/[|,]/).map((name) => name.trim());
}

/** One matcher that lets through what any of these does, as narrow as it can be said; undefined for all. */
export function matcherOfAll(event: string, matchers: readonly (string | undefined)[]): string | undefined {
  if (!takesMatcher(event) || matchers.some(isForAll)) return undefined;
  const known = [...new Set(matchers as readonly string[])];
  if (known.length === 1) return known[0];
  return known.every((each) => LIST.test(each)) ? [...new Set(known.flatMap(namesIn))].join('|') : undefined;
}

/** Seconds, where an entry says nothing. */
const USUAL_LIMIT = 600;
const LIMITS: Readonly<Record<string, number>> = { UserPromptSubmit: 30, SessionEnd: 1.5 };

/** The client bounds what it waits for at the end; timers of all programs end before a month. */
const LONGEST: Readonly<Record<string, number>> = { SessionEnd: 60 };
const LONGEST_OF_ALL = 1_000_000;

export function secondsOf({ event, entry }: Pick<AdoptedHook, 'event' | 'entry'>): number {
  const seconds = numberAt(entry, 'timeout') ?? LIMITS[event] ?? USUAL_LIMIT;
  return Math.min(seconds, LONGEST[event] ?? LONGEST_OF_ALL);
}
