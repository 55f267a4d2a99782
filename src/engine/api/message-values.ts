import { escapedPath, printable, quoted } from '../../text/quoted.ts';
import type { Around } from '../../text/quoted.ts';

/**
 * What a placeholder is filled with. Its type says how it is shown, so that no rule can forget it: a plain text may come from a
 * repository, so it is quoted, on one line, and cut; a path is escaped and whole; only words that a rule has written
 * itself are said as they are.
 */
export type MessageValue = string | number | PathValue | OwnWords;

class PathValue {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}

class OwnWords {
  readonly words: string;
  constructor(words: string) {
    this.words = words;
  }
}

export type { OwnWords, PathValue };

/** A path of a file or directory, shown whole. */
export function asPath(text: string): PathValue {
  return new PathValue(text);
}

/** Words of the rule itself. What a template fills in is shown by its type, as in a message. */
export function own(words: TemplateStringsArray | string, ...values: readonly MessageValue[]): OwnWords {
  if (typeof words === 'string') return new OwnWords(words);
  let said = words[0] ?? '';
  let around = marksAfter(said, undefined);
  for (const [at, value] of values.entries()) {
    const next = words[at + 1] ?? '';
    said += show(value, around) + next;
    around = marksAfter(next, around);
  }
  return new OwnWords(said);
}

export function joined(parts: readonly MessageValue[], by: string): OwnWords {
  return new OwnWords(parts.map((part) => show(part, undefined)).join(by));
}

export function show(value: MessageValue, around: Around): string {
  if (typeof value === 'string') return quoted(value, around);
  if (typeof value === 'number') return String(value);
  return value instanceof PathValue ? escapedPath(value.path, around) : printable(value.words);
}

/** Inside of which marks a text goes on after these words. */
export function marksAfter(words: string, before: Around): Around {
  let around = before;
  for (const character of words) {
    if (character === around && character !== '>') around = undefined;
    else if (around === undefined && (character === '`' || character === '"')) around = character;
    else if (character === '\n') around = undefined;
  }
  return around ?? (/(?:^|\n)> $/.test(words) ? '>' : undefined);
}
