import type { Leases } from '../team/state/server.ts';
import type { TeamStateSettings } from '../team/state/settings.ts';
import type { OpenSyncOptions } from '../team/state/open-sync.ts';
import type { Sync } from '../team/state/sync.ts';

export interface TeamFollowerOptions extends OpenSyncOptions {
  /** As they are now. */
  settings(): Promise<TeamStateSettings | undefined>;
  isOff(now: number): boolean;
}

/** Keeps the copy of a team's state in step, for a process that stays. Where no team is named, nothing that could is loaded. */
export interface TeamFollower {
  see(): void;
  /** Called again and again; does what is due. */
  look(): Promise<void>;
  /** Undefined where no server is connected: then nobody waits for one. */
  leases(): Leases | undefined;
  close(): void;
}

/** What events of so long a time changed is sent together. */
const GATHER_MS = 20;

export function createTeamFollower(options: TeamFollowerOptions): TeamFollower {
  const { soon, now, onFailure } = options;
  let current: { readonly key: string; readonly sync: Sync } | undefined;
  let isDue = false;
  let isClosed = false;
  let isUsed = false;

  async function syncNow(): Promise<Sync | undefined> {
    const settings = options.isOff(now()) ? undefined : await options.settings();
    const key = JSON.stringify(settings);
    if (current && current.key !== key) {
      void current.sync.close();
      current = undefined;
    }
    isUsed = settings !== undefined;
    if (!settings || isClosed) return undefined;
    const { openSync } = await import('../team/state/open-sync.ts');
    current ??= { key, sync: openSync(settings, options) };
    return current.sync;
  }

  async function look(): Promise<void> {
    try {
      await (await syncNow())?.look();
    } catch (error) {
      onFailure('keeping the state of the team', error);
    }
  }

  return {
    look,
    see() {
      if (!isUsed || isDue) return;
      isDue = true;
      soon(GATHER_MS, () => {
        isDue = false;
        void look();
      });
    },
    leases: () => current?.sync.leases(),
    close() {
      isClosed = true;
      void current?.sync.close();
    },
  };
}
