import { record } from '../../engine/rule.ts';
import type { Cells } from '../../engine/rule.ts';

/** How a file came to be other than it was. */
export type How = 'edited' | 'written' | 'deleted' | 'discarded' | 'run';

/** What one session did last to a file or directory of one work tree. */
export interface Change {
  /** The session. */
  readonly by: string;
  readonly agent: string;
  readonly at: number;
  /** When the call began that may have changed it. */
  readonly since?: number;
  /** The top of the work tree. */
  readonly tree: string;
  /** Where that is, in a team. */
  readonly machine?: string;
  readonly how: How;
  /** A line near an edit, or the command. */
  readonly what?: string;
  /** Only what matches this glob was changed below the directory. */
  readonly like?: string;
}

interface Live {
  readonly agent: string;
  readonly at: number;
}

const MOST_FILES = 100;
const MOST_SESSIONS = 32;
const MOST_CHANGES = 8;
/** A session tells at least this often that it is there, while others are. */
const BEAT_MS = 10 * 60_000;

export const SESSIONS = 'peers.sessions';

/** What the sessions of a repository did, on all machines of a team. Cells of a session, or of a file, have its name as their key. */
export const MEMORY = {
  /** Sessions that have changed something and have not ended; rules sleep while there is no other one. */
  sessions: record<readonly string[]>(SESSIONS, { scope: 'remote', ttl: '1d' }),
  /** Ends with the session, or when it was silent for so long. */
  live: record<Live>('peers.live', { scope: 'remote', ttl: '2h' }),
  /** What a session has changed, oldest first. */
  files: record<readonly string[]>('peers.files', { scope: 'remote', ttl: '1d' }),
  changes: record<readonly Change[]>('peers.changes', { scope: 'remote', ttl: '1d' }),
  /** By the path on disk: when this session last read what others had changed there, or was told of it. */
  seen: record<number>('peers.seen', { ttl: '1d' }),
} as const;

export type Memory = Cells<typeof MEMORY>;

/** Trees of two machines may have the same path. */
export function isSameTree(one: Pick<Change, 'tree' | 'machine'>, other: Pick<Change, 'tree' | 'machine'>): boolean {
  return one.tree === other.tree && one.machine === other.machine;
}

export function keepChange(memory: Memory, name: string, change: Change): void {
  const others = (memory.changes.get(name) ?? []).filter(
    (other) => other.by !== change.by || !isSameTree(other, change),
  );
  memory.changes.set([...others, change].slice(-MOST_CHANGES), name);
  const files = memory.files.get(change.by) ?? [];
  if (files.includes(name)) return;
  for (const old of files.slice(0, Math.max(0, files.length + 1 - MOST_FILES))) forget(memory, old, change.by);
  memory.files.set([...files, name].slice(-MOST_FILES), change.by);
}

/** Whether the session has changed something and is still there. One that was silent for too long has left like one that ended. */
export function isLive(memory: Memory, session: string): boolean {
  if (memory.live.get(session)) return true;
  leave(memory, session);
  return false;
}

/** The session is there: it has just changed something, or was asked to go on. */
export function join(memory: Memory, session: string, live: Live): void {
  memory.live.set(live, session);
  const before = memory.sessions.get() ?? [];
  if (before.includes(session)) return;
  const others = before.filter((each) => memory.live.get(each) !== undefined).slice(1 - MOST_SESSIONS);
  for (const gone of before) if (!others.includes(gone)) forgetSession(memory, gone);
  memory.sessions.set([...others, session]);
}

/** A session that goes on without changing anything tells so now and then. */
export function beat(memory: Memory, session: string, now: number): void {
  const live = memory.live.get(session);
  if (live && now - live.at >= BEAT_MS) memory.live.set({ ...live, at: now }, session);
}

/** Its changes go with it: should it be resumed, only what it does from then on counts. */
export function leave(memory: Memory, session: string): void {
  const before = memory.sessions.get() ?? [];
  if (!before.includes(session)) return;
  forgetSession(memory, session);
  const others = before.filter((each) => each !== session);
  if (others.length === 0) memory.sessions.clear();
  else memory.sessions.set(others);
}

function forgetSession(memory: Memory, session: string): void {
  for (const name of memory.files.get(session) ?? []) forget(memory, name, session);
  memory.files.clear(session);
  memory.live.clear(session);
}

function forget(memory: Memory, name: string, session: string): void {
  const before = memory.changes.get(name) ?? [];
  const others = before.filter(({ by }) => by !== session);
  if (others.length === before.length) return;
  if (others.length === 0) memory.changes.clear(name);
  else memory.changes.set(others, name);
}
