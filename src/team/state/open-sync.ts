import type { Files } from '../../platform/files.ts';
import { isAbsolute, join } from '../../platform/paths.ts';
import { readPrivateText } from '../../platform/private-text.ts';
import type { RedisOptions } from '../../platform/redis.ts';
import { createNodeFinder } from './redis-node.ts';
import { createRedisServer } from './redis-server.ts';
import type { TeamServer } from './server.ts';
import { readPlace, teamName } from './settings.ts';
import type { TeamPlace, TeamStateSettings } from './settings.ts';
import { createSync } from './sync.ts';
import type { Sync, SyncOptions } from './sync.ts';

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
