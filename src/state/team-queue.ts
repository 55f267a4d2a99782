import { cellId, parseCellId, parseValue, SEPARATOR } from './cells.ts';
import type { Change, Commit, StoredCell } from './store.ts';

/** What this machine changed of its team's state, for the server; it leaves the queue when the server has it. */
export interface Queued {
  /** Made by chance: the server applies it once, however often it is sent. */
  readonly delivery: string;
  /** What was read before, `null` for a cell that was absent. */
  readonly reads: readonly (readonly [string, string | null])[];
  /** Times by the clock of this machine. */
  readonly changes: readonly Change[];
}

const QUEUE = 'team.out';
/** What the ids of all that waits begin with; the rest puts them in order. */
export const QUEUED = cellId('user', '', QUEUE);
const SEEN = 'team.seen';
const TEAM_PREFIX = `team${SEPARATOR}`;

/** Whether a cell is a copy of one of the team's. */
export function isTeamCell(id: string): boolean {
  return id.startsWith(TEAM_PREFIX);
}

/** Whether a cell is about the copy itself: what waits for the server, and when the copy was whole. */
export function isTeamsQueue(id: string): boolean {
  const { scope, name } = parseCellId(id);
  return scope === 'user' && (name === QUEUE || name === SEEN);
}

let entries = 0;

/** The entry that tells the server of a commit; undefined for one that changes nothing of the team's, or that came from there. */
export function queuedBy({ reads, changes, now, fromTeam }: Commit): Change | undefined {
  if (fromTeam === true || !changes.some(({ id }) => isTeamCell(id))) return undefined;
  const delivery = crypto.randomUUID();
  const queued: Queued = {
    delivery,
    reads: [...reads].filter(([id]) => isTeamCell(id)).map(([id, value]) => [id, value ?? null]),
    changes: changes.filter(({ id }) => isTeamCell(id)),
  };
  entries += 1;
  const order = `${String(now).padStart(15, '0')}.${String(entries).padStart(9, '0')}.${delivery.slice(0, 8)}`;
  return { op: 'set', id: cellId('user', '', QUEUE, order), value: JSON.stringify(queued), expires: 0 };
}

/** Undefined for what is no entry: the state file was damaged, or is from a newer version. */
export function readQueued({ value }: Pick<StoredCell, 'value'>): Queued | undefined {
  const queued = parseValue(value) as Partial<Queued> | null | undefined;
  const isWhole = typeof queued?.delivery === 'string' && Array.isArray(queued.reads) && Array.isArray(queued.changes);
  return isWhole ? (queued as Queued) : undefined;
}

/** When this machine last knew that its copy is whole, by its own clock; absent where it never did. */
export function seenId(team: string): string {
  return cellId('user', '', SEEN, team);
}

/** How old the copy is; without an end where it was never whole. */
export function copyAge(seen: string | undefined, now: number): number {
  const at = parseValue(seen);
  return typeof at === 'number' ? Math.max(0, now - at) : Number.POSITIVE_INFINITY;
}
