import type { EngineClock } from '../engine/engine.ts';
import { systemClock } from './clock.ts';
import { nodeFiles } from './files.ts';
import type { Files } from './files.ts';
import { soon } from './timers.ts';

/** All that an engine takes from the process it lives in; tests put their own here. */
export interface Outside {
  readonly clock: EngineClock;
  readonly files: Files;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs later, but keeps no process alive for it. */
  soon(ms: number, work: () => void): void;
}

export const systemOutside: Outside = { clock: systemClock, files: nodeFiles, env: process.env, soon };
