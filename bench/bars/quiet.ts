import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface Spent {
  /** Seconds of processor time of the whole machine, and of this process with all that it has waited for. */
  readonly all: number;
  readonly own: number;
  readonly at: number;
}

function spent(): Spent | undefined {
  try {
    const [, user = 0, nice = 0, system = 0, , , , , stolen = 0] = (
      readFileSync('/proc/stat', 'latin1').split('\n')[0] ?? ''
    )
      .split(/\s+/)
      .map(Number);
    const fields = (readFileSync('/proc/self/stat', 'latin1').split(') ')[1] ?? '').split(' ').map(Number);
    const own = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return {
      all: (user + nice + system + stolen) / TICKS_PER_SECOND,
      own: own / TICKS_PER_SECOND,
      at: performance.now() / 1_000,
    };
  } catch {
    return undefined;
  }
}

/**
 * Says at the end what share of one processor others took since: all that ran less what this process and its children took. A process
 * that a benchmark let go of counts as another.
 */
export function watchOthers(): () => number | null {
  const before = spent();
  return () => {
    const after = spent();
    if (!before || !after) return null;
    const others = after.all - before.all - (after.own - before.own);
    return Math.round(Math.max(0, others / (after.at - before.at)) * 1_000) / 1_000;
  };
}
