import type { Event } from '../event/event.ts';
import type { FollowUp } from '../event/follow-up.ts';
import { pruneSessions } from './prune.ts';
import type { Kept } from './prune.ts';
import { appendToLog } from './session-log.ts';

/** Does what rules ask for about sessions once their event is answered: a line of the stats log, and forgetting old ones. */
export interface SessionKeeper {
  see(seen: { readonly event: Event; readonly followUps: readonly FollowUp[] }): void;
  /** Does at once what is left. */
  flush(): void;
}

export interface SessionKeeperOptions extends Kept {
  now(): number;
  /** For a prune that names no number of days of its own. */
  usualDays(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
  /** For a process that stays: runs work when the replies at hand are out. Without it `flush` does the work. */
  afterReply?(work: () => void): void;
}

export function createSessionKeeper(options: SessionKeeperOptions): SessionKeeper {
  const { files, state, now, onFailure, afterReply } = options;
  let waiting: (() => void)[] = [];

  function flush(): void {
    const due = waiting;
    waiting = [];
    if (due.length > 0 && !options.isOff(now())) for (const work of due) work();
  }

  function later(what: string, work: () => void): void {
    if (waiting.length === 0) afterReply?.(flush);
    waiting.push(() => {
      try {
        work();
      } catch (error) {
        onFailure(what, error);
      }
    });
  }

  return {
    see({ event, followUps }) {
      for (const followUp of followUps)
        if (followUp.kind === 'stats') {
          const ts = new Date(event.receivedAt).toISOString();
          later('writing the stats of a session', () =>
            appendToLog(files, state, followUp.session, { ts, ...followUp.line }),
          );
        } else if (followUp.kind === 'prune') {
          const days = followUp.days !== undefined && followUp.days > 0 ? followUp.days : options.usualDays();
          later('removing old state', () => void pruneSessions(options, days, now()));
        }
    },
    flush,
  };
}
