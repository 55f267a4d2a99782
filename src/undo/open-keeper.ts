import type { KeepResult } from '../event/keeping.ts';
import { startThread } from '../platform/thread.ts';
import type { Thread } from '../platform/thread.ts';
import { soon, within } from '../platform/timers.ts';
import type { Keeper } from './keeper.ts';
import { STORE_LIMITS } from './prune.ts';
import type { StoreLimits } from './prune.ts';
import type { Copier, CopiesHome, FromCopier, ToCopier } from './serve-copies.ts';
import { WHY_NOT } from './world.ts';

export interface KeeperOptions {
  /** The state directory, which the store lies in. */
  readonly state: string;
  /** The program of a thread that copies, for a process that answers others meanwhile; without one it copies here. */
  readonly copier?: string;
  readonly userHome: string;
  readonly env: CopiesHome['env'];
  /** How much is kept; asked for when a copy was made. */
  limits?(): StoreLimits;
}

const PRUNE_MS = 2_000;
/** A thread that does not even say that it is late. */
const MOST_LATE_MS = 2_000;

/** Opens nothing before the first request. */
export function openKeeper(options: KeeperOptions): Keeper {
  const { copier } = options;
  return copier === undefined ? openHere(options) : openThread(copier, options);
}

/** In this thread. What is over the limits goes when the keeper is closed, after the reply. */
function openHere({ limits = () => STORE_LIMITS, ...home }: KeeperOptions): Keeper {
  let copier: Copier | undefined;
  const open = async () => (copier ??= (await import('./serve-copies.ts')).openCopier(homeOf(home)));
  return {
    async warmUp() {
      await open();
    },
    keep: async (request) => (await open()).keep(request),
    close: () => copier?.prune(limits()),
  };
}

function homeOf({ state, userHome, env }: CopiesHome): CopiesHome {
  const { HOME, USERPROFILE, XDG_CONFIG_HOME, PATH } = env;
  return { state, userHome, env: { HOME, USERPROFILE, XDG_CONFIG_HOME, PATH } };
}

/** In a thread of its own, which begins with this process and stays; what failed is begun again with the next request. */
function openThread(copier: string, { limits = () => STORE_LIMITS, ...home }: KeeperOptions): Keeper {
  const waiting = new Map<number, (result: KeepResult) => void>();
  let thread: Thread<ToCopier> | undefined;
  let count = 0;
  const end = (): void => {
    thread?.end();
    thread = undefined;
    for (const settle of waiting.values()) settle({ unkept: WHY_NOT.ended });
    waiting.clear();
  };
  const start = (): Thread<ToCopier> | undefined => {
    const started = startThread<ToCopier, FromCopier>(copier, {
      onMessage({ id, result }) {
        waiting.get(id)?.(result);
        waiting.delete(id);
      },
      onEnd: () => thread === started && end(),
    });
    started?.post({ home: homeOf(home) });
    return started;
  };
  /** Nobody waits for what is over the limits to go: it goes when there is nothing else to do. */
  const rest = (): void => {
    const last = count;
    const isIdle = () => last === count && waiting.size === 0;
    soon(PRUNE_MS, () => isIdle() && thread?.post({ limits: limits() }));
  };
  return {
    async warmUp() {
      thread ??= start();
    },
    async keep(request) {
      const running = (thread ??= start());
      if (!running) return { unkept: WHY_NOT.gone };
      const id = (count += 1);
      const result = new Promise<KeepResult>((resolve) => waiting.set(id, resolve));
      // What it takes to start counts as little as the work for others that it is at.
      running.post({ id, request });
      return within<KeepResult, KeepResult>(request.budget.ms + MOST_LATE_MS, result, { unkept: WHY_NOT.late }).then(
        (found) => {
          waiting.delete(id);
          rest();
          return found;
        },
      );
    },
    close: end,
  };
}
