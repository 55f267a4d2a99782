import type { Files } from '../../platform/files.ts';
import { isAbsolute, join } from '../../platform/paths.ts';
import { readPrivateText } from '../../platform/private-text.ts';
import { connectRedis } from '../../platform/redis.ts';
import type { RedisOptions, RedisAddress, RedisConnection } from '../../platform/redis.ts';
import { createRedisServer } from './redis-server.ts';
import type { TeamServer } from './server.ts';
import { readPlace, teamName } from './settings.ts';
import type { TeamPlace, TeamStateSettings } from './settings.ts';
import { createSync } from './sync.ts';
import type { Sync, SyncOptions } from './sync.ts';

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

export interface OpenSyncOptions extends Omit<SyncOptions, 'team' | 'server'> {
  readonly files: Files;
  readonly userHome: string;
}

/** For a connection and for each answer. A server that takes longer counts as away. */
const DEADLINE_MS = 5_000;
const MOST_BYTES = 64 * 1024;

/** Keeps the copy in step with the server that the settings name. */
export function openSync(settings: TeamStateSettings, options: OpenSyncOptions): Sync {
  return createSync({ ...options, team: teamName(settings), server: openServer(settings, options) });
}

/** The server that the settings name; it is connected by `watch`. */
export function openServer(
  settings: TeamStateSettings,
  options: Pick<OpenSyncOptions, 'files' | 'userHome' | 'now'>,
): TeamServer {
  const place = readPlace(settings);
  if ('problem' in place) throw new Error(place.problem);
  const team = teamName(settings);
  // Read anew for each connection, so that a new password counts at once.
  const connect = createNodeFinder(place.addresses, () => connectionOptions(settings, place, options));
  return createRedisServer({ team, now: options.now, connect });
}

/** Throws what is wrong with the files that the settings name. */
export function connectionOptions(
  { user, passwordFile, ca }: TeamStateSettings,
  { isTls, database }: TeamPlace,
  { files, userHome }: Pick<OpenSyncOptions, 'files' | 'userHome'>,
): RedisOptions {
  const password = passwordFile === undefined ? undefined : readPrivateText(inHome(passwordFile, userHome), MOST_BYTES);
  if (password && 'problem' in password) throw new Error(password.problem);
  const trusted = ca === undefined ? undefined : files.readText(inHome(ca, userHome), MOST_BYTES);
  if (ca !== undefined && trusted === undefined) throw new Error(`${ca} cannot be read`);
  return {
    ...{ isTls, deadlineMs: DEADLINE_MS },
    ...(trusted !== undefined && { ca: trusted }),
    ...(user !== undefined && { username: user }),
    ...(password && { password: password.text.replace(/\r?\n$/, '') }),
    ...(database !== undefined && { database }),
  };
}

function inHome(path: string, userHome: string): string {
  const whole = path.startsWith('~/') ? join(userHome, path.slice(2)) : path;
  if (!isAbsolute(whole)) throw new Error(`${path} has to be absolute or begin with ~/`);
  return whole;
}
