import { parseDuration } from '../text/duration.ts';
import { UsageError } from './command.ts';

const MAX_MS = 366 * 86_400_000;

/** Milliseconds of what an option was given, such as 30m, 4h or 2d. */
export function timeSpan(option: string, text: string, most = MAX_MS): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= most) return ms;
  const limit = most === MAX_MS ? '' : `, at most ${most / 3_600_000}h`;
  throw new UsageError(`${option} takes a time such as 30m, 1h or 2d${limit}, not "${text}"`);
}
