import type { ShellWord } from './command.ts';

export interface OptionSpec {
  /** Options that take a value, with their dashes: `-o`, `--output`, and `-target` for programs that use one dash. */
  readonly values?: readonly string[];
  /** Other long options, so that an abbreviation such as `--rec` can be told from them; one dash is allowed here too. */
  readonly flags?: readonly string[];
  /** Letters whose value is optional and joined to them, such as `-i` in `-i.bak`. */
  readonly attached?: readonly string[];
  /** Everything after the first operand is an operand, as for `sudo` or `xargs`. */
  readonly stopAtOperand?: boolean;
}

export interface Options {
  /** Any of the options was given. */
  has(...names: readonly string[]): boolean;
  /** The values given to any of the options, in order. */
  values(...names: readonly string[]): readonly ShellWord[];
  readonly operands: readonly ShellWord[];
  /** Operands after `--`. */
  readonly afterDashes: readonly ShellWord[];
}

const NONE: readonly string[] = [];
const NO_SPEC: OptionSpec = {};

/** Reads arguments as getopt does: bundled letters, `--name=value`, abbreviated long names, `--`. `words` comes without the program. */
export function readOptions(words: readonly ShellWord[], spec: OptionSpec = NO_SPEC): Options {
  // The lists are short, and most callers write theirs where they call: to make more of them would cost more than it saves.
  const { values = NONE, flags = NONE, attached = NONE } = spec;
  const given = new Set<string>();
  const seen: (readonly [string, ShellWord])[] = [];
  const operands: ShellWord[] = [];
  let afterDashes: readonly ShellWord[] = [];
  const give = (name: string, value?: ShellWord) => {
    if (value) seen.push([name, value]);
    given.add(name);
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    if (value === '--') {
      afterDashes = words.slice(at + 1);
      break;
    }
    if (value.length < 2 || value[0] !== '-') {
      if (spec.stopAtOperand === true) {
        operands.push(...words.slice(at));
        break;
      }
      operands.push(word);
      continue;
    }
    const equals = value.indexOf('=');
    const typed = equals < 0 ? value : value.slice(0, equals);
    const single = value[1] !== '-';
    const name = single ? typed : fullName(typed, values, flags);
    if (!single || flags.includes(name) || (values.includes(name) && (equals < 0 || name.length > 2))) {
      if (equals >= 0) give(name, joinedValue(word, equals + 1));
      else if (values.includes(name)) give(name, words[(at += 1)]);
      else give(name);
      continue;
    }
    for (let letter = 1; letter < value.length; letter += 1) {
      const option = `-${value[letter] as string}`;
      const rest = letter + 1 < value.length;
      if (values.includes(option)) {
        give(option, rest ? joinedValue(word, letter + 1) : words[(at += 1)]);
        break;
      }
      if (rest && attached.includes(option)) {
        give(option, joinedValue(word, letter + 1));
        break;
      }
      give(option);
    }
  }
  return {
    has: (...wanted) => wanted.some((name) => given.has(name)),
    values: (...wanted) => seen.filter(([name]) => wanted.includes(name)).map(([, value]) => value),
    operands: afterDashes.length === 0 ? operands : [...operands, ...afterDashes],
    afterDashes,
  };
}

function joinedValue(word: ShellWord, start: number): ShellWord {
  return { ...word, value: word.value.slice(start) };
}

function fullName(name: string, values: readonly string[], flags: readonly string[]): string {
  if (values.includes(name) || flags.includes(name)) return name;
  let meant: string | undefined;
  for (const known of [values, flags])
    for (const one of known) {
      if (!one.startsWith(name)) continue;
      if (meant !== undefined && meant !== one) return name;
      meant = one;
    }
  return meant ?? name;
}
