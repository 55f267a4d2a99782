import type { PostProblem } from '../platform/post.ts';

/** What a webhook is sent, in order; the oldest give way when it does not keep up. */
export interface Line<Parcel> {
  add(parcel: Parcel): void;
  /** Resolves when nothing is left to send. */
  idle(): Promise<void>;
  /** How many were given up by it. */
  close(): number;
}

export interface LineOptions<Parcel> {
  post(parcel: Parcel): Promise<PostProblem>;
  pause(ms: number): Promise<void>;
  /** Nothing may be sent now, so what waits is given up. */
  isOff(): boolean;
  onSent(): void;
  onFailed(problem: string): void;
  onDropped(): void;
}

const MAX_WAITING = 100;
/** Before the second and the third attempt. */
const PAUSES_MS = [1_000, 5_000];

export function createLine<Parcel>(options: LineOptions<Parcel>): Line<Parcel> {
  const waiting: Parcel[] = [];
  let working: Promise<void> | undefined;
  let isClosed = false;

  async function attempt(parcel: Parcel): Promise<PostProblem | 'dropped'> {
    if (options.isOff()) return 'dropped';
    let problem = await options.post(parcel);
    for (const ms of PAUSES_MS) {
      if (!problem || problem.isFinal || isClosed) return problem;
      await options.pause(ms);
      if (isClosed || options.isOff()) return problem;
      problem = await options.post(parcel);
    }
    return problem;
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const outcome = await attempt(next);
      if (isClosed) return;
      if (outcome === 'dropped') options.onDropped();
      else if (outcome) options.onFailed(outcome.message);
      else options.onSent();
    }
    working = undefined;
  }

  return {
    add(parcel) {
      if (waiting.length >= MAX_WAITING) {
        waiting.shift();
        options.onDropped();
      }
      waiting.push(parcel);
      working ??= work();
    },
    idle: async () => working,
    close() {
      const left = waiting.length + (working ? 1 : 0);
      isClosed = true;
      waiting.length = 0;
      return left;
    },
  };
}
