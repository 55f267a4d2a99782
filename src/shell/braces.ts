import type { Word } from 'unbash';
import { parse } from 'unbash';

/** How many words one pattern of braces may become. */
const MAX_WORDS = 1024;
/** Numbers beyond these differ in nothing that is judged. */
const MAX_NUMBERS = 32;

export interface Expanded {
  readonly texts: readonly string[];
  /** There are more, unlike these. */
  readonly cut: boolean;
}

/** The texts that `{a,b}` and `{1..3}` in a typed word stand for, in order; quotes are kept. */
export function expandBraces(text: string): Expanded {
  const found = findGroup(text);
  if (!found) return { texts: [text], cut: false };
  const { open, close, choices } = found;
  const before = text.slice(0, open);
  const texts: string[] = [];
  const after = expandBraces(text.slice(close + 1));
  let { cut } = after;
  for (const [at, choice] of choices.entries()) {
    const middles = found.range ? { texts: [choice], cut: false } : expandBraces(choice);
    cut ||= middles.cut;
    for (const middle of middles.texts) {
      for (const end of after.texts) {
        if (texts.length >= MAX_WORDS) return { texts, cut: cut || !found.range || at === 0 };
        texts.push(before + middle + end);
      }
    }
  }
  return { texts, cut };
}

/** A typed text as the words it would be among a command's arguments. */
export function wordsOf(text: string): readonly Word[] {
  const command = parse(`: ${text}`).commands[0]?.command;
  if (command?.type !== 'Command') return [];
  return command.args.filter((one): one is Word => one.type === 'Word');
}

interface Group {
  readonly open: number;
  readonly close: number;
  readonly choices: readonly string[];
  readonly range: boolean;
}

function findGroup(text: string): Group | undefined {
  for (let open = 0; open < text.length; open += 1) {
    const skipped = skipQuoted(text, open);
    if (skipped > open) {
      open = skipped - 1;
      continue;
    }
    if (text[open] !== '{') continue;
    const group = readGroup(text, open);
    if (group) return group;
  }
  return undefined;
}

function readGroup(text: string, open: number): Group | undefined {
  const choices: string[] = [];
  let level = 0;
  let start = open + 1;
  for (let at = open + 1; at < text.length; at += 1) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) {
      at = skipped - 1;
      continue;
    }
    const char = text[at];
    if (char === '{') level += 1;
    else if (char === ',' && level === 0) {
      choices.push(text.slice(start, at));
      start = at + 1;
    } else if (char === '}') {
      if (level > 0) {
        level -= 1;
        continue;
      }
      if (choices.length > 0) {
        choices.push(text.slice(start, at));
        return { open, close: at, choices, range: false };
      }
      const range = readRange(text.slice(start, at));
      return range && { open, close: at, choices: range, range: true };
    }
  }
  return undefined;
}

/** Past the quoted part, the substitution or the escape that starts at `at`; `at` itself when there is none. */
function skipQuoted(text: string, at: number): number {
  const char = text[at];
  if (char === '\\') return at + 2;
  if (char === "'") return past(text, "'", at + 1);
  if (char === '"' || char === '`') {
    for (let end = at + 1; end < text.length; end += 1) {
      if (text[end] === '\\') end += 1;
      else if (text[end] === char) return end + 1;
    }
    return text.length;
  }
  if (char !== '$' || (text[at + 1] !== '{' && text[at + 1] !== '(')) return at;
  const [up, down] = text[at + 1] === '{' ? ['{', '}'] : ['(', ')'];
  let level = 0;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === up) level += 1;
    else if (text[end] === down) {
      level -= 1;
      if (level === 0) return end + 1;
    }
  }
  return text.length;
}

function past(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + 1;
}

const RANGE = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/;

function readRange(text: string): readonly string[] | undefined {
  const match = RANGE.exec(text);
  if (!match) return undefined;
  const [, first = '', last = '', by] = match;
  const numbers = /\d/.test(first) && /\d/.test(last);
  if (!numbers && (/\d/.test(first) || /\d/.test(last))) return undefined;
  const from = numbers ? Number(first) : first.charCodeAt(0);
  const to = numbers ? Number(last) : last.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const padded = numbers && /^-?0\d/.test(first) ? first.length : 0;
  const words: string[] = [];
  for (let at = from; from <= to ? at <= to : at >= to; at += from <= to ? step : -step) {
    if (numbers && words.length >= MAX_NUMBERS) break;
    words.push(numbers ? String(at).padStart(padded, '0') : String.fromCharCode(at));
  }
  return words;
}
