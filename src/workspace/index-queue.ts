import type { PlaceReason, Seen } from '../engine/engine.ts';
import { GRAPH_PACK } from '../event/known-packs.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** A workspace that a process for one event was in. It indexes nothing itself and queues the root for the daemon. */
export interface QueuedRoot {
  readonly root: string;
  readonly reason: PlaceReason;
}

/** Where no daemon drains the queue, it does not grow without end. */
const MAX_BYTES = 64 * 1024;

export interface RootQueue {
  see(seen: Pick<Seen, 'event' | 'place' | 'silenced'>): void;
  /** Queues the root that was seen, if code is wanted indexed there. */
  flush(): void;
}

/** The end of the queue in a process for one event. */
export function createRootQueue(
  files: Files,
  run: string,
  onFailure: (what: string, error: unknown) => void,
): RootQueue {
  let seen: QueuedRoot | undefined;
  return {
    see({ event, place, silenced }) {
      const { policy, workspace } = place;
      if (policy.graph === undefined || silenced.includes(GRAPH_PACK)) return;
      if (workspace.markerBacked && event.name !== 'session.end') seen = place;
    },
    flush() {
      const root = seen;
      seen = undefined;
      try {
        if (root) queueRoot(files, run, root);
      } catch (error) {
        onFailure('leaving word of a workspace', error);
      }
    },
  };
}

/** Without the directory `run` there is no daemon, and nothing is queued. */
export function queueRoot(
  files: Pick<Files, 'stat' | 'append' | 'exists'>,
  run: string,
  { root, reason }: QueuedRoot,
): void {
  if (!files.exists(run)) return;
  const path = fileIn(run);
  if ((files.stat(path)?.size ?? 0) < MAX_BYTES) files.append(path, `${JSON.stringify({ root, reason })}\n`);
}

/** What was queued since the last time, each root once, as it was queued first. */
export function drainRoots(files: Pick<Files, 'exists' | 'readText' | 'remove'>, run: string): readonly QueuedRoot[] {
  const path = fileIn(run);
  if (!files.exists(path)) return [];
  const text = files.readText(path) ?? '';
  files.remove(path);
  const queued = new Map<string, QueuedRoot>();
  for (const line of text.split('\n')) {
    const found = readLine(line);
    if (found && !queued.has(found.root)) queued.set(found.root, found);
  }
  return [...queued.values()];
}

function readLine(line: string): QueuedRoot | undefined {
  try {
    const { root, reason } = JSON.parse(line) as Partial<QueuedRoot>;
    return typeof root === 'string' && typeof reason === 'string' ? { root, reason } : undefined;
  } catch {
    // The last line, of a process that was killed at it.
    return undefined;
  }
}

function fileIn(run: string): string {
  return join(run, 'roots');
}
