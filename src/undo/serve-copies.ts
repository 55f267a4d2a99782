import { nodeEntries } from '../platform/entries.ts';
import { nodeFiles } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { systemClock } from '../platform/clock.ts';
import { feedGit } from '../platform/run-git.ts';
import { join } from '../platform/paths.ts';
import type { Environment } from '../platform/paths.ts';
import type { KeepResult } from '../event/keeping.ts';
import { keep } from './keep.ts';
import type { KeepRequest } from './keeper.ts';
import { prune } from './prune.ts';
import type { StoreLimits } from './prune.ts';
import { openStore } from './store.ts';
import type { Store } from './store.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';

/** Whose copies, and where they lie. */
export interface CopiesHome {
  readonly state: string;
  readonly userHome: string;
  readonly env: Environment;
}

const MOST_BYTES = 1 << 20;
const LIMIT_MS = 10_000;

/** This process stays until git has answered: it has nothing else to do. */
const git: UndoWorld['git'] = (dir, args, limitMs = LIMIT_MS) => feedGit(dir, args, { limitMs, maxBytes: MOST_BYTES });

/** What cannot be looked at may be lost: only what is known not to be there counts as missing. */
const strictFiles: Files = {
  ...nodeFiles,
  lstat(path) {
    if (!nodeEntries.look(path)) return undefined;
    const found = nodeFiles.lstat(path);
    if (!found) throw new Unkept(WHY_NOT.unreadable);
    return found;
  },
  list(dir, max) {
    const names = nodeEntries.look(dir)?.kind === 'dir' ? nodeEntries.names(dir) : nodeFiles.list(dir);
    return max === undefined ? names : names.slice(0, max);
  },
};

export function worldOf({ userHome, env }: CopiesHome): UndoWorld {
  return { files: strictFiles, entries: nodeEntries, git, feed: feedGit, now: systemClock.now, userHome, env };
}

export function storeIn(state: string, world: UndoWorld): Store {
  return openStore(join(state, 'undo'), world);
}

/** What copies, in this thread. */
export interface Copier {
  keep(request: KeepRequest): Promise<KeepResult>;
  prune(limits: StoreLimits): void;
}

export function openCopier(home: CopiesHome): Copier {
  const world = worldOf(home);
  const store = storeIn(home.state, world);
  return {
    keep: (request) => keep(store, world, request),
    prune: (limits) => prune(store, limits, world.now()),
  };
}

/** What goes to the thread that copies, and what comes back. */
export type ToCopier =
  | { readonly home: CopiesHome }
  | { readonly id: number; readonly request: KeepRequest }
  | { readonly limits: StoreLimits };
export interface FromCopier {
  readonly id: number;
  readonly result: KeepResult;
}

/** The other side of a thread: takes messages, and tells results. */
export function serveCopies(tell: (message: FromCopier) => void): (message: ToCopier) => void {
  let copier: Copier | undefined;
  return (message) => {
    if ('home' in message) copier = openCopier(message.home);
    else if ('limits' in message) copier?.prune(message.limits);
    else void copier?.keep(message.request).then((result) => tell({ id: message.id, result }));
  };
}
