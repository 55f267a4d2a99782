import type { Adapter } from '../../src/adapters/adapter.ts';
import { callOf } from '../../src/adapters/contract.ts';

/** One hook call as the client made it. */
export interface RecordedHook {
  readonly event: string;
  readonly payload: unknown;
}

/** One line of what a client was seen to send: a field of an event, by tool, with the kinds of its values. */
interface Line {
  readonly kinds: string;
  /** Our adapter looks at it. */
  readonly isRead: boolean;
}

const READ = '* ';
const UNREAD = '  ';

/**
 * What a recorded session shows of a client's contract, a line for each event, tool and field. A star stands before what
 * the adapter reads.
 */
export function contractLines(hooks: readonly RecordedHook[], adapter: Adapter): string[] {
  const groups = new Map<string, RecordedHook[]>();
  for (const hook of hooks) {
    const tool = adapter.parse(callOf(hook.payload, { eventHint: hook.event })).tool?.name;
    const about = tool === undefined ? hook.event : `${hook.event} ${tool}`;
    groups.set(about, [...(groups.get(about) ?? []), hook]);
  }
  return [...groups].flatMap(([about, own]) => linesOf(about, own, adapter)).sort(byField);
}

const byField = (one: string, other: string): number => (one.slice(READ.length) < other.slice(READ.length) ? -1 : 1);

function linesOf(about: string, hooks: readonly RecordedHook[], adapter: Adapter): string[] {
  const read = new Set<string>();
  const seen = new Map<string, { kinds: Set<string>; times: number }>();
  for (const { event, payload } of hooks) {
    adapter.parse(callOf(watched(payload, '', read), { eventHint: event }));
    for (const [path, kinds] of fieldsOf(payload)) {
      const known = seen.get(path) ?? { kinds: new Set(), times: 0 };
      for (const kind of kinds) known.kinds.add(kind);
      seen.set(path, { kinds: known.kinds, times: known.times + 1 });
    }
  }
  const fields = [...seen].map(([path, { kinds, times }]) => {
    const star = read.has(path) ? READ : UNREAD;
    return `${star}${about} ${path}: ${[...kinds].sort().join(' or ')}${times < hooks.length ? ', not always' : ''}`;
  });
  return [`${READ}${about}`, ...fields];
}

/** Every field of a payload by its path, with the kinds of what it holds. */
function fieldsOf(value: unknown, path = '', found = new Map<string, Set<string>>()): Map<string, Set<string>> {
  if (path !== '') found.set(path, (found.get(path) ?? new Set()).add(kindOf(value)));
  if (Array.isArray(value)) for (const item of value) fieldsOf(item, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) fieldsOf(inner, path === '' ? key : `${path}.${key}`, found);
  return found;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** The same value, which tells what of it was looked at. */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const pathOf = (key: string): string => (Array.isArray(value) ? `${path}[]` : path === '' ? key : `${path}.${key}`);
  return new Proxy(value, {
    get(target, key, receiver) {
      const inner: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== 'string' || typeof inner === 'function') return inner;
      read.add(pathOf(key));
      return watched(inner, pathOf(key), read);
    },
    getOwnPropertyDescriptor(target, key) {
      if (typeof key === 'string') read.add(pathOf(key));
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

export interface ContractChange {
  readonly text: string;
  /** Something that our adapter reads is gone or of another kind. */
  readonly breaks: boolean;
}

/** Which lines differ, in the order of the lines. */
export function compareContracts(before: readonly string[], after: readonly string[]): ContractChange[] {
  const [old, now] = [readLines(before), readLines(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((at): ContractChange[] => {
    const [was, is] = [old.get(at), now.get(at)];
    if (was && is) {
      if (was.kinds === is.kinds) return [];
      return [{ text: `! ${at}: was ${was.kinds}, is ${is.kinds}`, breaks: was.isRead }];
    }
    if (is) return [{ text: `+ ${spelt(at, is)}`, breaks: false }];
    return was ? [{ text: `- ${spelt(at, was)}`, breaks: was.isRead }] : [];
  });
}

const spelt = (at: string, { kinds }: Line): string => (kinds === '' ? at : `${at}: ${kinds}`);

function readLines(lines: readonly string[]): ReadonlyMap<string, Line> {
  return new Map(
    lines.map((line) => {
      const [at = '', kinds = ''] = line.slice(READ.length).split(': ');
      return [at, { kinds, isRead: line.startsWith(READ) }];
    }),
  );
}
