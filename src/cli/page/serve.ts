import { setPriority } from 'node:os';
import { newestRow } from '../../ledger/read.ts';
import { nodeFiles } from '../../platform/files.ts';
import { listenHttp } from '../../platform/http-listener.ts';
import { readPageFiles } from '../../platform/page-files.ts';
import { join } from '../../platform/paths.ts';
import type { HomePaths } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { databaseOf } from '../database.ts';
import { createDoor } from './door.ts';
import { createLive } from './live.ts';
import { servePage } from './server.ts';
import { createViews } from './views.ts';

/** How long the first tab may take to come, and how long after the last one is closed another may: a reload closes it, too. */
const FIRST_MS = 120_000;
const AFTER_MS = 10_000;
const FILE_MODE = 0o600;

/** What a page process says about itself, for the verb alone: whoever can read it is let in. */
export interface Served {
  readonly pid: number;
  readonly port: number;
  readonly secret: string;
  readonly stamp: string;
  readonly project: string;
}

export function servedFile({ run }: Pick<HomePaths, 'run'>): string {
  return join(run, 'page.json');
}

/** Behind those who answer agents, where processors are few. */
const LOW_PRIORITY = 10;

/** Serves the page until the last tab is closed. */
export async function serve(world: CliWorld, wanted: number, stamp: string): Promise<void> {
  lowerPriority();
  const files = readPageFiles();
  const { now } = world.engine().clock;
  const about = servedFile(world.paths);
  let ending: NodeJS.Timeout | undefined;
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const endIn = (ms: number) => {
    clearTimeout(ending);
    ending = setTimeout(() => {
      if (live.count === 0) finish();
    }, ms);
  };
  const live = createLive(
    () => newestRow(databaseOf(world)),
    () => endIn(AFTER_MS),
  );
  const views = createViews(world);
  const listener = await listenHttp(wanted, (...request) => answer(...request));
  const door = createDoor(listener.port, now);
  const answer = servePage({ door, views, live, asset: (name) => files.get(name), now });
  const said: Served = { pid: process.pid, port: listener.port, secret: door.secret, stamp, project: world.cwd };
  nodeFiles.writeAtomic(about, `${JSON.stringify(said)}\n`, FILE_MODE);
  endIn(FIRST_MS);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => finish());
  await ended;
  if (nodeFiles.readText(about)?.includes(door.secret) === true) nodeFiles.remove(about);
  live.close();
  await listener.close();
}

function lowerPriority(): void {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Some systems do not allow it; then it serves as any other process.
  }
}
