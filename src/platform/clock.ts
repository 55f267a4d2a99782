export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Microseconds of a clock that only moves forward. */
  micros(): number;
  /** The local calendar date, as year-month-day. */
  dayOf(at: number): string;
}

export const systemClock: Clock = {
  now: Date.now,
  /** Unlike `performance`, this is there without loading anything. */
  micros() {
    const [seconds, nanos] = process.hrtime();
    return seconds * 1_000_000 + nanos / 1_000;
  },
  dayOf(at) {
    const date = new Date(at);
    const two = (part: number) => String(part).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  },
};
