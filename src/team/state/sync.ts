import { cellId } from '../../state/cells.ts';
import type { Store } from '../../state/store.ts';
import { seenId } from '../../state/team-queue.ts';
import { nextTurn } from '../../platform/timers.ts';
import { createBackoff } from '../../telemetry/otlp/backoff.ts';
import { createCopy, idsOf } from './copy.ts';
import type { Waiting, Copy } from './copy.ts';
import type { Leases, ServerCell, TeamServer, Push } from './server.ts';

/** What the server pushes, on its way into the copy. */
interface Pushed {
  /** For a new connection: what comes is kept until it is known from where to go on. */
  begin(): void;
  add(push: Push): void;
  /** Stores what has come. */
  flush(): void;
  /** The copy has all up to this number. */
  goOnFrom(number: number): void;
  /** The number of the newest commit that the copy has; undefined while it may lack some. */
  last(): number | undefined;
  lose(): void;
}

/** `gather` calls back after a moment: what comes meanwhile is stored together. */
function createPushed(copy: Copy, gather: (work: () => void) => void): Pushed {
  let last: number | undefined;
  let pushes: Push[] = [];
  let isDue = false;

  function flush(): void {
    isDue = false;
    if (last === undefined) return;
    const fresh = pushes.filter(({ number }) => number > (last ?? 0));
    pushes = [];
    for (const { before, number } of fresh) {
      if (before !== last) {
        last = undefined;
        return;
      }
      last = number;
    }
    if (fresh.length === 0) return;
    const newest = new Map(fresh.flatMap(({ cells }) => cells.map((cell) => [cell.id, cell])));
    copy.take([...newest.values()], new Set(fresh.map(({ delivery }) => delivery)));
  }

  return {
    flush,
    begin() {
      pushes = [];
      last = undefined;
    },
    add(push) {
      pushes.push(push);
      if (isDue) return;
      isDue = true;
      gather(flush);
    },
    goOnFrom(number) {
      last = number;
      flush();
    },
    last: () => last,
    lose() {
      last = undefined;
    },
  };
}

export interface SyncOptions {
  readonly team: string;
  readonly store: Store;
  readonly server: TeamServer;
  now(): number;
  random(): number;
  soon(ms: number, work: () => void): void;
  onFailure(doing: string, error: unknown): void;
}

/** Keeps this machine's copy in step with the server, after replies and beside events. */
export interface Sync {
  /** Sends what waits, and looks whether the copy is whole. Ends by itself, whatever the server does. */
  look(): Promise<void>;
  /** Undefined where no server is connected. */
  leases(): Leases | undefined;
  close(): Promise<void>;
}

/** What is known of the connection, for `doctor`. */
export interface LinkState {
  readonly since: number;
  /** Why there is none. */
  readonly problem?: string;
}

export const linkId = (team: string): string => cellId('user', '', 'team.link', team);

const BATCH = 64;
/** So many cells are stored at once: events wait for no more. */
const CHUNK = 200;
/** Pushes of so long a time are stored together. */
const GATHER_MS = 25;
/** How often it asks whether the copy is whole; the copy is older by that at most while all is well. */
const CHECK_MS = 5_000;
const LONGEST_WAIT_MS = 30_000;

export function createSync(options: SyncOptions): Sync {
  const { team, store, server, now, soon, onFailure } = options;
  const copy = createCopy(team, store, now);
  const noteLink = createLinkNote(options);
  const pushed = createPushed(copy, (work) => soon(GATHER_MS, () => attempt(work)));
  const backoff = createBackoff(options.random, LONGEST_WAIT_MS);
  let isWatching = false;
  let isClosed = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let forgotten: string[] = [];
  let underway: Promise<void> | undefined;

  function attempt(work: () => void): void {
    if (isClosed) return;
    try {
      work();
    } catch (error) {
      onFailure('keeping the state of the team', error);
      pushed.lose();
    }
  }

  async function connect(): Promise<void> {
    pushed.begin();
    copy.dropDamaged();
    await server.watch(pushed.add, () => {
      isWatching = false;
      pushed.lose();
    });
    isWatching = true;
  }

  async function drain(): Promise<void> {
    for (let waiting = copy.waiting(); waiting.length > 0; waiting = copy.waiting())
      for (let at = 0; at < waiting.length; at += BATCH) await send(waiting.slice(at, at + BATCH));
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    await store.stored();
    if (forgotten.length > 0) await server.forget(forgotten);
    forgotten = [];
    const at = now();
    const verdicts = await server.commit(
      batch.map(({ entry: { delivery, reads, changes } }) => ({
        ...{ delivery, changes, now: at, isLate: true },
        reads: new Map(reads.map(([id, value]) => [id, value ?? undefined])),
      })),
    );
    const refused = batch.filter((_, nth) => verdicts[nth] !== true);
    const ids = idsOf(refused);
    const cells = ids.length > 0 ? await server.read(ids) : [];
    // What was pushed before the server answered is older than the answer.
    pushed.flush();
    const deliveries = batch.map(({ entry }) => entry.delivery);
    if (cells.length === 0) copy.drop(batch);
    else copy.take(cells, new Set(deliveries));
    await store.stored();
    forgotten.push(...deliveries);
  }

  async function readAll(): Promise<void> {
    const newest = await server.newest();
    const cells: ServerCell[] = await server.list(copy.prefix);
    const found = new Set(cells.map(({ id }) => id));
    for (const { id } of store.list(copy.prefix, now()))
      if (!found.has(id)) cells.push({ id, value: undefined, expires: 0 });
    for (let at = 0; at < cells.length; at += CHUNK) {
      copy.take(cells.slice(at, at + CHUNK), new Set());
      await nextTurn();
    }
    pushed.goOnFrom(newest);
  }

  /** All that was pushed before the answer has arrived before it. */
  async function check(): Promise<void> {
    if (pushed.last() !== undefined && now() - checkedAt < CHECK_MS) return;
    if (pushed.last() === undefined) await readAll();
    const at = now();
    const newest = await server.newest();
    pushed.flush();
    if (newest !== pushed.last()) return pushed.lose();
    checkedAt = at;
    const seen = { op: 'set', id: seenId(team), value: String(at), expires: 0 } as const;
    store.commit({ reads: new Map(), changes: [seen], now: at, fromTeam: true });
  }

  async function step(): Promise<void> {
    if (isClosed || (!isWatching && !backoff.isDue(now()))) return;
    try {
      if (!isWatching) await connect();
      await drain();
      await check();
      backoff.ok();
      attempt(() => noteLink(undefined));
    } catch (error) {
      if (isClosed) return;
      pushed.lose();
      backoff.fail(now());
      attempt(() => noteLink(error instanceof Error ? error.message : String(error)));
      // A connection that fails once is not asked again.
      isWatching = false;
      await server.close();
    }
  }

  const look = (): Promise<void> =>
    (underway ??= step()
      .catch((error: unknown) => onFailure('keeping the state of the team', error))
      .finally(() => (underway = undefined)));

  return {
    look,
    leases: () => (isWatching ? server : undefined),
    async close() {
      isClosed = true;
      await server.close();
    },
  };
}

/** Writes what is known of the connection, where it changed. */
function createLinkNote({ team, store, now }: SyncOptions): (problem: string | undefined) => void {
  let told: string | undefined;
  return (problem) => {
    if (told === (problem ?? '')) return;
    const state: LinkState = { since: now(), ...(problem === undefined ? {} : { problem }) };
    const change = { op: 'set', id: linkId(team), value: JSON.stringify(state), expires: 0 } as const;
    store.commit({ reads: new Map(), changes: [change], now: now() });
    told = problem ?? '';
  };
}
