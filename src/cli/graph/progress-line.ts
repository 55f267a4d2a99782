import type { Progress } from '../../graph/index.ts';
import type { CliWorld } from '../command.ts';
import { cut } from '../table.ts';

const BAR = 24;
const NARROW = 20;
const EVERY_MS = 80;
/** A guess from less than this is none. */
const GUESS_FROM_MS = 1_000;

export interface ProgressLine {
  show(progress: Progress): void;
  /** Leaves the terminal as it was. */
  clear(): void;
}

/** One line of a terminal that is written over; elsewhere nothing is shown. */
export function createProgressLine(
  { columns, err }: Pick<CliWorld, 'columns' | 'err'>,
  isTerminal: boolean,
  now: () => number,
  unit = 'files',
): ProgressLine {
  const width = columns > NARROW ? columns - 1 : 79;
  let phase = '';
  let started = now();
  let last = -Infinity;
  let isShown = false;
  return {
    show(progress) {
      const at = now();
      if (!isTerminal || at - last < EVERY_MS) return;
      last = at;
      // How long one takes says nothing about the next.
      if (progress.phase !== phase) started = at;
      phase = progress.phase;
      isShown = true;
      err(`\r${cut(describe(progress, at - started, unit), width)}\u001b[K`);
    },
    clear() {
      if (isShown) err('\r\u001b[K');
      isShown = false;
    },
  };
}

function describe({ phase, done, total }: Progress, elapsed: number, unit: string): string {
  if (total === 0) return `${phase} …`;
  const full = Math.min(BAR, Math.round((BAR * done) / total));
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
  const left = elapsed < GUESS_FROM_MS || done === 0 ? '' : `  ${timeLeft((elapsed * (total - done)) / done)}`;
  return `${phase} ${bar} ${done}/${total} ${unit}${left}`;
}

function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}
