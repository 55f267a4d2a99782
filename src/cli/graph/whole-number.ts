import { UsageError } from '../command.ts';
import type { Input } from '../command.ts';

/** What `--name` was given, from `least` to `most`; undefined when it was not given. */
export function wholeNumber(input: Input, name: string, least: number, most = Infinity): number | undefined {
  const given = input.text(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (Number.isInteger(number) && given.trim() !== '' && number >= least && number <= most) return number;
  const range = most === Infinity ? `a whole number from ${least} on` : `a whole number from ${least} to ${most}`;
  throw new UsageError(`--${name} wants ${range}, not "${given}"`);
}
