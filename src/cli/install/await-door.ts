import { pause } from '../../platform/timers.ts';
import { askDaemon, askStatus } from '../../transport/ask-daemon.ts';
import { socketOf } from '../../transport/meeting-place.ts';
import type { CliWorld } from '../command.ts';

const DOOR_MS = 5_000;
const LOOK_AGAIN_MS = 50;
const RECHECK_MS = 1_000;

/**
 * Waits until an engine that runs takes posts at this port, so that no settings lead to a closed door; returns what keeps it
 * from that. One that is started later opens the door first.
 */
export async function awaitDoor({ paths }: Pick<CliWorld, 'paths'>, port: number): Promise<string | undefined> {
  const socket = socketOf(paths);
  const end = performance.now() + DOOR_MS;
  for (;;) {
    await askDaemon(socket, { verb: 'recheck', state: paths.state }, RECHECK_MS);
    const status = await askStatus(socket, paths.state);
    if (!status) return undefined;
    if (status.http?.port === port) return status.http.problem;
    if (performance.now() > end)
      return `the engine (process ${status.pid}) does not listen at port ${port} yet; \`fairlead daemon status\` says when it does`;
    await pause(LOOK_AGAIN_MS);
  }
}
