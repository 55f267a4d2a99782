/** Before the next look at what has arrived, one event of each session is decided, and no fewer than so many in all. */
export const AT_ONCE = 4;

export interface Turns {
  isWaiting(session: string): boolean;
  /** Resolves when the session's next event is to be decided. */
  wait(session: string): Promise<void>;
}

/**
 * Of the events that are at hand one of each session is decided in turn: a session that sends hundreds at once waits for
 * itself. Those of one session keep their order.
 */
export function createTurns(afterThis: (work: () => void) => void): Turns {
  /** Sessions in the order in which they are served. */
  const waiting = new Map<string, (() => void)[]>();
  let isDue = false;

  function serve(): void {
    isDue = false;
    for (let left = Math.max(AT_ONCE, waiting.size); left > 0; left -= 1) {
      const [next] = waiting;
      if (!next) return;
      const [session, queue] = next;
      const begin = queue.shift();
      waiting.delete(session);
      if (queue.length > 0) waiting.set(session, queue);
      begin?.();
    }
    // Behind what these events do at once, so that their commits are stored before others begin.
    if (waiting.size > 0) void Promise.resolve().then(serveSoon);
  }

  function serveSoon(): void {
    if (isDue) return;
    isDue = true;
    afterThis(serve);
  }

  return {
    isWaiting: (session) => waiting.has(session),
    wait(session) {
      serveSoon();
      return new Promise((resolve) => {
        const others = waiting.get(session);
        if (others) others.push(resolve);
        else waiting.set(session, [resolve]);
      });
    },
  };
}
