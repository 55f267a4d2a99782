import type { Event } from '../event/event.ts';

/** A session that is not heard of any more, and whose agent cannot be looked for, counts as over after this long. */
const FORGOTTEN_MS = 12 * 3_600_000;
/** More sessions than any person has open; the longest silent is dropped first. */
const MAX_SESSIONS = 5_000;

interface Seen {
  pid: number | undefined;
  at: number;
}

export interface Presence {
  saw(event: Pick<Event, 'session' | 'hasSession' | 'name' | 'agentPid' | 'receivedAt'>): void;
  /** Sessions that have not ended, as far as can be told. */
  open(now: number): number;
}

/** Who is there: the daemon stays as long as a session may come back to it. */
export function createPresence(isAlive: (pid: number) => boolean): Presence {
  const sessions = new Map<string, Seen>();

  function longestSilent(): string {
    let [found, since] = ['', Number.POSITIVE_INFINITY];
    for (const [session, { at }] of sessions) if (at < since) [found, since] = [session, at];
    return found;
  }

  return {
    saw({ session, hasSession, name, agentPid, receivedAt }) {
      if (!hasSession) return;
      const known = sessions.get(session);
      if (name === 'session.end') sessions.delete(session);
      else if (known) {
        known.pid = agentPid ?? known.pid;
        known.at = receivedAt;
      } else {
        if (sessions.size >= MAX_SESSIONS) sessions.delete(longestSilent());
        sessions.set(session, { pid: agentPid, at: receivedAt });
      }
    },
    open(now) {
      for (const [session, { pid, at }] of sessions) {
        const gone = pid === undefined ? now - at > FORGOTTEN_MS : !isAlive(pid);
        if (gone) sessions.delete(session);
      }
      return sessions.size;
    },
  };
}
