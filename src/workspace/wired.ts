import { AGENT_SETTINGS } from '../adapters/registry.ts';
import type { Place } from '../engine/engine.ts';
import type { Files } from '../platform/files.ts';
import { tryLock } from '../platform/lock.ts';
import type { Lock } from '../platform/lock.ts';
import { contains, dirname, join } from '../platform/paths.ts';
import { installsPath } from './unwired.ts';

/** More than anybody's settings hold. */
const MOST_BYTES = 256 * 1024;
/** How long a person hears that a file was gone for a while. */
const TOLD_MS = 24 * 60 * 60_000;

/** A file by which an agent calls us, as an installation wrote it or as it was changed since. */
interface Kept {
  readonly text: string;
  readonly scope?: unknown;
  /** When it was first seen without us; it calls us again since `backAt`. */
  readonly lostAt?: number;
  readonly backAt?: number;
}

type Book = Readonly<Record<string, Kept>>;

/** A file that calls us no more, or did not for a while. */
interface Unguarded {
  readonly path: string;
  readonly scope: unknown;
  readonly lostAt: number;
  readonly backAt?: number;
}

type Known = Pick<Files, 'readText' | 'stat'>;
type Writable = Known & Pick<Files, 'lstat' | 'makeDirLikeParent' | 'writeAtomic' | 'makeDir'>;

function bookPath(state: string): string {
  return join(state, 'wired.json');
}

function readObject<T>(files: Pick<Files, 'readText'>, path: string): Readonly<Record<string, T>> {
  try {
    const found: unknown = JSON.parse(files.readText(path) ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, T>>) : {};
  } catch {
    return {};
  }
}

/** Whether a text calls this program, as the settings of some agent do. */
function callsUs(text: string | undefined): boolean {
  return text !== undefined && AGENT_SETTINGS.words.entries.some((entry) => text.includes(entry));
}

/** The files with entries for events that installations have written. */
function installed(files: Known, state: string): readonly (readonly [string, { readonly scope?: unknown }])[] {
  const records = Object.entries(readObject<{ readonly scope?: unknown } | null>(files, installsPath(state)));
  return records.flatMap(([path, record]) => (record?.scope === undefined ? [] : [[path, record] as const]));
}

/**
 * Looks at every file by which an installation had an agent call us. What calls us is kept; of what does so no more, it is noted
 * since when. A file that is gone is put back as it was; one that has become another is its author's, and stays.
 */
function lookAtWired(files: Writable, state: string, now: number, puts: boolean): readonly Unguarded[] {
  const before = readObject<Kept>(files, bookPath(state));
  const after: Record<string, Kept> = {};
  for (const [path, { scope }] of installed(files, state)) {
    const kept = before[path];
    const text = files.readText(path, MOST_BYTES);
    const calls = callsUs(text);
    const seen = seenAs(kept, calls ? text : undefined, now);
    const isBack = puts && text === undefined && putBack(files, state, path, seen.text);
    after[path] = { ...seen, scope, ...(isBack && { backAt: now }) };
  }
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    files.makeDir(state, 0o700);
    files.writeAtomic(bookPath(state), JSON.stringify(after), 0o600);
  }
  return unguardedIn(after, now);
}

/** `text` where it calls us. */
function seenAs(kept: Kept | undefined, text: string | undefined, now: number): Kept {
  const { lostAt, backAt } = kept ?? {};
  if (text === undefined)
    return { text: kept?.text ?? '', lostAt: lostAt === undefined || backAt !== undefined ? now : lostAt };
  return { text, ...(lostAt !== undefined && { lostAt, backAt: backAt ?? now }) };
}

/** Not where something else lies, as a link, or the whole project is gone, nor while a person takes the entries out. */
function putBack(files: Writable, state: string, path: string, text: string): boolean {
  const isWhole = text !== '' && text.length < MOST_BYTES;
  if (!isWhole || files.lstat(path) || files.stat(dirname(dirname(path)))?.kind !== 'dir') return false;
  let lock: Lock | undefined;
  try {
    const locks = join(state, 'locks');
    files.makeDir(locks, 0o700);
    lock = tryLock(join(locks, 'install.lock'));
    if (!lock || !installed(files, state).some(([each]) => each === path)) return false;
    files.makeDirLikeParent(dirname(path));
    // It may hold a token.
    files.writeAtomic(path, text, 0o600);
    return true;
  } catch {
    return false;
  } finally {
    lock?.release();
  }
}

function unguardedIn(book: Book, now: number): readonly Unguarded[] {
  return Object.entries(book).flatMap(([path, { scope, lostAt, backAt }]) =>
    lostAt === undefined || (backAt !== undefined && now - backAt > TOLD_MS)
      ? []
      : [{ path, scope, lostAt, ...(backAt !== undefined && { backAt }) }],
  );
}

/** Since when an agent that works in a project has not called us by a file that should, as `16:08`; undefined where all do. */
export function unguardedSince(files: Writable, state: string, now: number, project: string): string | undefined {
  const open = lookAtWired(files, state, now, false).filter(
    ({ path, scope, backAt }) => backAt === undefined && (scope === 'user' || contains(project, path)),
  );
  return open.length === 0 ? undefined : timeOf(Math.min(...open.map(({ lostAt }) => lostAt)));
}

/** What the person hears in the next event of every session. */
function unguardedNotice({ path, lostAt, backAt }: Unguarded): string {
  const end = 'A person who wants it gone runs `fairlead uninstall`.';
  return backAt === undefined
    ? `Unguarded since ${timeOf(lostAt)}: ${path} no longer calls Fairlead. \`fairlead init\` puts that back. ${end}`
    : `${path} did not call Fairlead at ${timeOf(lostAt)}, and does again since ${timeOf(backAt)}. ${end}`;
}

function timeOf(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** What agents start us by, as it is now: for an engine, which asks before it replies and looks after. */
export interface Wired {
  /** The files that call us: what installations have written, and what is in force at a root. */
  at(inForce: readonly string[]): readonly string[];
  /** Sees what has become of the files, and puts back; nothing where none has changed since the last time. */
  look(): void;
  /** The place with what every session hears. */
  told(place: Place): Place;
}

export interface WiredOptions {
  readonly files: Writable;
  readonly state: string;
  readonly resident: boolean;
  /** What is gone is put back by a process whose calls run. */
  readonly keeps?: boolean | 'trial';
  now(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
}

export function createWired({ files, state, resident, keeps, now, isOff, onFailure }: WiredOptions): Wired {
  const known = new Map<string, { readonly at: number; readonly paths: readonly string[] }>();
  let watched: readonly string[] = [];
  let stamp = '';
  let notices: readonly string[] = [];
  const stampNow = () => {
    const stats = [installsPath(state), bookPath(state), ...watched].map((path) => files.stat(path));
    return stats.map((stat) => (stat ? `${stat.ino}.${stat.mtimeMs}.${stat.size}` : '-')).join(' ');
  };
  return {
    at(inForce) {
      const key = inForce.join('\n');
      const before = known.get(key);
      if (before && (!resident || now() - before.at < FRESH_MS)) return before.paths;
      const all = new Set([...installed(files, state).map(([path]) => path), ...inForce]);
      // Most are not there, and to look costs a fraction of an attempt to read.
      const paths = [...all].filter((path) => files.stat(path) && callsUs(files.readText(path, MOST_BYTES)));
      if (known.size > MOST_KNOWN) known.clear();
      known.set(key, { at: now(), paths });
      return paths;
    },
    look() {
      try {
        if (isOff(now()) || (stamp !== '' && stamp === stampNow())) return;
        notices = lookAtWired(files, state, now(), keeps === true).map(unguardedNotice);
        watched = installed(files, state).map(([path]) => path);
        stamp = stampNow();
      } catch (error) {
        onFailure('looking at what calls us', error);
      }
    },
    told: (place) => (notices.length === 0 ? place : { ...place, policy: { ...place.policy, urgent: notices } }),
  };
}

const MOST_KNOWN = 100;
/** How long it counts which files call us. */
const FRESH_MS = 1_000;
