import { createMemoryStore } from '../../state/memory.ts';
import type { Cells } from '../../state/contract.ts';
import type { Taken } from '../../event/lease.ts';
import type { Push, TeamServer } from './server.ts';

/** A server in this process, for tests of what is beside it. */
export interface MemoryServer extends TeamServer {
  /** Ends all connections, and has every call fail until it is back. */
  leave(): void;
  comeBack(): void;
}

export function createMemoryServer(now: () => number): MemoryServer {
  const store = createMemoryStore();
  const leases = new Map<string, { holder: string; fence: number; until: number }>();
  const deliveries = new Map<string, boolean>();
  const watchers = new Set<{ onPush(push: Push): void; onGap(problem: string): void }>();
  let number = 0;
  let fences = 0;
  let isAway = false;
  const answer = async <T>(work: () => T): Promise<T> => {
    await Promise.resolve();
    if (isAway) throw new Error('the server is away');
    return work();
  };
  const cellOf = (id: string) => {
    const cell = store.list(id, now()).find((each) => each.id === id);
    return { id, value: cell?.value, expires: cell?.expires ?? 0 };
  };
  const held = (name: string) => {
    const lease = leases.get(name);
    return lease && lease.until > now() ? lease : undefined;
  };

  return {
    read: (ids) => answer(() => ids.map(cellOf)),
    list: (prefix) => answer(() => store.list(prefix, now())),
    commit: (commits) =>
      answer(() =>
        commits.map(({ delivery, reads, changes, now: theirs, isLate }) => {
          const known = deliveries.get(delivery);
          if (known !== undefined) return known;
          const ours = changes.map((change) =>
            'expires' in change && change.expires !== 0
              ? { ...change, expires: change.expires - theirs + now() }
              : change,
          );
          const isTaken = store.commit({ reads, changes: ours, now: now() });
          const adds = isLate && !isTaken ? ours.filter(({ op }) => op === 'add') : [];
          if (adds.length > 0) store.commit({ reads: new Map(), changes: adds, now: now() });
          deliveries.set(delivery, isTaken);
          const ids = new Set((isTaken ? ours : adds).map(({ id }) => id));
          const push = { number: number + 1, before: number, delivery, cells: [...ids].map(cellOf) };
          if (ids.size > 0) {
            number += 1;
            for (const { onPush } of watchers) onPush(push);
          }
          return isTaken;
        }),
      ),
    forget: (ids) => answer(() => ids.forEach((id) => deliveries.delete(id))),
    newest: () => answer(() => number),
    takeLease: (name, holder, ttlMs) =>
      answer((): Taken => {
        const lease = held(name);
        if (lease && lease.holder !== holder) return { taken: false, holder: lease.holder, until: lease.until };
        const taken = { holder, fence: lease?.fence ?? ++fences, until: now() + ttlMs };
        leases.set(name, taken);
        return { taken: true, fence: taken.fence, until: taken.until };
      }),
    releaseLease: (name, holder) => answer(() => held(name)?.holder === holder && leases.delete(name)),
    watch: (onPush, onGap) => answer(() => void watchers.add({ onPush, onGap })),
    leave() {
      isAway = true;
      for (const { onGap } of watchers) onGap('the server is away');
      watchers.clear();
    },
    comeBack() {
      isAway = false;
    },
    close: async () => watchers.clear(),
  };
}

/** The clock of a server. */
export interface ServerClock {
  /** A unit of the suite's time, in milliseconds. */
  readonly unitMs: number;
  /** The machine's. */
  now(): number;
  advance(ms: number): void | Promise<void>;
}

const START = 1_800_000_000_000;

/** A server as the suite of stores asks for it: the suite's time passes on the server's clock. */
export function cellsOf(server: TeamServer, { unitMs, now, advance }: ServerClock): Cells {
  let at = START;
  let deliveries = 0;
  const pass = async (to: number) => {
    if (to > at) await advance((to - at) * unitMs);
    at = Math.max(at, to);
  };
  return {
    async get(id, time) {
      await pass(time);
      return (await server.read([id]))[0]?.value;
    },
    async commit({ reads, changes, now: time }) {
      await pass(time);
      const scaled = changes.map((change) =>
        'expires' in change && change.expires !== 0
          ? { ...change, expires: time + (change.expires - time) * unitMs }
          : change,
      );
      const [done] = await server.commit([{ delivery: `d${++deliveries}`, reads, changes: scaled, now: time }]);
      return done === true;
    },
    async list(prefix, time) {
      await pass(time);
      const listed = await server.list(prefix);
      return listed.map(({ id, value, expires }) => ({
        ...{ id, value },
        expires: expires === 0 ? 0 : at + Math.ceil((expires - now()) / unitMs),
      }));
    },
  };
}
