import type { EngineClock } from '../engine/engine.ts';

export const systemClock: EngineClock = {
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
