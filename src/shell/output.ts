import { UNKNOWN, ZERO } from './command.ts';
import { openedBy } from './descriptors.ts';
import { writtenText } from './files.ts';
import type { Draft, Shell } from './state.ts';
import { MAX_VALUE, knownText } from './state.ts';
import { baseName, resolveDir } from './variables.ts';

const SILENT: ReadonlySet<string> = new Set(
  ': true false cd pushd popd set export test [ sleep wait unset shopt readonly mkdir rm touch chmod trap alias exit return break continue shift read local declare typeset let'.split(
    ' ',
  ),
);

/** What a command prints, `UNKNOWN` where only running would tell. */
export function outputOf(draft: Draft, shell: Shell): string {
  const { program, words, input } = draft;
  if (SILENT.has(program)) return '';
  const args = words.slice(1).map((word) => word.value);
  if (words.some((word) => word.glob)) return UNKNOWN;
  switch (program) {
    case 'echo':
      return echo(args);
    case 'printf':
      return args[0] === '-v' ? '' : printf(args[0] === '--' ? args.slice(1) : args);
    case 'pwd':
      return draft.dir === undefined ? UNKNOWN : `${draft.dir}\n`;
    case 'git':
      return repositoryPath(args, draft, shell);
    case 'cat':
      return concatenate(args, draft, shell);
    case 'tee':
    case 'pv':
    case 'sponge':
      return knownText(input) ?? UNKNOWN;
    case 'which':
    case 'command':
    case 'type':
      return args.length > 0 && !args.at(-1)?.startsWith('-') ? `${args.at(-1) as string}\n` : UNKNOWN;
    case 'basename':
      return plainArguments(args).length === 1 ? `${baseName(plainArguments(args)[0] as string)}\n` : UNKNOWN;
    case 'dirname':
      return args.some((one) => one.startsWith('-') && one !== '--')
        ? UNKNOWN
        : plainArguments(args)
            .map((one) => `${dirName(one)}\n`)
            .join('');
    case 'realpath':
    case 'readlink':
      return realPaths(program, args, draft);
    case 'base64':
    case 'rev':
    case 'xxd':
    case 'tr':
    case 'openssl':
      return filter(program, args, knownText(input));
    default:
      return UNKNOWN;
  }
}

function plainArguments(args: readonly string[]): readonly string[] {
  return args[0] === '--' ? args.slice(1) : args;
}

/** Links on the way are followed elsewhere; here a path becomes whole. Without `-f` and its like, `readlink` tells what a link holds. */
function realPaths(program: string, args: readonly string[], { dir }: Draft): string {
  const flags = args.filter((one) => one.startsWith('-'));
  if (flags.some((one) => /relative|^-z|^--zero/.test(one))) return UNKNOWN;
  if (program === 'readlink' && !flags.some((one) => /^-[a-z]*[fem]|^--canonicalize/.test(one))) return UNKNOWN;
  return args
    .filter((one) => !one.startsWith('-'))
    .map((one) => `${resolveDir(dir, one) ?? UNKNOWN}\n`)
    .join('');
}

function concatenate(args: readonly string[], draft: Draft, shell: Shell): string {
  if (args.length === 0) return knownText(draft.input) ?? UNKNOWN;
  let printed = '';
  for (const name of args) {
    if (name === '-') printed += knownText(draft.input) ?? UNKNOWN;
    else printed += writtenText(name, draft.dir, shell) ?? knownText(openedBy(name, shell)?.input) ?? UNKNOWN;
  }
  return printed;
}

/** `git rev-parse --show-toplevel` inside the workspace. */
function repositoryPath(args: readonly string[], { dir }: Draft, shell: Shell): string {
  const { root } = shell.all.place;
  if (root === undefined || args[0] !== 'rev-parse' || args.length !== 2) return UNKNOWN;
  if (dir !== root && dir?.startsWith(`${root}/`) !== true) return UNKNOWN;
  if (args[1] === '--show-toplevel') return `${root}\n`;
  return args[1] === '--git-dir' || args[1] === '--absolute-git-dir' ? `${root}/.git\n` : UNKNOWN;
}

/** Filters that hide code: what they make of known text. */
function filter(program: string, args: readonly string[], text: string | undefined): string {
  if (text === undefined || text.includes(UNKNOWN)) return UNKNOWN;
  switch (program) {
    case 'rev':
      return text.replace(/[^\n]+/g, (line) => line.split('').toReversed().join(''));
    case 'base64':
      return args.some((one) => /^(?:-[a-zA-Z]*[dD]|--decode)$/.test(one)) ? decodeBase64(text) : UNKNOWN;
    case 'openssl':
      return (args.includes('base64') || args.includes('-base64')) && args.includes('-d')
        ? decodeBase64(text)
        : UNKNOWN;
    case 'xxd': {
      const plain = args.some((one) => /^-[a-z]*p/.test(one)) && args.some((one) => /^-[a-z]*r/.test(one));
      return plain ? decodeHex(text) : UNKNOWN;
    }
    default:
      return translate(args, text);
  }
}

export function decodeBase64(text: string): string {
  try {
    return atob(text.replace(/\s+/g, ''));
  } catch {
    return UNKNOWN;
  }
}

export function decodeHex(text: string): string {
  const digits = text.replace(/\s+/g, '');
  if (digits.length % 2 !== 0 || !/^[\da-fA-F]*$/.test(digits)) return UNKNOWN;
  return digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

function translate(args: readonly string[], text: string): string {
  const [first, second] = args;
  if (args.length !== 2 || first === undefined || second === undefined) return UNKNOWN;
  if (first === '-d')
    return text
      .split('')
      .filter((char) => !expandSet(second).includes(char))
      .join('');
  if (first.startsWith('-')) return UNKNOWN;
  const from = expandSet(first);
  const to = expandSet(second);
  return text
    .split('')
    .map((char) => (from.includes(char) ? (to[Math.min(from.indexOf(char), to.length - 1)] ?? '') : char))
    .join('');
}

function expandSet(set: string): string {
  return unescapeText(set).replace(/([^])-([^])/g, (_whole, first: string, last: string) => {
    let chars = '';
    for (let code = first.charCodeAt(0); code <= last.charCodeAt(0) && chars.length < 256; code += 1)
      chars += String.fromCharCode(code);
    return chars;
  });
}

function dirName(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '.' : at === 0 ? '/' : path.slice(0, at);
}

function echo(args: readonly string[]): string {
  let at = 0;
  let newline = true;
  let escapes = false;
  for (; /^-[neE]+$/.test(args[at] ?? ''); at += 1) {
    const flag = args[at] as string;
    if (flag.includes('n')) newline = false;
    if (flag.includes('e')) escapes = true;
  }
  const text = args.slice(at).join(' ');
  return (escapes ? unescapeText(text) : text) + (newline ? '\n' : '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const ESCAPE = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|0?([0-7]{1,3})|([^]))/g;

export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    ESCAPE,
    (whole, hex: string | undefined, wide: string | undefined, octal: string | undefined, letter: string) => {
      const code = hex ?? wide;
      if (code !== undefined) return characterOf(Number.parseInt(code, 16));
      if (octal !== undefined) return characterOf(Number.parseInt(octal, 8) & 255);
      return ESCAPES[letter] ?? whole;
    },
  );
}

function characterOf(code: number): string {
  return code === 0 ? ZERO : String.fromCharCode(code);
}

const DIRECTIVE = /%(?:%|[-+ 0#]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z]))/g;

/** `printf format values…`, the format used again while values are left. */
export function printf(args: readonly string[]): string {
  const format = unescapeText(args[0] ?? '');
  const values = args.slice(1);
  let printed = '';
  let at = 0;
  // What is longer than any value is not read further on, and said to be too long there.
  while (printed.length <= MAX_VALUE) {
    const start = at;
    printed += format.replace(DIRECTIVE, (_whole, kind: string | undefined) => {
      if (kind === undefined) return '%';
      const value = values[at] ?? '';
      at += 1;
      if (kind === 's') return value;
      if (kind === 'b') return unescapeText(value);
      if (kind === 'c') return value.slice(0, 1);
      return kind === 'd' || kind === 'i' ? value || '0' : UNKNOWN;
    });
    if (at === start || at >= values.length) break;
  }
  return printed;
}
