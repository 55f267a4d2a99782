import { sha1 } from '../../platform/hash.ts';
import type { RedisConnection } from '../../platform/redis.ts';
import type { StoredCell } from '../../state/store.ts';
import { COMMIT, FORGET, READ, RELEASE, TAKE } from './redis-scripts.ts';
import type { Push, ServerCell, TeamCommit, TeamServer } from './server.ts';

export interface RedisServerOptions {
  /** The team's name: all its keys carry it, so they lie on one node of a cluster. */
  readonly team: string;
  now(): number;
  /** Connects to the node that has the key, and may write. */
  connect(key: string): Promise<RedisConnection>;
}

/** For a machine that is away with a delivery whose answer it never got. */
const REMEMBERED_MS = 30 * 86_400_000;
/** A machine that lost power may have lost that it was told. */
const FORGOTTEN_MS = 600_000;
/** So many cells are read in one step: others wait for it. */
const PAGE = 200;
const NO_LINK = 'the server is not connected';

/** A team's state on Redis 7 or Valkey 8, over one connection. Without one every call but `watch` rejects at once. */
export function createRedisServer({ team, now, connect }: RedisServerOptions): TeamServer {
  const base = `{fairlead:${team}}`;
  let link: RedisConnection | undefined;

  async function run(script: string, ...args: readonly string[]): Promise<unknown> {
    if (!link) throw new Error(NO_LINK);
    const rest = ['1', base, ...args];
    try {
      return await link.send(['EVALSHA', sha1(script), ...rest]);
    } catch (error) {
      if (!String(error).includes('NOSCRIPT') || !link) throw leaving(error);
    }
    return link.send(['EVAL', script, ...rest]).catch((error: unknown) => {
      throw leaving(error);
    });
  }

  /** A server that may not write any more is the wrong one from now on. */
  function leaving(error: unknown): unknown {
    if (/\b(MOVED|READONLY|CLUSTERDOWN|MASTERDOWN|LOADING)\b/.test(String(error))) link?.end();
    return error;
  }

  const expiresAt = (left: number) => (left > 0 ? now() + left : 0);

  async function read(ids: readonly string[]): Promise<ServerCell[]> {
    const cells: ServerCell[] = [];
    for (let at = 0; at < ids.length; at += PAGE) {
      const page = ids.slice(at, at + PAGE);
      const found = (await run(READ, JSON.stringify(page))) as (string | number | null)[];
      page.forEach((id, nth) => {
        const value = found[nth * 2];
        const isThere = typeof value === 'string';
        cells.push({ id, value: isThere ? value : undefined, expires: expiresAt(Number(found[nth * 2 + 1])) });
      });
    }
    return cells;
  }

  async function idsOf(prefix: string): Promise<string[]> {
    const ids = new Set<string>();
    let cursor = '0';
    do {
      if (!link) throw new Error(NO_LINK);
      const [next, found] = (await link.send(['SSCAN', `${base}:ids`, cursor, 'COUNT', '500'])) as [string, string[]];
      for (const id of found) if (id.startsWith(prefix)) ids.add(id);
      cursor = next;
    } while (cursor !== '0');
    return [...ids].sort();
  }

  return {
    read,
    async list(prefix) {
      const cells = await read(await idsOf(prefix));
      const updated = now();
      return cells.flatMap(({ id, value, expires }): StoredCell[] =>
        value === undefined ? [] : [{ id, value, expires, updated }],
      );
    },
    async commit(commits) {
      const verdicts = await run(COMMIT, JSON.stringify(commits.map(encodeCommit)), String(REMEMBERED_MS));
      return (verdicts as number[]).map((verdict) => verdict === 1);
    },
    async forget(deliveries) {
      await run(FORGET, JSON.stringify(deliveries), String(FORGOTTEN_MS));
    },
    async newest() {
      if (!link) throw new Error(NO_LINK);
      return Number((await link.send(['GET', `${base}:n`])) ?? 0);
    },
    async takeLease(name, holder, ttlMs) {
      const asked = now();
      const [taken, fence, held, left] = (await run(TAKE, name, holder, String(Math.ceil(ttlMs)))) as [
        number,
        string,
        string,
        number,
      ];
      return taken === 1
        ? { taken: true, fence: Number(fence), until: asked + left }
        : { taken: false, holder: held, until: now() + left };
    },
    releaseLease: async (name, holder) => (await run(RELEASE, name, holder)) === 1,
    async watch(onPush, onGap) {
      link?.end();
      const opened = await connect(base);
      link = opened;
      opened.onEnd((problem) => {
        if (link === opened) link = undefined;
        onGap(problem);
      });
      await opened.subscribe(`${base}:pushed`, (message) => {
        const push = decodePush(message, expiresAt);
        if (push) onPush(push);
        else opened.end();
      });
    },
    async close() {
      link?.end();
      link = undefined;
    },
  };
}

/** Time left, as the scripts take it: 0 for ever, less when it is over. */
function leftOf(expires: number, now: number): number {
  if (expires === 0) return 0;
  return expires > now ? Math.ceil(expires - now) : -1;
}

function encodeCommit({ delivery, reads, changes, now, isLate = false }: TeamCommit): unknown {
  return [
    delivery,
    [...reads].map(([id, value]) => [id, value ?? null]),
    changes.map((change) => {
      if (change.op === 'delete') return [change.op, change.id];
      return [change.op, change.id, change.op === 'set' ? change.value : change.by, leftOf(change.expires, now)];
    }),
    isLate,
  ];
}

/** Undefined for what nobody of ours has pushed. */
function decodePush(message: string, expiresAt: (left: number) => number): Push | undefined {
  try {
    const [number, before, delivery, cells] = JSON.parse(message) as [
      string,
      string,
      string,
      [string, string | null, number][],
    ];
    return {
      number: Number(number),
      before: Number(before),
      delivery,
      cells: cells.map(([id, value, left]) => ({ id, value: value ?? undefined, expires: expiresAt(left) })),
    };
  } catch {
    return undefined;
  }
}
