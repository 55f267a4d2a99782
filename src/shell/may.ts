import { UNKNOWN } from './command.ts';
import type { Moment, Place, Shell, Spot, Value } from './state.ts';
import { CUT, isCut, isSeveral, isSpent, lend, storeOf, within, writeStore } from './state.ts';

/** More values than these are not told apart: what holds them is unknown. */
const MOST_VALUES = 8;
/** So often a command is read for the values that it may meet. */
const MOST_RUNS = 16;
/** Where so many commands were read, values are not told apart any more. */
const MANY_COMMANDS = 160;

const STORES = ['variables', 'functions', 'aliases', 'descriptors', 'files'] as const;

export function momentOf(shell: Shell): Moment {
  lend(shell);
  const { args, argSets, strict, lastPipe } = shell;
  return { stores: STORES.map((name) => storeOf(shell, name)), place: placeOf(shell), args, argSets, strict, lastPipe };
}

export function placeOf({ dir, oldDir, dirStack, unsure, places }: Shell): Place {
  return { dir, oldDir, dirStack, unsure, places };
}

function returnTo(shell: Shell, { stores, place, ...rest }: Moment): void {
  lend(shell);
  const [variables, functions, aliases, descriptors, files] = stores as never[];
  Object.assign(shell, { variables, functions, aliases, descriptors }, rest, place);
  shell.all.files = files as never;
}

/** From here on the shell is as it was at any of the moments; a name holds all that it held at one of them. */
export function joinMoments(shell: Shell, moments: readonly Moment[]): void {
  const [first, ...others] = moments;
  if (!first) return;
  returnTo(shell, first);
  const different = others.filter((one) => !isSame(one, first));
  if (different.length === 0) return;
  const all = [first, ...different];
  STORES.forEach((name, at) => {
    for (const key of keysThatDiffer(all.map((one) => one.stores[at] as ReadonlyMap<string, unknown>)))
      joinKey(
        shell,
        name,
        key,
        all.map((one) => one.stores[at]?.get(key)),
      );
  });
  joinPlaces(
    shell,
    all.map(({ place }) => place),
  );
  joinArguments(shell, all);
  shell.strict = all.every(({ strict }) => strict);
  shell.lastPipe = all.some(({ lastPipe }) => lastPipe);
}

export function isSame(one: Moment, other: Moment): boolean {
  return (
    one.stores.every((store, at) => store === other.stores[at]) &&
    isSamePlace(one.place, other.place) &&
    one.args === other.args &&
    one.argSets === other.argSets &&
    one.strict === other.strict &&
    one.lastPipe === other.lastPipe
  );
}

export function isSamePlace(one: Place, other: Place): boolean {
  return (
    isSameSpot(one, other) &&
    isSameSpot(one.unsure?.failed, other.unsure?.failed) &&
    isSameSpot(one.unsure?.reached, other.unsure?.reached) &&
    one.places === other.places
  );
}

export function isSameSpot(one: Spot | undefined, other: Spot | undefined): boolean {
  if (one === other || !one || !other) return one === other;
  return (
    one.dir === other.dir &&
    one.oldDir === other.oldDir &&
    one.dirStack.length === other.dirStack.length &&
    one.dirStack.every((dir, at) => dir === other.dirStack[at])
  );
}

function keysThatDiffer(stores: readonly ReadonlyMap<string, unknown>[]): ReadonlySet<string> {
  const keys = new Set<string>();
  const [first, ...others] = stores as [ReadonlyMap<string, unknown>];
  for (const other of others as ReadonlyMap<string, unknown>[]) {
    if (other === first) continue;
    for (const [key, value] of other) if (first.get(key) !== value) keys.add(key);
    for (const key of first.keys()) if (!other.has(key)) keys.add(key);
  }
  return keys;
}

function joinKey(shell: Shell, name: (typeof STORES)[number], key: string, held: readonly unknown[]): void {
  const store = writeStore(shell, name) as Map<string, unknown>;
  if (name === 'variables') {
    const joined = joinValues(
      held.map((one) => (one as Value | undefined) ?? UNSET),
      shell,
    );
    if (joined === UNSET) store.delete(key);
    else store.set(key, joined);
    return;
  }
  const members = distinct(
    held.flatMap((one) => (isSeveral(one) ? one.any : [one])),
    Object.is,
  );
  const [only] = members;
  if (members.length > MOST_VALUES || held.some(isCut)) store.set(key, CUT);
  else if (members.length > 1) store.set(key, several(members, shell));
  else if (only === undefined) store.delete(key);
  else store.set(key, only);
}

/** The text has not set it: what it holds comes from outside, if it holds anything. */
const UNSET: Value = { text: UNKNOWN, from: [] };

/** One value that stands for all of them; read without a choice it is unknown. */
function joinValues(values: readonly Value[], shell: Shell): Value {
  const members = distinct(
    values.flatMap((one) => one.any ?? [one]),
    isSameValue,
  );
  const [first] = members;
  if (first && members.length === 1) return first;
  const from = [...new Set(members.flatMap((one) => one.from))];
  if (members.length > MOST_VALUES) return { text: UNKNOWN, from };
  shell.all.several = true;
  return { text: UNKNOWN, from, any: members, ...(members.every((one) => one.fixed) && { fixed: true }) };
}

function isSameValue(one: Value, other: Value): boolean {
  return (
    one === other ||
    (one !== UNSET &&
      other !== UNSET &&
      one.text === other.text &&
      hasSameItems(one.items, other.items) &&
      one.refersTo === other.refersTo &&
      one.unset === other.unset &&
      (one.glob ?? false) === (other.glob ?? false) &&
      one.from.length === other.from.length &&
      one.from.every((number, at) => number === other.from[at]))
  );
}

function hasSameItems(one: Value['items'], other: Value['items']): boolean {
  if (one === other || !one || !other) return one === other;
  return one.size === other.size && [...one].every(([key, text]) => other.get(key) === text);
}

function several<T>(any: readonly T[], shell: Shell): { readonly any: readonly T[] } {
  shell.all.several = true;
  return { any };
}

function distinct<T>(all: readonly T[], isEqual: (one: T, other: T) => boolean): readonly T[] {
  const found: T[] = [];
  for (const one of all) if (!found.some((other) => isEqual(one, other))) found.push(one);
  return found;
}

/** What differs between the places is unknown until a text is read for each of them. */
function joinPlaces(shell: Shell, joined: readonly Place[]): void {
  const all = joined.flatMap((place) => place.places ?? [place]);
  const open = all.toSorted((one, other) => Number(other.unsure !== undefined) - Number(one.unsure !== undefined));
  const places = distinct(open, isSameSpot);
  const [first] = places;
  if (!first) return;
  const { dir, oldDir, dirStack, unsure } = first;
  const isShared = places.every((place) => place.dir === dir);
  Object.assign(shell, {
    dir: isShared ? dir : undefined,
    unsure: isShared ? unsure : undefined,
    oldDir: places.every((place) => place.oldDir === oldDir) ? oldDir : undefined,
    dirStack: places.length === 1 ? dirStack : [],
    places: places.length === 1 || places.length > MOST_VALUES ? undefined : several(places, shell).any,
  });
}

/** Where a loop may end up that leads elsewhere in each round. */
const ANYWHERE: Place = { dir: undefined, oldDir: undefined, dirStack: [], unsure: undefined, places: undefined };

/** In its second round the loop still came to places where it had not been before. */
function leadsOn(start: Place, end: Place): boolean {
  const before = start.places ?? [start];
  return (end.places ?? [end]).some((place) => !before.some((one) => isSameSpot(one, place)));
}

function joinArguments(shell: Shell, moments: readonly Moment[]): void {
  const sets = distinct(
    moments.flatMap(({ args, argSets }) => argSets ?? [args]),
    (one, other) => one === other || (one?.length === 0 && other?.length === 0),
  );
  if (sets.length === 1) Object.assign(shell, { args: sets[0], argSets: undefined });
  else
    Object.assign(shell, {
      args: undefined,
      argSets: sets.length > MOST_VALUES ? undefined : several(sets, shell).any,
    });
}

/** Makes the shell hold one of the things that it may hold. */
interface Choice {
  readonly count: number;
  take(at: number): void;
}

/** Reads what `text` says once for each combination of the values that it may meet; returns what is printed where that is the same. */
export function runEach(text: string, shell: Shell, run: () => string): string {
  const choices = shell.all.several ? choicesIn(text, shell) : [];
  if (choices.length === 0) return run();
  const start = momentOf(shell);
  const ends: Moment[] = [];
  const before = shell.left;
  let printed: string | undefined;
  let left: string | undefined;
  const runs = choices.reduce((product, { count }) => product * count, 1);
  for (let number = 0; number < runs && (number === 0 || !isSpent(shell.all)); number += 1) {
    returnTo(shell, start);
    shell.left = undefined;
    let rest = number;
    for (const { count, take } of choices) {
      take(rest % count);
      rest = Math.floor(rest / count);
    }
    const out = run();
    if (shell.left === undefined) ends.push(momentOf(shell));
    else left = shell.left;
    printed = printed === undefined || printed === out ? out : UNKNOWN;
  }
  if (ends.length > 0) joinMoments(shell, ends);
  shell.left = ends.length > 0 ? before : left;
  return printed ?? UNKNOWN;
}

/** Where several places share a directory, only these tell them apart. */
const CHANGES_DIRECTORY = /cd|chdir|pushd|popd|OLDPWD|DIRSTACK|~-/;

function choicesIn(text: string, shell: Shell): readonly Choice[] {
  if (shell.all.commands.length > MANY_COMMANDS) return [];
  const choices: Choice[] = [];
  let runs = 1;
  const add = (count: number, take: (at: number) => void) => {
    if (runs * count > MOST_RUNS) return;
    runs *= count;
    choices.push({ count, take });
  };
  const { places, argSets } = shell;
  if (places && (shell.dir === undefined || CHANGES_DIRECTORY.test(text)))
    add(places.length, (at) => Object.assign(shell, places[at], { places: undefined }));
  if (argSets) add(argSets.length, (at) => Object.assign(shell, { args: argSets[at], argSets: undefined }));
  for (const name of STORES) {
    for (const [key, held] of storeOf(shell, name) as ReadonlyMap<string, unknown>) {
      if (!isSeveral(held) || isCut(held) || !isMentioned(key, text)) continue;
      add(held.any.length, (at) => {
        const store = writeStore(shell, name) as Map<string, unknown>;
        const member = held.any[at];
        if (member === undefined || member === UNSET) store.delete(key);
        else store.set(key, member);
      });
    }
  }
  return choices;
}

/** They hold for every command, named or not. */
const EVERYWHERE: ReadonlySet<string> = new Set(['HOME', 'IFS', 'PATH']);

/** The text has the name as a word of its own; a file is known by the end of its path. */
export function isMentioned(key: string, text: string): boolean {
  const name = key.slice(key.lastIndexOf('/') + 1);
  // A path that ends in a slash has no name to look for, and the empty one is found without end.
  if (name === '' || EVERYWHERE.has(name)) return true;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isNameCharacter(text.charCodeAt(at - 1)) && !isNameCharacter(text.charCodeAt(at + name.length))) return true;
  }
  return false;
}

function isNameCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

/** Reads alternatives, one of which runs; `orNone` when perhaps none does. */
export function runAny(branches: readonly (() => string)[], orNone: boolean, shell: Shell): string {
  const start = momentOf(shell);
  const ends: Moment[] = orNone ? [start] : [];
  const before = shell.left;
  let left: string | undefined;
  let printed = '';
  for (const run of branches) {
    returnTo(shell, start);
    shell.left = undefined;
    const text = run();
    if (text !== '') printed = printed === '' && branches.length === 1 ? text : UNKNOWN;
    if (shell.left === undefined) ends.push(momentOf(shell));
    else left = shell.left;
  }
  if (ends.length > 0) joinMoments(shell, ends);
  shell.left = ends.length > 0 ? before : left;
  return printed;
}

/** Reads the rounds of a loop that may run any number of times, and again with what the first round left behind. */
export function runRounds(text: string, shell: Shell, round: () => string): string {
  const first = shell.all.commands.length;
  const { left } = shell;
  let printed = '';
  for (let rounds = 0; rounds < 2; rounds += 1) {
    const start = momentOf(shell);
    printed += runRound(shell, round);
    const end = momentOf(shell);
    if (isSame(start, end)) break;
    joinMoments(shell, [start, end]);
    const changed = [...keysThatDiffer([start.stores[0], end.stores[0]] as ReadonlyMap<string, unknown>[])];
    if (rounds === 1) {
      for (const key of changed) widen(key, start, shell);
      if (!leadsOn(start.place, end.place)) break;
      // Each round leads elsewhere: what the loop runs is read once more, for wherever that is.
      joinPlaces(shell, [placeOf(shell), ANYWHERE]);
      const widened = momentOf(shell);
      printed += runRound(shell, round);
      joinMoments(shell, [widened, momentOf(shell)]);
    } else if (!isSamePlace(start.place, end.place)) continue;
    else if (
      !changed.some((key) => isMentioned(key, text)) &&
      start.stores.slice(1).every((one, at) => one === end.stores[at + 1])
    )
      break;
  }
  // There may be no round at all.
  shell.left = left;
  markRounds(first, shell);
  return printed === '' ? '' : UNKNOWN;
}

/** Reads the body of a function or a sourced script, which may end at any of its `return`s. */
export function runUntilReturn(shell: Shell, run: () => string): string {
  const returned: Moment[] = [];
  let left: string | undefined;
  const printed = within(shell, { returned, left: undefined }, () => {
    const text = run();
    if (returned.length > 0) joinMoments(shell, [momentOf(shell), ...returned]);
    left = shell.left === 'return' ? undefined : shell.left;
    return text;
  });
  shell.left ??= left;
  return printed;
}

/** Reads one round, which may end at any of its `break`s and `continue`s. */
export function runRound(shell: Shell, round: () => string): string {
  const stops: Moment[] = [];
  const { left } = shell;
  const printed = within(shell, { stops }, round);
  if (stops.length > 0) {
    joinMoments(shell, [momentOf(shell), ...stops]);
    shell.left = left;
  }
  return printed;
}

/** The commands since `first` may run again, each of them after all of the others. */
function markRounds(first: number, { all: { commands } }: Shell): void {
  for (const command of commands.slice(first)) command.roundEnd = commands.length;
}

/** What was new in the second round goes on to change in later ones. */
function widen(key: string, { stores: [before] }: Moment, shell: Shell): void {
  const held = shell.variables.get(key);
  const members = (value: Value | undefined) => value?.any?.length ?? 1;
  if (held && members(held) > members(before?.get(key) as Value | undefined))
    writeStore(shell, 'variables').set(key, joinValues([held, { text: UNKNOWN, from: held.from }], shell));
}
