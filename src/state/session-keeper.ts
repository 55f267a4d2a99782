import type { Event } from '../event/event.ts';
import type { Aside } from '../event/follow-up.ts';
import { pruneSessions } from './prune.ts';
import type { Kept } from './prune.ts';
import { appendToLog } from './session-log.ts';

/** Does what rules ask for about sessions once their event is answered: a line of the stats log, and forgetting old ones. */
export interface SessionKeeper {
  see(seen: { readonly event: Event; readonly asides: readonly Aside[] }): void;
  /** Does at once what is left. */
  settle(): void;
}

export interface SessionKeeperOptions extends Kept {
  now(): number;
  /** For a prune that names no number of days of its own. */
  usualDays(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
  /** For a process that stays: runs work when the replies at hand are out. Without it `settle` does the work. */
  afterReply?(work: () => void): void;
}

export function createSessionKeeper(options: SessionKeeperOptions): SessionKeeper {
  const { files, state, now, onFailure, afterReply } = options;
  let waiting: (() => void)[] = [];

  function settle(): void {
    const due = waiting;
    waiting = [];
    if (due.length > 0 && !options.isOff(now())) for (const work of due) work();
  }

  function later(what: string, work: () => void): void {
    if (waiting.length === 0) afterReply?.(settle);
    waiting.push(() => {
      try {
        work();
      } catch (error) {
        onFailure(what, error);
      }
    });
  }

  return {
    see({ event, asides }) {
      for (const aside of asides)
        if (aside.kind === 'stats') {
          const ts = new Date(event.receivedAt).toISOString();
          later('writing the stats of a session', () =>
            appendToLog(files, state, aside.session, { ts, ...aside.line }),
          );
        } else if (aside.kind === 'prune') {
          const days = aside.days !== undefined && aside.days > 0 ? aside.days : options.usualDays();
          later('removing old state', () => void pruneSessions(options, days, now()));
        }
    },
    settle,
  };
}
