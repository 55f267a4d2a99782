import type { ShellWord } from './command.ts';

export interface OptionSpec {
  /** Options that take a value, with their dashes: `-o`, `--output`. */
  readonly values?: readonly string[];
  /** Other long options, so that an abbreviation such as `--rec` can be told from them. */
  readonly flags?: readonly string[];
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

/** Reads arguments as getopt does: bundled letters, `--name=value`, abbreviated long names, `--`. `words` comes without the program. */
export function readOptions(words: readonly ShellWord[], spec: OptionSpec = {}): Options {
  const takesValue = new Set(spec.values);
  const long = [...(spec.values ?? []), ...(spec.flags ?? [])].filter((name) => name.startsWith('--'));
  const given = new Map<string, ShellWord[]>();
  const operands: ShellWord[] = [];
  const afterDashes: ShellWord[] = [];
  const give = (name: string, value?: ShellWord) => {
    const list = given.get(name) ?? [];
    if (value) list.push(value);
    given.set(name, list);
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    if (value === '--') {
      afterDashes.push(...words.slice(at + 1));
      break;
    }
    if (value.length < 2 || value[0] !== '-') {
      operands.push(word);
      if (spec.stopAtOperand === true) {
        operands.push(...words.slice(at + 1));
        break;
      }
    } else if (value.startsWith('--')) {
      const equals = value.indexOf('=');
      const name = fullName(equals < 0 ? value : value.slice(0, equals), long);
      if (equals >= 0) give(name, { ...word, value: value.slice(equals + 1) });
      else if (takesValue.has(name)) give(name, words[(at += 1)]);
      else give(name);
    } else if (takesValue.has(value)) {
      give(value, words[(at += 1)]);
    } else {
      for (let letter = 1; letter < value.length; letter += 1) {
        const name = `-${value[letter] as string}`;
        if (!takesValue.has(name)) {
          give(name);
          continue;
        }
        const rest = value.slice(letter + 1);
        give(name, rest === '' ? words[(at += 1)] : { ...word, value: rest });
        break;
      }
    }
  }
  return {
    has: (...names) => names.some((name) => given.has(name)),
    values: (...names) => names.flatMap((name) => given.get(name) ?? []),
    operands: [...operands, ...afterDashes],
    afterDashes,
  };
}

function fullName(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const meant = known.filter((one) => one.startsWith(name));
  return meant.length === 1 ? (meant[0] as string) : name;
}
