import { DIGITS, foldCase, invert, LAST, LINE_ENDS, normalise, SPACE, WORD } from './pattern-ranges.ts';
import type { Ranges } from './pattern-ranges.ts';

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge';

export type PatternNode =
  | { readonly kind: 'set'; readonly ranges: Ranges }
  | { readonly kind: 'cat'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'or'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly kind: 'assert'; readonly what: Assertion };

/** A pattern that cannot be used: what is wrong, where, and what to write instead. */
export class PatternError extends Error {
  /** Index of the offending character, from 0. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

interface Reader {
  readonly source: string;
  at: number;
  flags: Flags;
  depth: number;
}

const MAX_DEPTH = 60;
const MAX_COUNT = 1_000;
const NO_BACKREFERENCE =
  'a reference back to a group is not supported, because it cannot be matched in linear time; write the repeated text out';
const NO_LOOKAROUND =
  'looking ahead or behind is not supported, because it cannot be matched in linear time; put what must be there, or must not, into `conditions` (`regex_match`, `not_regex_match`)';

const SHORTHANDS: ReadonlyMap<string, Ranges> = new Map([
  ['d', DIGITS],
  ['w', WORD],
  ['s', SPACE],
  ['D', invert(DIGITS)],
  ['W', invert(WORD)],
  ['S', invert(SPACE)],
]);
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['f', 12],
  ['v', 11],
  ['0', 0],
  ['a', 7],
]);

/** The syntax that JavaScript and Python share, with Python's `(?i)`, `(?P<name>…)`, `\A` and `\Z`, minus what needs backtracking. */
export function parsePattern(source: string, ignoreCase: boolean): PatternNode {
  const reader: Reader = { source, at: 0, flags: { ignoreCase, multiline: false, dotAll: false }, depth: 0 };
  const node = readAlternatives(reader);
  if (reader.at < source.length)
    throw new PatternError('a `)` closes a group that was never opened; write `\\)` for the character', reader.at);
  return node;
}

function readAlternatives(reader: Reader): PatternNode {
  const items = [readSequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    items.push(readSequence(reader));
  }
  return items.length === 1 ? (items[0] as PatternNode) : { kind: 'or', items };
}

function readSequence(reader: Reader): PatternNode {
  const items: PatternNode[] = [];
  for (;;) {
    const char = reader.source[reader.at];
    if (char === undefined || char === '|' || char === ')') return { kind: 'cat', items };
    const start = reader.at;
    const atom = readAtom(reader);
    if (atom) items.push(readRepeat(reader, atom, start));
  }
}

/** Undefined for what only changes how the rest is read: `(?i)` and comments. */
function readAtom(reader: Reader): PatternNode | undefined {
  const { source, at } = reader;
  const char = source[at] as string;
  if (char === '(') return readGroup(reader);
  if (char === '[') return { kind: 'set', ranges: readSet(reader) };
  if (char === '\\') return readEscape(reader);
  if (readCount(source, at) || '*+?'.includes(char))
    throw new PatternError(`\`${char}\` has nothing to repeat; write \`\\${char}\` for the character`, at);
  reader.at += 1;
  if (char === '^') return { kind: 'assert', what: reader.flags.multiline ? 'line-start' : 'start' };
  if (char === '$') return { kind: 'assert', what: reader.flags.multiline ? 'line-end' : 'end' };
  if (char === '.') return { kind: 'set', ranges: reader.flags.dotAll ? [0, LAST] : invert(LINE_ENDS) };
  const code = source.codePointAt(at) as number;
  if (code <= LAST) return literal(reader, code);
  reader.at += 1;
  return { kind: 'cat', items: [literal(reader, source.charCodeAt(at)), literal(reader, source.charCodeAt(at + 1))] };
}

function literal(reader: Reader, code: number): PatternNode {
  const ranges = [code, code];
  return { kind: 'set', ranges: reader.flags.ignoreCase ? foldCase(ranges) : ranges };
}

function readGroup(reader: Reader): PatternNode | undefined {
  const { source, at, flags } = reader;
  const rest = source.slice(at, at + 200);
  if (/^\(\?(=|!|<=|<!)/.test(rest)) throw new PatternError(NO_LOOKAROUND, at);
  if (rest.startsWith('(?P=')) throw new PatternError(NO_BACKREFERENCE, at);
  if (rest.startsWith('(?#')) {
    const end = source.indexOf(')', at);
    if (end < 0) throw new PatternError('this comment is never closed', at);
    reader.at = end + 1;
    return undefined;
  }
  const opening = /^\((?:\?(?:P?<[A-Za-z_]\w*>|([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])))?/.exec(rest) as RegExpExecArray;
  const [whole, on = '', off = '', end = ''] = opening;
  if (whole === '(' && rest[1] === '?')
    throw new PatternError(`\`${rest.slice(0, 3)}\` is not supported; use \`(…)\` or \`(?:…)\``, at);
  const inside = changeFlags(flags, on, off, at);
  reader.at += whole.length;
  reader.flags = inside;
  if (end === ')') return undefined;
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw new PatternError(`groups are nested deeper than ${MAX_DEPTH}`, at);
  const node = readAlternatives(reader);
  if (source[reader.at] !== ')')
    throw new PatternError('this group is never closed; write `\\(` for the character', at);
  reader.at += 1;
  reader.depth -= 1;
  reader.flags = flags;
  return node;
}

function changeFlags(flags: Flags, on: string, off: string, at: number): Flags {
  const unknown = /[^imsua]/.exec(on + off)?.[0];
  if (unknown !== undefined)
    throw new PatternError(`the flag \`${unknown}\` is not supported; there are \`i\`, \`m\` and \`s\``, at);
  const pick = (letter: string, before: boolean) => (on.includes(letter) || before) && !off.includes(letter);
  return {
    ignoreCase: pick('i', flags.ignoreCase),
    multiline: pick('m', flags.multiline),
    dotAll: pick('s', flags.dotAll),
  };
}

function readRepeat(reader: Reader, item: PatternNode, start: number): PatternNode {
  const { source, at } = reader;
  const count = readCount(source, at);
  if (!count) return item;
  if (item.kind === 'assert') throw new PatternError('a position cannot be repeated', start);
  const { min, max, length } = count;
  if (max < min)
    throw new PatternError(`\`${source.slice(at, at + length)}\` counts down; the smaller number comes first`, at);
  if (min > MAX_COUNT || (max !== Infinity && max > MAX_COUNT))
    throw new PatternError(`counts over ${MAX_COUNT} are not supported`, at);
  reader.at += length;
  const lazy = source[reader.at] === '?';
  if (lazy) reader.at += 1;
  if (source[reader.at] === '+')
    throw new PatternError(
      'possessive repetition is not supported, and matching is linear without it; leave the second sign out',
      reader.at,
    );
  if (readCount(source, reader.at))
    throw new PatternError('this repeats a repetition; put the first one into `(?:…)`', reader.at);
  return { kind: 'repeat', item, min, max, greedy: !lazy };
}

function readCount(source: string, at: number): { min: number; max: number; length: number } | undefined {
  const char = source[at];
  if (char === '*') return { min: 0, max: Infinity, length: 1 };
  if (char === '+') return { min: 1, max: Infinity, length: 1 };
  if (char === '?') return { min: 0, max: 1, length: 1 };
  if (char !== '{') return undefined;
  const match = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(source.slice(at, at + 30));
  if (!match) return undefined;
  const min = Number(match[1]);
  const max = match[2] === undefined ? min : match[3] ? Number(match[3]) : Infinity;
  return { min, max, length: match[0].length };
}

function readEscape(reader: Reader): PatternNode {
  const { source, at } = reader;
  const char = source[at + 1];
  if (char === undefined)
    throw new PatternError('the pattern ends with a lone `\\`; write `\\\\` for the character', at);
  const shorthand = SHORTHANDS.get(char);
  const what: Assertion | undefined = { b: 'word-edge', B: 'no-word-edge', A: 'start', Z: 'end', z: 'end' }[char] as
    | Assertion
    | undefined;
  if (shorthand || what) reader.at += 2;
  if (shorthand) return { kind: 'set', ranges: shorthand };
  if (what) return { kind: 'assert', what };
  if (/[1-9k]/.test(char)) throw new PatternError(NO_BACKREFERENCE, at);
  return literal(reader, readCode(reader));
}

/** An escape that stands for one code unit. */
function readCode(reader: Reader): number {
  const { source, at } = reader;
  const char = source[at + 1] ?? '';
  const control = CONTROLS.get(char);
  const hex = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4}))/.exec(source.slice(at, at + 6));
  if (hex) {
    reader.at += hex[0].length;
    return Number.parseInt((hex[1] ?? hex[2]) as string, 16);
  }
  if (control === undefined && /[A-Za-z0-9]/.test(char))
    throw new PatternError(`the escape \`\\${char}\` is not supported`, at);
  reader.at += 2;
  return control ?? char.charCodeAt(0);
}

function readSet(reader: Reader): Ranges {
  const { source, at: start } = reader;
  reader.at += 1;
  const negated = source[reader.at] === '^';
  if (negated) reader.at += 1;
  const ranges: number[] = [];
  for (let first = true; ; first = false) {
    const at = reader.at;
    if (at >= source.length) throw new PatternError('this set is never closed; write `\\[` for the character', start);
    if (source[at] === ']' && !first) break;
    const from = readSetItem(reader);
    const isRange = source[reader.at] === '-' && reader.at + 1 < source.length && source[reader.at + 1] !== ']';
    if (typeof from !== 'number' || !isRange) {
      ranges.push(...(typeof from === 'number' ? [from, from] : from));
      continue;
    }
    reader.at += 1;
    const to = readSetItem(reader);
    if (typeof to !== 'number') ranges.push(from, from, 45, 45, ...to);
    else if (to < from) throw new PatternError(`the range \`${source.slice(at, reader.at)}\` counts down`, at);
    else ranges.push(from, to);
  }
  reader.at += 1;
  const set = normalise(reader.flags.ignoreCase ? foldCase(ranges) : ranges);
  return negated ? invert(set) : set;
}

function readSetItem(reader: Reader): number | Ranges {
  const { source, at } = reader;
  if (source[at] === '\\') {
    const char = source[at + 1] ?? '';
    const shorthand = SHORTHANDS.get(char);
    if (shorthand) {
      reader.at += 2;
      return shorthand;
    }
    if (char === 'b') {
      reader.at += 2;
      return 8;
    }
    return readCode(reader);
  }
  if ((source.codePointAt(at) as number) > LAST)
    throw new PatternError('this character is too wide for a set; write alternatives: `(a|b)`', at);
  reader.at += 1;
  return source.charCodeAt(at);
}
