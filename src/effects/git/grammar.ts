import type { ShellWord } from '../../shell/command.ts';

interface Option {
  readonly name: string;
  /** `always` takes the next word when nothing is attached; `attached` takes a value only after `=` or its letter. */
  readonly value: 'never' | 'always' | 'attached';
  /** Values of an `attached` option that people write as a word of their own. */
  readonly apart: readonly string[];
}

/** The options of one subcommand, as git's own option parser would know them. */
export interface Grammar {
  readonly letters: ReadonlyMap<string, Option>;
  readonly names: ReadonlyMap<string, Option>;
}

/**
 * Reads a table such as `f force, repo=, signed?, track?direct|inherit`: both names of one option, `=` for a value that
 * must follow, `?` for one that may be attached.
 */
export function grammar(table: string): Grammar {
  // Most tables are never asked in the life of a process.
  let known: Grammar | undefined;
  const once = () => (known ??= readTable(table));
  return {
    get letters() {
      return once().letters;
    },
    get names() {
      return once().names;
    },
  };
}

function readTable(table: string): Grammar {
  const letters = new Map<string, Option>();
  const names = new Map<string, Option>();
  for (const entry of table.split(',')) {
    const [spelled = '', apart = ''] = entry.trim().split('?');
    const value = entry.includes('=') ? 'always' : entry.includes('?') ? 'attached' : 'never';
    const spellings = spelled.replace('=', '').split(' ');
    const option: Option = { name: spellings.at(-1) as string, value, apart: apart === '' ? [] : apart.split('|') };
    for (const one of spellings) (one.length === 1 ? letters : names).set(one, option);
  }
  return { letters, names };
}

export interface Arguments {
  /** Given, and not taken back by a later `--no-…`. */
  on(...names: readonly string[]): boolean;
  /** `--no-…` had the last word. */
  off(name: string): boolean;
  /** Where it was last given; -1 when it was not. */
  at(name: string): number;
  values(name: string): readonly ShellWord[];
  readonly help: boolean;
  /** Before `--`. */
  readonly operands: readonly ShellWord[];
  /** After `--`; undefined without one. */
  readonly afterDashes: readonly ShellWord[] | undefined;
}

interface Mention {
  on: boolean;
  at: number;
  readonly values: ShellWord[];
}

/** Unlike `readOptions` it knows both names of an option, `--no-…`, and which of two options came last. */
export function readArguments(words: readonly ShellWord[], { letters, names }: Grammar): Arguments {
  const mentions = new Map<string, Mention>();
  const operands: ShellWord[] = [];
  let afterDashes: readonly ShellWord[] | undefined;
  let help = false;
  let at = 0;
  const mention = (name: string, on: boolean, value?: ShellWord) => {
    const known = mentions.get(name);
    const one = known ?? { on, at, values: [] };
    if (!known) mentions.set(name, one);
    one.on = on;
    one.at = at;
    if (value) one.values.push(value);
  };
  const take = (option: Option, attached: ShellWord | undefined) => {
    if (attached) return mention(option.name, true, attached);
    const next = words[at + 1];
    const takesNext =
      option.value === 'always' || (option.apart.length > 0 && next && option.apart.includes(next.value));
    mention(option.name, true, takesNext ? next : undefined);
    if (takesNext) at += 1;
  };
  for (; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    if (value === '--') {
      afterDashes = words.slice(at + 1);
      break;
    }
    if (value.length < 2 || value[0] !== '-') {
      operands.push(word);
    } else if (value[1] === '-') {
      const equals = value.indexOf('=');
      const name = (equals < 0 ? value.slice(2) : value.slice(2, equals)).toLowerCase();
      const option = findLong(name, names);
      if (name === 'help') help = true;
      else if (option) take(option, equals < 0 ? undefined : { ...word, value: value.slice(equals + 1) });
      else if (name.startsWith('no-')) mention(findLong(name.slice(3), names)?.name ?? name.slice(3), false);
      else mention(name, true);
    } else {
      for (let place = 1; place < value.length; place += 1) {
        const letter = value[place] as string;
        const option = letters.get(letter);
        if (letter === 'h' && !option) help = true;
        if (!option || option.value === 'never') {
          mention(option?.name ?? letter, true);
          continue;
        }
        const rest = value.slice(place + 1);
        take(option, rest === '' ? undefined : { ...word, value: rest });
        break;
      }
    }
  }
  return {
    on: (...wanted) => wanted.some((name) => mentions.get(name)?.on === true),
    off: (name) => mentions.get(name)?.on === false,
    at: (name) => (mentions.get(name)?.on === true ? (mentions.get(name)?.at ?? -1) : -1),
    values: (name) => mentions.get(name)?.values ?? [],
    help,
    operands,
    afterDashes,
  };
}

function findLong(name: string, names: Grammar['names']): Option | undefined {
  const exact = names.get(name);
  if (exact) return exact;
  let found: Option | undefined;
  for (const [full, option] of names) {
    if (!full.startsWith(name)) continue;
    if (found && found !== option) return undefined;
    found = option;
  }
  return found;
}
