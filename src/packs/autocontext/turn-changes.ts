import { record } from '../../engine/rule.ts';
import type { CodeSymbol, LineRange } from '../../engine/rule.ts';
import type { Edit } from '../../event/event.ts';

/** What a turn changed and which tests it ran. */
export interface TurnChanges {
  /** As they were before their first change, with when they were changed last. */
  readonly symbols: readonly (CodeSymbol & { readonly at: number })[];
  /** Files that were edited. */
  readonly paths: readonly string[];
  readonly runs: readonly TestRun[];
  /** What a call that is under way would change in a file, by its path. */
  readonly pending?: Readonly<Record<string, readonly CodeSymbol[]>>;
  /** Keys of symbols whose callers were told to be left behind. */
  readonly left?: readonly string[];
  /** The closing note of this turn was given. */
  readonly told?: true;
}

export interface TestRun {
  readonly at: number;
  /** Parts of paths that the command names; none when it runs all. */
  readonly only: readonly string[];
}

export const TURN_CHANGES = record<TurnChanges>('autocontext.turn');

/** Keys of symbols that were changed and not held against the index since. */
export const UNCHECKED = record<readonly string[]>('autocontext.unchecked');

export const NO_CHANGES: TurnChanges = { symbols: [], paths: [], runs: [] };

const MAX_SYMBOLS = 30;
const MAX_PATHS = 100;
const MAX_RUNS = 30;

export function withSymbols(
  before: TurnChanges,
  path: string,
  symbols: readonly CodeSymbol[],
  at: number,
): TurnChanges {
  const known = new Map(before.symbols.map((symbol) => [symbol.key, symbol]));
  for (const symbol of symbols) known.set(symbol.key, { ...(known.get(symbol.key) ?? symbol), at });
  return {
    ...before,
    symbols: [...known.values()].slice(-MAX_SYMBOLS),
    paths: [...new Set([...before.paths, path])].slice(-MAX_PATHS),
  };
}

export function withRun(before: TurnChanges, run: TestRun): TurnChanges {
  return { ...before, runs: [...before.runs, run].slice(-MAX_RUNS) };
}

/** The lines that a replacement had before, by where its new text stands now; undefined where that is not to be found. */
export function linesBefore({ operation, old, new: now }: Edit, text: string): LineRange | undefined {
  if (operation !== 'replace' || old === undefined || now === undefined || now === '') return undefined;
  const at = text.indexOf(now);
  if (at < 0) return undefined;
  const first = text.slice(0, at).split('\n').length;
  // Lines that the edit only repeats, to be found by, are not changed.
  const [was, is] = [old.split('\n'), now.split('\n')];
  let same = 0;
  while (same < Math.min(was.length, is.length) && was[same] === is[same]) same += 1;
  let end = 0;
  while (end < Math.min(was.length, is.length) - same && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  return { first: first + Math.min(same, was.length - 1), last: first + Math.max(same, was.length - 1 - end) };
}

/**
 * The text that a call leaves where it writes a file anew or takes a part out: afterwards nothing tells what there was.
 * Undefined for other edits.
 */
export function textAfter({ operation, old, new: now, all }: Edit, text: string): string | undefined {
  if (operation === 'write') return now;
  if (operation !== 'replace' || old === undefined || old === '' || now !== '') return undefined;
  return all === true ? text.replaceAll(old, '') : text.replace(old, () => '');
}

/** The symbols of which a text no longer has the lines as they were. */
export function changedBetween(symbols: readonly CodeSymbol[], before: string, after: string): readonly CodeSymbol[] {
  const lines = before.split('\n');
  return symbols.filter(({ lines: { first, last } }) => !after.includes(lines.slice(first - 1, last).join('\n')));
}

export function withPending(before: TurnChanges, path: string, symbols: readonly CodeSymbol[]): TurnChanges {
  return { ...before, pending: { ...before.pending, [path]: symbols.slice(0, MAX_SYMBOLS) } };
}

/** What was pending for a file, and the rest. */
export function takePending(
  { pending = {}, ...rest }: TurnChanges,
  path: string,
): [readonly CodeSymbol[], TurnChanges] {
  const { [path]: own = [], ...others } = pending;
  return [own, Object.keys(others).length === 0 ? rest : { ...rest, pending: others }];
}

const RUNNERS =
  /\b(?:vitest|jest|mocha|ava|jasmine|pytest|py\.test|tox|nox|unittest|rspec|phpunit|ctest|bats|go test|cargo (?:test|nextest)|deno test|(?:npm|pnpm|yarn|bun)(?: run)? (?:test|t)\b|node --test|dotnet test|mix test|swift test|(?:mvnw?|gradlew?)\b[^;&|]*\b(?:test|verify|check|build)|(?:make|just|rake|task)\b[^;&|]*\b(?:tests?|check|spec)|playwright test)/;

/** Undefined for a command that runs no tests. */
export function testRunOf(command: string, at: number): TestRun | undefined {
  const found = RUNNERS.exec(command);
  if (!found) return undefined;
  const [rest = ''] = command.slice(found.index + found[0].length).split(/[;&|\n]|\d?>/);
  const only = rest
    .split(/\s+/)
    .map((word) => word.replaceAll(/["']/g, '').replace(/::.*$/, ''))
    .filter((word) => !word.startsWith('-') && /[/.]/.test(word) && !/^[.\d]+$/.test(word))
    .map((word) => word.replace(/^\.\//, '').replace(/\/?\.\.\.$/, ''));
  // `./...` is everything.
  return { at, only: only.includes('') ? [] : only };
}

export function didRun(test: string, since: number, runs: readonly TestRun[]): boolean {
  return runs.some(({ at, only }) => at >= since && (only.length === 0 || only.some((part) => test.includes(part))));
}

/** How many values a function has to be given, and how many it takes, as far as its signature tells. */
export function parametersOf(
  signature: string,
  name: string,
): { readonly least: number; readonly most: number } | undefined {
  // Behind the name, since what a method belongs to may stand in parentheses before it.
  const open = signature.indexOf('(', signature.indexOf(name));
  if (open < 0) return undefined;
  const parts: string[] = [''];
  let depth = 0;
  for (const character of signature.slice(open + 1)) {
    if (')]}>'.includes(character) && --depth < 0) break;
    if ('([{<'.includes(character)) depth += 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  const given = parts
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(?:&?(?:mut )?self|cls|this\b.*)$/.test(part));
  const isRest = (part: string) => /^(?:\.\.\.|\*)|\.\.\./.test(part);
  return {
    least: given.filter((part) => !isRest(part) && !/=|^\w+\?/.test(part)).length,
    most: given.some(isRest) ? Infinity : given.length,
  };
}
