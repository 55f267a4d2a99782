import type { Word, WordPart } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { evaluate } from './arithmetic.ts';
import { expandBraces, wordsOf } from './braces.ts';
import { expandParameter } from './parameters.ts';
import { runLater } from './run-code.ts';
import type { Shell, Value } from './state.ts';
import { MAX_VALUE, NONE, addUnclear, isSpent, plainWord, spend, union } from './state.ts';
import { runSubstitution } from './substitutions.ts';
import { asValue, tildeDir, untold, variableValue } from './variables.ts';

/** A word in the making: what is before a field break is done. */
interface Fields {
  readonly done: Field[];
  now: Field | undefined;
  /** A part of it grew too long to be followed. */
  long?: boolean;
}

interface Field {
  value: string;
  glob: boolean;
  from: readonly number[];
  env?: readonly string[] | undefined;
}

const GLOB = /[*?[]/;

/** The words that one typed word becomes. */
export function expandWord(word: Word, shell: Shell): readonly ShellWord[] {
  const { parts, text } = word;
  if (parts === undefined) return [plain(word, shell)];
  for (const part of parts) {
    if (part.type === 'BraceExpansion') return expandBraced(text, shell);
  }
  const fields: Fields = { done: [], now: undefined };
  addParts(fields, parts, shell, true);
  const { done, now } = fields;
  if (fields.long === true) addUnclear(shell.all, 'too-long', text);
  if (now) done.push(now);
  return done.map((field) => finish(field, text));
}

/** The one word that a typed word becomes where words are not split: assignments, redirections, `[[ ]]`. */
export function expandOne(word: Word, shell: Shell): ShellWord {
  const { parts, text } = word;
  if (parts === undefined) return plain(word, shell);
  const fields: Fields = { done: [], now: { value: '', glob: false, from: NONE } };
  addParts(fields, parts, shell, false);
  if (fields.long === true) addUnclear(shell.all, 'too-long', text);
  return finish(fields.now as Field, text);
}

/** Text with expansions but without words, such as the body of a heredoc. */
export function expandText(parts: readonly WordPart[], shell: Shell): ShellWord {
  const fields: Fields = { done: [], now: { value: '', glob: false, from: NONE } };
  for (const part of parts) {
    if (part.type === 'Literal') append(fields, part.value, false, NONE);
    else addPart(fields, part, shell, false, true);
  }
  if (fields.long === true) addUnclear(shell.all, 'too-long', shell.source);
  return finish(fields.now as Field, '');
}

function plain(word: Word, shell: Shell): ShellWord {
  const { text, value } = word;
  const meant = text.charCodeAt(0) === 126 ? expandTilde(value, shell) : value;
  const known = !meant.includes(UNKNOWN);
  return { text, value: meant, known, glob: false, from: known ? NONE : shell.codeFrom };
}

function finish(field: Field, text: string): ShellWord {
  const { value, glob, from, env } = field;
  const word = { text, value, known: !value.includes(UNKNOWN), glob, from };
  return env ? { ...word, env } : word;
}

function expandTilde(value: string, shell: Shell): string {
  const slash = value.indexOf('/');
  const dir = tildeDir(shell, slash < 0 ? value.slice(1) : value.slice(1, slash));
  if (dir === undefined) return value;
  return slash < 0 ? dir : dir + value.slice(slash);
}

/** Needs no parser to be read as a word. */
const PLAIN = /^[\w./:@%+-]+$/;

function expandBraced(text: string, shell: Shell): readonly ShellWord[] {
  if (!spend(shell.all, 16, text)) return [plainWord(text, UNKNOWN)];
  const words: ShellWord[] = [];
  const { texts, cut } = expandBraces(text);
  if (cut) addUnclear(shell.all, 'too-long', text);
  for (const one of texts) {
    const easy = PLAIN.test(one);
    if (!spend(shell.all, easy ? 4 : 16 + (one.length >> 5), text)) return [...words, plainWord(text, UNKNOWN)];
    if (easy) words.push(plainWord(one));
    else
      for (const word of wordsOf(one)) {
        if (word.parts?.some((part) => part.type === 'BraceExpansion') === true) words.push(expandOne(word, shell));
        else words.push(...expandWord(word, shell));
      }
  }
  return words;
}

function addParts(fields: Fields, parts: readonly WordPart[], shell: Shell, split: boolean): void {
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as WordPart;
    if (at === 0 && part.type === 'Literal' && part.text.charCodeAt(0) === 126) {
      const whole = parts.length === 1 || part.value.includes('/');
      append(fields, whole ? expandTilde(part.value, shell) : part.value, false, NONE);
    } else addPart(fields, part, shell, split, false);
  }
}

function addPart(fields: Fields, part: WordPart, shell: Shell, split: boolean, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      append(fields, part.value, false, part.value.includes(UNKNOWN) ? shell.codeFrom : NONE);
      break;
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.parts.length === 0) append(fields, '', false, NONE);
      for (const child of part.parts) addPart(fields, child, shell, split, true);
      break;
    case 'Glob':
      append(fields, part.text, true, NONE);
      break;
    case 'ExtendedGlob':
      // Taken for more than it matches. Behind a pattern, zsh has conditions in such parentheses: `*(/)`.
      append(fields, /[(|]\./.test(part.text) ? '.*' : '*', true, NONE);
      readCondition(part.text, shell);
      break;
    case 'BraceExpansion':
      append(fields, part.text, false, NONE);
      break;
    case 'SimpleExpansion':
      addVariable(fields, part.text.slice(1), shell, split, quoted);
      break;
    case 'ParameterExpansion': {
      const { parameter, prefix, index, operation } = part;
      if (prefix === undefined && index === undefined && operation === undefined) {
        addVariable(fields, parameter, shell, split, quoted);
        break;
      }
      if (isSpent(shell.all)) append(fields, UNKNOWN, false, NONE);
      else addValues(fields, expandParameter(part, shell, expandOne), split, quoted, shell);
      break;
    }
    case 'ArithmeticExpansion': {
      const number = part.expression ? evaluate(part.expression, shell) : undefined;
      append(fields, number === undefined ? UNKNOWN : String(number), false, NONE);
      break;
    }
    case 'CommandExpansion': {
      const { text, from } = runSubstitution(part, shell);
      addValues(fields, [{ text, from }], split, quoted, shell);
      break;
    }
    case 'ProcessSubstitution': {
      const { from, path } = runSubstitution(part, shell);
      append(fields, path ?? UNKNOWN, false, from);
      break;
    }
  }
}

/** In zsh a condition may be code: `*(e:'…':)`. */
function readCondition(text: string, shell: Shell): void {
  const code = /[(,]e([^\w\s])([^]*)\1/.exec(text)?.[2];
  if (code !== undefined) runLater(code.replaceAll(/^["']|["']$/g, ''), 'glob', text, shell);
}

function addVariable(fields: Fields, name: string, shell: Shell, split: boolean, quoted: boolean): void {
  if (name === '@' || name === '*') {
    const values: readonly Value[] = shell.args ? shell.args.map(asValue) : [{ text: UNKNOWN, from: NONE }];
    if (quoted && name === '*') {
      append(fields, values.map((one) => one.text).join(' '), false, [...new Set(values.flatMap((one) => one.from))]);
    } else addValues(fields, values, split, quoted, shell);
    return;
  }
  const value = variableValue(name, shell) ?? untold(name);
  // To zsh the name of a list is the whole list, to bash its first member.
  const { items, from } = value;
  const isList = !quoted && split && items !== undefined && items.size > 1;
  addValues(fields, isList ? [...items.values()].map((text) => ({ text, from })) : [value], split, quoted, shell);
}

/** Several values become several words, or one when words are not split here. */
function addValues(fields: Fields, values: readonly Value[], split: boolean, quoted: boolean, shell: Shell): void {
  if (values.length > FEW && !spend(shell.all, values.length, shell.source)) {
    append(fields, UNKNOWN, false, NONE);
    return;
  }
  values.forEach((value, at) => {
    if (at > 0) {
      if (split) breakField(fields);
      else append(fields, ' ', false, NONE);
    }
    const glob = value.glob === true || (!quoted && GLOB.test(value.text));
    const paid = value.text.length <= LONG || spend(shell.all, value.text.length >> 6, shell.source);
    if (!paid) append(fields, UNKNOWN, false, value.from);
    else if (quoted || !split) append(fields, value.text, glob, value.from);
    else appendSplit(fields, value, glob, shell);
    if (value.env && fields.now) fields.now.env = union(fields.now.env ?? NONE, value.env);
  });
}

function appendSplit(fields: Fields, value: Value, glob: boolean, shell: Shell): void {
  const ifs = shell.variables.get('IFS')?.text ?? ' \t\n';
  const { text } = value;
  if (text.length > FEW && !spend(shell.all, text.length, shell.source)) {
    append(fields, UNKNOWN, false, value.from);
    return;
  }
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && !ifs.includes(text[at] as string)) continue;
    if (at > start) append(fields, text.slice(start, at), glob, value.from);
    if (at < text.length) breakField(fields);
    start = at + 1;
  }
}

function breakField(fields: Fields): void {
  if (fields.now) fields.done.push(fields.now);
  fields.now = undefined;
}

/** So many values, and so much text, cost nothing. */
const FEW = 64;
const LONG = 512;

function append(fields: Fields, value: string, glob: boolean, from: readonly number[]): void {
  const { now } = fields;
  if (now === undefined) {
    fields.now = { value, glob, from };
    return;
  }
  if (now.value.length + value.length > MAX_VALUE) {
    now.value = UNKNOWN;
    fields.long = true;
  } else now.value += value;
  if (glob) now.glob = true;
  if (from.length > 0) now.from = union(now.from, from);
}
