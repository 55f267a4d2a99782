import { connectRedis } from '../../platform/redis.ts';
import type { RedisAddress, RedisConnection, RedisOptions } from '../../platform/redis.ts';

/** A move leads to the right node at once; two, while a cluster changes. */
const MOST_MOVES = 4;

/**
 * Finds the node that has a key and may write: the one that was right last time, then each address, and where a cluster
 * says the key lies. A replica is passed over, so with the addresses of all of them one that is promoted is found.
 */
export function createNodeFinder(addresses: readonly RedisAddress[], options: () => RedisOptions) {
  let last: RedisAddress | undefined;
  return async function connect(key: string): Promise<RedisConnection> {
    let problem = 'no address';
    for (const address of last ? [last, ...addresses] : addresses) {
      const tried = await tryNode(address, key, options());
      if ('problem' in tried) {
        problem = tried.problem;
        continue;
      }
      last = tried.address;
      return tried.connection;
    }
    throw new Error(problem);
  };
}

type Tried = { readonly connection: RedisConnection; readonly address: RedisAddress } | { readonly problem: string };

async function tryNode(first: RedisAddress, key: string, options: RedisOptions): Promise<Tried> {
  let address = first;
  for (let moves = 0; moves <= MOST_MOVES; moves += 1) {
    let connection: RedisConnection | undefined;
    try {
      connection = await connectRedis(address, options);
      await connection.send(['EXISTS', key]);
      const role = await roleOf(connection);
      if (role === 'master') return { connection, address };
      connection.end();
      return { problem: `${address.host}:${address.port} is a ${role}` };
    } catch (error) {
      connection?.end();
      const message = error instanceof Error ? error.message : String(error);
      const moved = /^MOVED \d+ (.*):(\d+)$/.exec(message);
      if (!moved) return { problem: message };
      address = { host: moved[1] || address.host, port: Number(moved[2]) };
    }
  }
  return { problem: 'the cluster sends from node to node' };
}

/** A server that keeps it to itself is taken at its word when it refuses to write. */
async function roleOf(connection: RedisConnection): Promise<string> {
  try {
    const [role] = (await connection.send(['ROLE'])) as [string];
    return role;
  } catch (error) {
    if (String(error).includes('NOPERM')) return 'master';
    throw error;
  }
}
