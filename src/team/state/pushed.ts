import type { Copy } from './copy.ts';
import type { Push } from './server.ts';

/** What the server pushes, on its way into the copy. */
export interface Pushed {
  /** For a new connection: what comes is kept until it is known from where to go on. */
  begin(): void;
  add(push: Push): void;
  /** Stores what has come. */
  flush(): void;
  /** The copy has all up to this number. */
  goOnFrom(number: number): void;
  /** The number of the newest commit that the copy has; undefined while it may lack some. */
  last(): number | undefined;
  lose(): void;
}

/** `gather` calls back after a moment: what comes meanwhile is stored together. */
export function createPushed(copy: Copy, gather: (work: () => void) => void): Pushed {
  let last: number | undefined;
  let pushes: Push[] = [];
  let isDue = false;

  function flush(): void {
    isDue = false;
    if (last === undefined) return;
    const fresh = pushes.filter(({ number }) => number > (last ?? 0));
    pushes = [];
    for (const { before, number } of fresh) {
      if (before !== last) {
        last = undefined;
        return;
      }
      last = number;
    }
    if (fresh.length === 0) return;
    const newest = new Map(fresh.flatMap(({ cells }) => cells.map((cell) => [cell.id, cell])));
    copy.take([...newest.values()], new Set(fresh.map(({ delivery }) => delivery)));
  }

  return {
    flush,
    begin() {
      pushes = [];
      last = undefined;
    },
    add(push) {
      pushes.push(push);
      if (isDue) return;
      isDue = true;
      gather(flush);
    },
    goOnFrom(number) {
      last = number;
      flush();
    },
    last: () => last,
    lose() {
      last = undefined;
    },
  };
}
