import type { Effect, SettingsWords } from '../../event/effect.ts';
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
  if (edits.length === 0) {
    const text = tool.command ?? JSON.stringify(tool.input);
    return mentions(text, words) || (how === 'agent-settings-replaced' && callsUs(before, words)) ? 'deny' : 'ask';
  }
  const after = edits.reduce(apply, before);
  if (after !== undefined) return compare(before ?? '{}', after, words);
  return edits.some((edit) => mentions(`${edit.old ?? ''} ${edit.new ?? ''}`, words)) ? 'deny' : 'pass';
}

/** Undefined when the file is not at hand or does not hold what the edit replaces. */
function apply(text: string | undefined, edit: Edit): string | undefined {
  if (edit.operation === 'write') return edit.new ?? '';
  if (text === undefined || edit.old === undefined || edit.old === '' || !text.includes(edit.old)) return undefined;
  return text.replaceAll(edit.old, () => edit.new ?? '');
}

function mentions(text: string, { steering }: SettingsWords): boolean {
  return steering.some((word) => text.includes(word));
}

function compare(before: string, after: string, words: SettingsWords): 'pass' | 'ask' | 'deny' {
  const was = steeringOf(before, words);
  const is = steeringOf(after, words);
  // A file that is no JSON is read by nobody, and its hooks are gone.
  if (!is) return callsUs(before, words) ? 'deny' : 'ask';
  if (was && JSON.stringify(was) === JSON.stringify(is)) return 'pass';
  if (isSwitchedOff(after, words) && !isSwitchedOff(before, words)) return 'deny';
  if (count(after, words.entries) < count(before, words.entries)) return 'deny';
  return variablesIn(is) === variablesIn(was ?? []) ? 'ask' : 'deny';
}

function variablesIn(steering: readonly (readonly [string, string])[]): string {
  return JSON.stringify(steering.filter(([key]) => key.includes('FAIRLEAD_')));
}

function count(text: string, entries: readonly string[]): number {
  return entries.reduce((sum, entry) => sum + text.split(entry).length - 1, 0);
}

/** Every value under a key about hooks, with the way to it; undefined when the text is no JSON object. */
function steeringOf(text: string, { steering }: SettingsWords): (readonly [string, string])[] | undefined {
  const found: (readonly [string, string])[] = [];
  const walk = (value: unknown, way: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    for (const [key, below] of Object.entries(value)) {
      if (steering.some((word) => (word.endsWith('_') ? key.startsWith(word) : key === word)))
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
