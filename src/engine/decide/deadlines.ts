/** Work that waits for its time, by how long it waits. */
const waiting = new Map<number, Deadlines>();

/** Runs the work after so many milliseconds, or up to a sixteenth later, unless what it returns is called before. */
export function startDeadline(ms: number, work: () => void): () => void {
  let deadlines = waiting.get(ms);
  if (!deadlines) waiting.set(ms, (deadlines = new Deadlines(ms)));
  return deadlines.start(work);
}

const PARTS = 16;

/**
 * Deadlines of one length. Nearly all of them are called off within a millisecond, and a timer that is made and taken away
 * each time costs more than most rules: here one goes on from part to part for as long as anybody waits, and once more.
 */
class Deadlines {
  readonly #partMs: number;
  readonly #parts: number;
  /** What waits, with the part at whose end its time is over, the earliest first. */
  readonly #works = new Map<() => void, number>();
  #part = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    // In whole milliseconds, as timers count.
    this.#partMs = Math.max(1, Math.floor(ms / PARTS));
    this.#parts = Math.ceil(ms / this.#partMs);
  }

  start(work: () => void): () => void {
    // Each has its own name, also if the same work is given twice.
    const own = () => work();
    // The part that has begun does not count.
    this.#works.set(own, this.#part + this.#parts + (this.#timer ? 1 : 0));
    if (!this.#timer) this.#wait();
    else if (this.#works.size === 1) this.#timer.ref?.();
    return () => {
      // With nothing to wait for, no process is kept for it.
      if (this.#works.delete(own) && this.#works.size === 0) this.#timer?.unref?.();
    };
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#look(), this.#partMs);
  }

  /** One that throws keeps no other from its turn. */
  #look(): void {
    this.#timer = undefined;
    this.#part += 1;
    for (const [work, until] of this.#works) {
      if (until > this.#part) return this.#wait();
      this.#works.delete(work);
      void Promise.resolve().then(work);
    }
  }
}
