/** Work that waits for its time, by how long it waits. */
const waiting = new Map<number, Deadlines>();

/** Runs the work after so many milliseconds, unless what it returns is called before. `now` counts milliseconds. */
export function startDeadline(ms: number, work: () => void, now: () => number): () => void {
  let deadlines = waiting.get(ms);
  if (!deadlines) waiting.set(ms, (deadlines = new Deadlines(ms)));
  return deadlines.start(work, now);
}

/**
 * Deadlines of one length. Nearly all of them are called off within a millisecond, and a timer that is made and taken away
 * each time costs more than most rules: here one timer stays, and looks when it fires.
 */
class Deadlines {
  readonly #ms: number;
  /** What waits, with its time, the earliest first. */
  readonly #works = new Map<() => void, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whose time the timer was last set to. */
  #next: (() => void) | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  start(work: () => void, now: () => number): () => void {
    // Each has its own name, also if the same work is given twice.
    const own = () => work();
    this.#works.set(own, now() + this.#ms);
    if (!this.#timer) this.#wait(this.#ms, now);
    else if (this.#works.size === 1) this.#timer.ref?.();
    return () => {
      // With nothing to wait for, no process is kept for it.
      if (this.#works.delete(own) && this.#works.size === 0) this.#timer?.unref?.();
    };
  }

  #wait(ms: number, now: () => number): void {
    this.#timer = setTimeout(() => this.#look(now), Math.ceil(ms));
  }

  /** One that throws keeps no other from its turn. */
  #look(now: () => number): void {
    this.#timer = undefined;
    const at = now();
    for (const [work, due] of this.#works) {
      // Once it was waited for, its time is over whatever the clock says: one that stands still must not hang an event.
      if (due > at && work !== this.#next) {
        this.#next = work;
        return this.#wait(Math.min(due - at, this.#ms), now);
      }
      this.#works.delete(work);
      void Promise.resolve().then(work);
    }
  }
}
