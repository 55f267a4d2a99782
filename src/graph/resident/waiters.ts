/** Who waits for a file to be read again, each for so long and no longer. */
export interface Waiters {
  wait(path: string, ms: number): Promise<void>;
  /** Those whose file there is nothing to wait for any more go on. */
  release(isDone: (path: string) => boolean): void;
}

export function createWaiters(soon: (ms: number, work: () => void) => void): Waiters {
  const waiting = new Map<() => void, string>();
  return {
    wait: (path, ms) =>
      new Promise((resolve) => {
        const go = () => {
          waiting.delete(go);
          resolve();
        };
        waiting.set(go, path);
        soon(ms, go);
      }),
    release(isDone) {
      for (const [go, path] of waiting) if (isDone(path)) go();
    },
  };
}
