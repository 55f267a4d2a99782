import type { ShellWord } from '../../shell/command.ts';

export interface CommandLine {
  readonly operands: readonly ShellWord[];
  /** The values by name without dashes, in lower case when longer than a letter. */
  readonly options: ReadonlyMap<string, readonly ShellWord[]>;
}

export interface Layout {
  readonly values: ReadonlySet<string>;
  /** `-auto-approve` is one option, not a bundle of letters. */
  readonly wholeWords: boolean;
  /** Letters that take what is attached to them, and never the next word. */
  readonly attached: string;
}

/** `values` names the options that take the next word, without dashes and parted by blanks. */
export function layoutOf(values: string, wholeWords = false, attached = ''): Layout {
  let known: ReadonlySet<string> | undefined;
  return {
    get values() {
      return (known ??= new Set(values.split(' ')));
    },
    wholeWords,
    attached,
  };
}

export function readCommandLine(words: readonly ShellWord[], { values, wholeWords, attached }: Layout): CommandLine {
  const operands: ShellWord[] = [];
  const options = new Map<string, ShellWord[]>();
  const give = (name: string, value?: ShellWord) => {
    const given = options.get(name);
    if (!given) options.set(name, value ? [value] : []);
    else if (value) given.push(value);
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    if (value === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (value.length < 2 || value[0] !== '-') {
      operands.push(word);
      continue;
    }
    const dashes = value[1] === '-' ? 2 : 1;
    const equals = value.indexOf('=');
    const name = equals < 0 ? value.slice(dashes) : value.slice(dashes, equals);
    const lower = name.length > 1 ? name.toLowerCase() : name;
    if (equals >= 0) give(lower, { ...word, value: value.slice(equals + 1) });
    else if (values.has(lower)) give(lower, words[(at += 1)]);
    else give(lower);
    if (dashes === 2 || wholeWords || name.length < 2 || values.has(lower)) continue;
    for (let place = 1; place < value.length; place += 1) {
      const letter = value[place] as string;
      if (attached.includes(letter)) break;
      if (!values.has(letter)) give(letter);
      else if (place === value.length - 1) give(letter, words[(at += 1)]);
      else {
        give(letter, { ...word, value: value.slice(place + 1) });
        break;
      }
    }
  }
  return { operands, options };
}

const SHOWS: readonly string[] = ['help', 'dry-run', 'dryrun', 'dry_run', 'what-if'];
const REFUSALS: ReadonlySet<string> = new Set(['none', 'false', 'no']);

/** Asks for help or for a rehearsal. */
export function onlyShows({ options }: CommandLine): boolean {
  return options.get('h')?.length === 0 || SHOWS.some((name) => isOn(name, options));
}

export function isOn(name: string, options: CommandLine['options']): boolean {
  const given = options.get(name);
  return given !== undefined && !REFUSALS.has(given.at(-1)?.value ?? '');
}
