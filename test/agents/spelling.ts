import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { callOf } from '../../src/adapters/contract.ts';
import type { Adapter } from '../../src/adapters/adapter.ts';
import { readSession } from '../../src/player/play.ts';
import type { Event, HookCall } from '../../src/event/event.ts';
import { recordedOf } from '../fixtures/recorded-payloads.ts';

/** A hook call that an agent would send for an event, and what the agent's adapter makes of it. */
export interface Spelling {
  readonly call: Pick<HookCall, 'payload' | 'eventHint'>;
  readonly event: Event;
  /** What of the event is lost or changed on the way; empty when it is the same event. */
  readonly lost: readonly string[];
}

interface Pattern {
  readonly payload: unknown;
  readonly hint: string;
  readonly event: Event;
}

const SESSIONS = new URL('../fixtures/sessions/', import.meta.url);

/**
 * Spells events as an agent does. Nothing is invented: each payload is a recorded one of that agent, about the same kind of
 * thing, in which the adapter has found a command, a path or a text, and in whose place the wanted one is put.
 */
export function spellerOf(adapter: Adapter): (wanted: Event, home?: string) => Spelling | undefined {
  const patterns = patternsOf(adapter);
  const usual = mostFrequent(patterns.map(({ event }) => event.permissionMode));
  return (wanted, home = '/home/dev') => {
    const fitting = patterns.filter(({ event }) => isAlike(event, wanted));
    // An agent that does not tell sub-agents apart says of their calls what it says of its own.
    const own = fitting.filter(({ event }) => (event.subagent === undefined) === (wanted.subagent === undefined));
    let best: (Spelling & { readonly faults: number }) | undefined;
    for (const pattern of own.length > 0 ? own : fitting) {
      const payload = put(pattern.payload, changesFor(pattern.event, wanted), wanted.cwd);
      const call = { payload, eventHint: pattern.hint };
      const { cwd, receivedAt, depth } = wanted;
      const event = adapter.parse(callOf(payload, { ...call, cwd, receivedAt, depth, home }));
      const lost = lostIn(event, wanted);
      const mode = event.approvesItself === wanted.approvesItself ? (event.permissionMode === usual ? 0 : 1) : 10;
      const faults = 100 * lost.length + moreIn(event, wanted).length + mode;
      if (best === undefined || faults < best.faults) best = { call, event, lost, faults };
    }
    return best;
  };
}

/** What was recorded of an agent: its payloads one by one, and its whole sessions. */
function patternsOf(adapter: Adapter): readonly Pattern[] {
  const single = recordedOf(adapter.name).all();
  const inSessions = readdirSync(SESSIONS)
    .filter((name) => name.endsWith('.script.json'))
    .filter((name) => (readJson(name) as { agent?: string }).agent === adapter.name)
    .flatMap((name) => readSession(readFileSync(new URL(name.replace('.script.json', '.jsonl'), SESSIONS), 'utf8')))
    .map(({ payload }) => ({ payload, event: '' }));
  return [...single, ...inSessions].map(({ payload, event: hint }) => ({
    payload,
    hint,
    event: adapter.parse(callOf(payload, { eventHint: hint })),
  }));
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, SESSIONS), 'utf8'));

function isAlike(one: Event, other: Event): boolean {
  return one.name === other.name && one.tool?.kind === other.tool?.kind && one.prompt?.origin === other.prompt?.origin;
}

/** What an event says, by name. */
type Said = Readonly<Record<string, string | undefined>>;

function saidBy({ tool, prompt, stop, start, end, compact, notification }: Event): Said {
  const [edit] = tool?.edits ?? [];
  return {
    command: tool?.command,
    dir: tool?.dir,
    background: tool?.background === true ? 'yes' : undefined,
    query: tool?.query,
    path: tool?.paths[0],
    old: edit?.old,
    new: edit?.new,
    server: tool?.mcp?.server,
    name: tool?.mcp?.tool,
    output: tool?.outputText,
    prompt: prompt?.text,
    message: stop?.lastMessage,
    source: start?.source,
    reason: end?.reason,
    trigger: compact?.trigger,
    notice: notification?.message,
  };
}

interface Change {
  readonly from: string;
  readonly to: string;
  readonly isPath?: true;
}

function changesFor(recorded: Event, wanted: Event): readonly Change[] {
  const [before, after] = [saidBy(recorded), saidBy(wanted)];
  // What is searched without a path is where the agent stands.
  const path = after['path'] ?? wanted.cwd;
  const said = Object.keys(before).flatMap((key) =>
    key === 'path' ? change(before[key], path, true) : change(before[key], after[key]),
  );
  const ids = [
    ...change(recorded.session, wanted.session),
    ...change(recorded.subagent?.id, wanted.subagent?.id),
    ...change(recorded.tool?.id, wanted.tool?.id),
    ...change(recorded.promptId, wanted.promptId),
    ...change(recorded.cwd, wanted.cwd, true),
  ];
  const { tool } = wanted;
  const named = tool?.kind === 'other' ? change(recorded.tool?.name, tool.name) : [];
  return [...said, ...ids, ...named];
}

function change(from: string | undefined, to: string | undefined, isPath = false): Change[] {
  return from === undefined || from === '' || to === undefined ? [] : [{ from, to, ...(isPath && { isPath: true }) }];
}

/** A copy with every text that says what is to be changed saying the other thing. */
function put(value: unknown, changes: readonly Change[], cwd: string): unknown {
  if (typeof value === 'string') return putInText(value, changes, cwd);
  if (Array.isArray(value)) return value.map((inner) => put(inner, changes, cwd));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, put(inner, changes, cwd)]));
}

function putInText(text: string, changes: readonly Change[], cwd: string): string {
  const whole = changes.find((one) => text === one.from || namesPath(text, one, changes));
  if (whole) return isAbsolute(text) || whole.isPath !== true ? whole.to : placed(whole.to, cwd);
  if (text.startsWith('{')) {
    try {
      return JSON.stringify(put(JSON.parse(text), changes, cwd));
    } catch {
      // No object after all.
    }
  }
  return putInLines(text, changes, cwd);
}

/** A path may be told as it is from the session's directory. */
function namesPath(text: string, { from, isPath }: Change, changes: readonly Change[]): boolean {
  return isPath === true && text !== '' && changes.some((cwd) => cwd.isPath === true && join(cwd.from, text) === from);
}

const placed = (path: string, cwd: string): string => (path.startsWith(`${cwd}/`) ? relative(cwd, path) : path);

/** In a text of several lines, as a patch, each line of what is said stands behind the same sign. */
function putInLines(text: string, changes: readonly Change[], cwd: string): string {
  const lines: (string | readonly string[])[] = text.split('\n');
  if (lines.length === 1) return text;
  for (const one of changes) {
    const spellings = one.isPath === true ? [one.from, ...relatives(one, changes)] : [one.from];
    for (const from of spellings) replaceBlock(lines, from, one.isPath === true ? placed(one.to, cwd) : one.to);
  }
  return lines.flat().join('\n');
}

function relatives({ from }: Change, changes: readonly Change[]): string[] {
  return changes.flatMap((cwd) =>
    cwd.isPath === true && from.startsWith(`${cwd.from}/`) ? [relative(cwd.from, from)] : [],
  );
}

/** Lines that were put are lists, so that nothing is put in their place again. */
function replaceBlock(lines: (string | readonly string[])[], from: string, to: string): void {
  const old = withoutEnd(from).split('\n');
  for (let at = 0; at + old.length <= lines.length; at += 1) {
    const first = lines[at];
    if (typeof first !== 'string' || !first.endsWith(old[0] ?? '')) continue;
    const sign = first.slice(0, first.length - (old[0] ?? '').length);
    if (!old.every((line, index) => lines[at + index] === sign + line)) continue;
    lines.splice(
      at,
      old.length,
      withoutEnd(to)
        .split('\n')
        .map((line) => sign + line),
    );
  }
}

const withoutEnd = (text: string): string => text.replace(/\n$/, '');

/** Names what an event should say and does not. */
function lostIn(event: Event, wanted: Event): string[] {
  const [got, said] = [saidBy(event), saidBy(wanted)];
  const lost = Object.keys(said).filter(
    (key) => said[key] !== undefined && withoutEnd(got[key] ?? '') !== withoutEnd(said[key]),
  );
  // One name of a file among several is enough.
  const isNamed = event.tool?.paths.includes(said['path'] ?? '') === true;
  // The words of an error are the agent's own.
  const isSilent = wanted.tool?.error !== undefined && event.tool?.error === undefined;
  return [...lost.filter((key) => key !== 'path' || !isNamed), ...(isSilent ? ['error'] : [])];
}

/** Names what an event says and should not. */
function moreIn(event: Event, wanted: Event): string[] {
  const [got, said] = [saidBy(event), saidBy(wanted)];
  return Object.keys(got).filter((key) => got[key] !== undefined && said[key] === undefined);
}

function mostFrequent<T>(items: readonly T[]): T | undefined {
  const count = (item: T) => items.filter((one) => one === item).length;
  return [...new Set(items)].sort((a, b) => count(b) - count(a))[0];
}
