import { cellId, SEPARATOR } from '../../state/cells.ts';
import { addTo } from '../../state/draft.ts';
import type { Change, Store, StoredCell } from '../../state/store.ts';
import { QUEUED, readQueued } from '../../state/team-queue.ts';
import type { Queued } from '../../state/team-queue.ts';
import type { ServerCell } from './server.ts';

/** What waits for the server, and the cell it waits in. */
export interface Waiting {
  readonly id: string;
  readonly entry: Queued;
}

const MOST_TRIES = 8;

export type Copy = ReturnType<typeof createCopy>;

/** What this machine has of a team's state, and what of it the server does not know yet. */
export function createCopy(team: string, store: Store, now: () => number) {
  const prefix = cellId('team', team, '').slice(0, -2) + SEPARATOR;

  /** What was read of the queue last: what an outage leaves is long, and no entry changes. */
  let parsed = new Map<string, Waiting | undefined>();

  /** What waits for this team's server. */
  function waiting(): Waiting[] {
    const before = parsed;
    parsed = new Map();
    for (const cell of store.list(QUEUED, now()))
      parsed.set(cell.id, before.has(cell.id) ? before.get(cell.id) : read(cell));
    return [...parsed.values()].filter((each) => each !== undefined);
  }

  function read(cell: StoredCell): Waiting | undefined {
    const entry = readQueued(cell);
    return entry?.changes.every(({ id }) => id.startsWith(prefix)) ? { id: cell.id, entry } : undefined;
  }

  return {
    prefix,
    waiting,
    /** Brings cells of the server into the copy, with what waits on top; what has arrived waits no longer. */
    take(cells: readonly ServerCell[], arrived: ReadonlySet<string>): void {
      for (let tries = 1; ; tries += 1) {
        store.refresh(now());
        const all = waiting();
        const gone = all.filter(({ entry }) => arrived.has(entry.delivery));
        const rest = all.filter(({ entry }) => !arrived.has(entry.delivery));
        const { reads, changes } = changesFrom(cells, rest, (id) => store.get(id, now()));
        const wanted = [...changes, ...gone.map(({ id }) => ({ op: 'delete', id }) as const)];
        if (wanted.length === 0 || store.commit({ reads, changes: wanted, now: now(), fromTeam: true })) return;
        if (tries === MOST_TRIES) throw new Error('other processes change the copy all the time');
      }
    },
    /** What has arrived as it was sent waits no longer. */
    drop(arrived: readonly Waiting[]): void {
      const changes = arrived.map(({ id }) => ({ op: 'delete', id }) as const);
      store.commit({ reads: new Map(), changes, now: now(), fromTeam: true });
    },
    /** What is no entry would wait for ever. */
    dropDamaged(): void {
      const damaged = store.list(QUEUED, now()).filter((cell) => !readQueued(cell));
      const changes = damaged.map(({ id }) => ({ op: 'delete', id }) as const);
      if (changes.length > 0) store.commit({ reads: new Map(), changes, now: now() });
    },
  };
}

/** The cells that are read or changed. */
export function idsOf(waiting: readonly Waiting[]): string[] {
  const ids = waiting.flatMap(({ entry }) => [...entry.changes.map(({ id }) => id), ...entry.reads.map(([id]) => id)]);
  return [...new Set(ids)];
}

/** What the copy has to change to be as the server is, with what this machine has done since on top. */
function changesFrom(
  cells: readonly ServerCell[],
  waiting: readonly Waiting[],
  held: (id: string) => string | undefined,
): { readonly reads: ReadonlyMap<string, string | undefined>; readonly changes: readonly Change[] } {
  const reads = new Map<string, string | undefined>();
  const changes: Change[] = [];
  for (const cell of cells) {
    const { id, value, expires } = waiting.reduce(onTop, cell);
    const before = held(id);
    if (value === undefined && before === undefined) continue;
    reads.set(id, before);
    changes.push(value === undefined ? { op: 'delete', id } : { op: 'set', id, value, expires });
  }
  return { reads, changes };
}

function onTop(cell: ServerCell, { entry }: Waiting): ServerCell {
  return entry.changes.reduce((below, change): ServerCell => {
    if (change.id !== below.id) return below;
    if (change.op === 'delete') return { id: below.id, value: undefined, expires: 0 };
    if (change.op === 'set') return { id: below.id, value: change.value, expires: change.expires };
    const expires = below.value === undefined ? change.expires : below.expires;
    return { id: below.id, value: addTo(below.value, change.by), expires };
  }, cell);
}
