import type { Effect, EntryWords, SettingsWords } from '../../event/effect.ts';
import type { Edit, Event } from '../../event/event.ts';

/** More than anybody's settings hold. */
export const MOST_SETTINGS = 256 * 1024;

/** Whether a file of settings has an entry that calls this program. */
export function callsUs(text: string | undefined, words: SettingsWords | undefined): boolean {
  return text !== undefined && words !== undefined && words.entries.some((entry) => text.includes(entry));
}

export function isSwitchedOff(text: string | undefined, words: SettingsWords | undefined): boolean {
  if (text === undefined || !words) return false;
  return words.switches.some((name) => new RegExp(`"${name}"\\s*:\\s*true`).test(text));
}

/**
 * What a change of an agent's settings comes to: `pass` when everything about hooks stays as it is, `deny` when entries of
 * this program vanish, hooks are switched off or its variables are set, `ask` when other hooks change or nobody can tell.
 * `before` is what the file holds now.
 */
export function judgeChange(effect: Effect, event: Event, before: string | undefined): 'pass' | 'ask' | 'deny' {
  const { tool } = event;
  const { words, path, how } = effect;
  if (!words || !tool) return 'ask';
  const edits = tool.edits.filter((edit) => edit.path === path);
  const text = tool.command ?? JSON.stringify(tool.input);
  // A program that nobody knows may as well read it; what it is told to switch off tells.
  if (how === 'agent-settings-possible') return words.switches.some((word) => text.includes(word)) ? 'deny' : 'ask';
  if (edits.length === 0 && steersHooks(text, words)) return 'deny';
  if (edits.length === 0) {
    return mentions(text, words) || (how === 'agent-settings-replaced' && callsUs(before, words)) ? 'deny' : 'ask';
  }
  const after = edits.reduce(apply, before);
  if (after !== undefined) return compare(before ?? '{}', after, words);
  // One of several edits does not fit: whoever applies them may apply the others.
  const partly = edits.reduce((done, one) => apply(done, one) ?? done, before);
  const fitting = before === undefined ? 'pass' : compare(before, partly ?? '', words);
  if (fitting !== 'pass') return fitting;
  const named = edits.map((edit) => `${edit.old ?? ''} ${edit.new ?? ''}`);
  if (named.some((each) => mentions(each, words) || callsUs(each, words))) return 'deny';
  if (edits.some((edit) => steersHooks(edit.new ?? '', words))) return 'deny';
  if (edits.some((edit) => grantsNamed(edit.new ?? '', words))) return 'ask';
  // Without the text that it replaces, an edit may hit anything.
  return edits.some((edit) => edit.old === undefined) ? 'ask' : 'pass';
}

/** Undefined when the file is not at hand or does not hold what the edit replaces. */
function apply(text: string | undefined, edit: Edit): string | undefined {
  if (edit.operation === 'write' || (edit.old === '' && (text ?? '') === '')) return edit.new ?? '';
  if (text === undefined || edit.old === undefined || edit.old === '' || !text.includes(edit.old)) return undefined;
  return text.replaceAll(edit.old, () => edit.new ?? '');
}

function mentions(text: string, { steering }: SettingsWords): boolean {
  return steering.some((word) => text.includes(word));
}

/** Variables by which another program, or another file, comes in the place of what hooks start. */
const STEERING_VARIABLES: readonly string[] = [
  ...['PATH', 'HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'NODE_OPTIONS', 'NODE_PATH', 'BASH_ENV', 'ENV'],
  ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'DYLD_LIBRARY_PATH'],
];

function steersHooks(text: string, { variables = [] }: SettingsWords): boolean {
  return [...STEERING_VARIABLES, ...variables].some((name) => new RegExp(`["'.]${name}["']?\\]?\\s*[:=]`).test(text));
}

function grantsNamed(text: string, { grants = {} }: SettingsWords): boolean {
  return Object.values(grants).some((values) =>
    values.some((value) => value !== 'true' && text.includes(`"${value}"`)),
  );
}

/** What lets nearly every call through, and what is left of what a person wants denied or asked. */
function permissionsIn(text: string, { grants = {} }: SettingsWords): { given: string[]; held: string[] } {
  const [given, held]: [string[], string[]] = [[], []];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    for (const [key, below] of Object.entries(value)) {
      const values = (Array.isArray(below) ? below : [below]).map(String);
      given.push(...values.filter((each) => grants[key]?.includes(each)).map((each) => `${key} ${each}`));
      if ((key === 'deny' || key === 'ask') && Array.isArray(below))
        held.push(...values.map((each) => `${key} ${each}`));
      walk(below, depth + 1);
    }
  };
  try {
    walk(JSON.parse(text), 0);
  } catch {
    // Then nobody reads it.
  }
  return { given, held };
}

function widens(before: string, after: string, words: SettingsWords): boolean {
  const [was, is] = [permissionsIn(before, words), permissionsIn(after, words)];
  return is.given.some((each) => !was.given.includes(each)) || was.held.some((each) => !is.held.includes(each));
}

function compare(before: string, after: string, words: SettingsWords): 'pass' | 'ask' | 'deny' {
  const was = steeringOf(before, words);
  const is = steeringOf(after, words);
  // A file that is no JSON is read by nobody, and its hooks are gone.
  if (!is) return callsUs(before, words) ? 'deny' : 'ask';
  if (was && JSON.stringify(was) === JSON.stringify(is)) return widens(before, after, words) ? 'ask' : 'pass';
  if (isSwitchedOff(after, words) && !isSwitchedOff(before, words)) return 'deny';
  return isWeaker(wiringOf(before, words), wiringOf(after, words)) ? 'deny' : 'ask';
}

/** What a file of settings says about this program. */
export interface Wiring {
  readonly entries: readonly WiredEntry[];
  /** The variables that steer it, as text. */
  readonly variables: string;
  /** By its text, whatever the entries look like. */
  readonly calls: boolean;
}

export interface WiredEntry {
  /** The keys that lead to it: which event it is for. */
  readonly way: string;
  /** What keeps it from running always, as text; empty when nothing does. */
  readonly only: string;
  /** What keeps the agent from going on when it fails, as text. */
  readonly holds: string;
  /** Not enough time to answer. */
  readonly hasty: boolean;
}

export const NOT_WIRED: Wiring = { entries: [], variables: '[]', calls: false };

/** Seconds. A hook that has less answers nothing. */
const LEAST_SECONDS = 1;

export function wiringOf(text: string | undefined, words: SettingsWords | undefined): Wiring {
  const steering = text !== undefined && words ? steeringOf(text, words) : undefined;
  if (!steering || !words) return NOT_WIRED;
  const variables = JSON.stringify(steering.filter(([key]) => key.includes('FAIRLEAD_') || key.startsWith('.env.')));
  const entries = steering.flatMap(([key, value]) => entriesIn(JSON.parse(value) as unknown, key, words.entry));
  return { entries, variables, calls: callsUs(text, words) };
}

/**
 * Whether this program is called less often than before, or is told otherwise what to do. Another way to call it, such as
 * another path or an address instead of a program, is as good as the one before.
 */
export function isWeaker(before: Wiring, after: Wiring): boolean {
  if (before.variables !== after.variables || (before.calls && !after.calls)) return true;
  const left = [...after.entries];
  return before.entries.some(({ way, only, holds, hasty }) => {
    const at = left.findIndex(
      (entry) =>
        entry.way === way &&
        (entry.only === '' || entry.only === only) &&
        (holds === '' || entry.holds === holds) &&
        (hasty || !entry.hasty),
    );
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** More than any agent nests its entries. */
const DEEPEST = 12;

function entriesIn(value: unknown, way: string, words: EntryWords, only = '', depth = 0): WiredEntry[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => entriesIn(item, way, words, only, depth + 1));
  const fields = value as Readonly<Record<string, unknown>>;
  const shown = (keys: readonly string[]) =>
    keys.flatMap((key) => (isWide(fields[key]) ? [] : show(key, fields[key]))).join('');
  const narrowed = only + shown(words.narrowing);
  const called = words.calls.flatMap((key) => fields[key] ?? []).filter((word) => typeof word === 'string');
  if (words.own.some((pattern) => new RegExp(pattern).test(called.join('\n')))) {
    const hasty = words.seconds.some((key) => typeof fields[key] === 'number' && fields[key] < LEAST_SECONDS);
    return [{ way, only: narrowed, holds: shown(words.holding), hasty }];
  }
  return Object.entries(fields).flatMap(([key, below]) =>
    entriesIn(below, `${way}.${key}`, words, narrowed, depth + 1),
  );
}

/** Values that leave nothing out. */
function isWide(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || value === '*' || value === '.*';
}

function show(key: string, value: unknown): string {
  return `${key}=${JSON.stringify(value)} `;
}

/** Every value under a key about hooks, with the way to it; undefined when the text is no JSON object. */
function steeringOf(
  text: string,
  { steering, variables = [] }: SettingsWords,
): (readonly [string, string])[] | undefined {
  const found: (readonly [string, string])[] = [];
  const walk = (value: unknown, way: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    for (const [key, below] of Object.entries(value)) {
      const isVariable = way === '.env' && (STEERING_VARIABLES.includes(key) || variables.includes(key));
      if (isVariable || steering.some((word) => (word.endsWith('_') ? key.startsWith(word) : key === word)))
        found.push([`${way}.${key}`, JSON.stringify(below)]);
      else walk(below, `${way}.${key}`, depth + 1);
    }
  };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    walk(value, '', 0);
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  } catch {
    return undefined;
  }
}
