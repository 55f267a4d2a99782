import type { Expression } from '../../model/expression.ts';
import type { DefinitionKind } from '../../model/facts.ts';
import { linesOf, maskStrings } from './lines.ts';
import type { Line } from './lines.ts';

/** What a declaration of C says and Python has no words for. */
export interface Declared {
  readonly name: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** `typed`: a parameter or function that the rewritten text has too, without its type. */
  readonly kind: Extract<DefinitionKind, 'class' | 'function' | 'type' | 'variable' | 'constant'> | 'typed';
  readonly type: Expression | undefined;
}

/** Cython as Python, with everything in its place, and what got lost on the way. */
export interface PythonText {
  readonly text: string;
  readonly declared: readonly Declared[];
  readonly includes: readonly { readonly module: string; readonly at: number }[];
}

/** What lines mean inside a block: statements, declarations without `cdef`, members of an enum, or nothing. */
type Inside = 'code' | 'declarations' | 'enum' | 'nothing';

const KEYWORD = /^(cdef|cpdef|ctypedef)\b[ \t]*/;
const MODIFIERS = /^(?:(?:public|readonly|inline|api|packed|static|const|volatile|extern|virtual)\b[ \t]*)+/;
const TYPE_HEAD = /^(class|cppclass|struct|union|enum(?:[ \t]+class|[ \t]+struct)?|fused)\b[ \t]*/;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/u;
/** What comes before a value, and not after one. */
const BEFORE_VALUE = String.raw`(?<=(?:^|[=(,[+\-*/%:!<>&|^~]|\b(?:return|and|or|not|in|is|if|elif|else|while|assert|yield))\s*)`;
/** `<type>` of a cast, which may itself hold brackets, as that of a function does; `&` and `new`; `c'x'`; `sizeof(a *)`. */
const ONLY_C = [
  String.raw`${BEFORE_VALUE}<\s*[\p{L}_](?:[^<>=()]|\([^()]*\))*?>(?=\s*[\p{L}\p{N}_("'*&\-<])`,
  String.raw`${BEFORE_VALUE}&(?=[\p{L}_])`,
  String.raw`${BEFORE_VALUE}new(?=\s+[\p{L}_])`,
  String.raw`(?<![\p{L}\p{N}_])c(?=['"])`,
  String.raw`\*+(?=\s*\))`,
  String.raw`\b(?:unsigned|signed|struct|const)(?=\s+[\p{L}_])`,
].map((source) => new RegExp(source, 'gu'));

interface Translation {
  readonly text: string;
  /** The text without what strings and comments hold. */
  readonly masked: string;
  readonly chars: string[];
  /** As much of the text is in `chars`. */
  written: number;
  readonly declared: Declared[];
  readonly includes: { module: string; at: number }[];
  readonly decorators: Line[];
  readonly blocks: { indent: number; inside: Inside }[];
}

export function toPython(text: string): PythonText {
  const masked = maskStrings(text);
  const lists = { chars: [], declared: [], includes: [], decorators: [], blocks: [] };
  const t: Translation = { text, masked, written: 0, ...lists };
  for (const line of linesOf(masked)) readLine(t, line);
  t.chars.push(text.slice(t.written));
  return { text: t.chars.join(''), declared: t.declared, includes: t.includes };
}

/** Puts a text at a place and blanks up to `end`; places only rise. */
function put(t: Translation, at: number, replacement: string, end: number): void {
  if (at < t.written) return;
  t.chars.push(t.text.slice(t.written, at), replacement, blanks(t.text, at + replacement.length, end));
  t.written = Math.max(end, at + replacement.length);
}

function declare(t: Translation, kind: Declared['kind'], name: string, at: number, line: Line, type?: string): void {
  if (name === '') return;
  t.declared.push({ name, at, start: line.start, end: line.end, kind, type: typeNamed(type, at) });
}

/** Nothing is left of the line but a statement that does nothing. */
function drop(t: Translation, line: Line): void {
  put(t, line.start, line.end - line.start >= 4 ? 'pass' : '0', line.end);
}

function enter(t: Translation, line: Line, inside: Inside): void {
  t.blocks.push({ indent: line.indent, inside });
}

function readLine(t: Translation, line: Line): void {
  while ((t.blocks.at(-1)?.indent ?? -1) >= line.indent) t.blocks.pop();
  const inside = t.blocks.at(-1)?.inside ?? 'code';
  const head = t.masked.slice(line.start, line.end);
  if (head.startsWith('@')) {
    t.decorators.push(line);
    return;
  }
  const keyword = KEYWORD.exec(head);
  // A prototype is gone afterwards, and then so is what it was decorated with.
  const isGone = inside !== 'code' || (keyword !== null && bodyOf(head) === -1);
  for (const decorator of t.decorators.splice(0)) if (isGone) drop(t, decorator);
  if (inside === 'nothing') drop(t, line);
  else if (inside === 'enum') readMembers(t, line, head);
  else if (keyword) readDeclaration(t, line, keyword[0].length, keyword[1] === 'ctypedef');
  else if (inside === 'declarations' && !/^(?:pass\b|\.\.\.|['"]|def\b|if\b|else\b|elif\b)/.test(head)) {
    readDeclaration(t, line, 0, false);
  } else readStatement(t, line, head);
}

function readMembers(t: Translation, line: Line, head: string): void {
  for (const part of head.matchAll(/(?:^|,)\s*([\p{L}_][\p{L}\p{N}_]*)/gu)) {
    const name = part[1] ?? '';
    if (name !== 'pass') declare(t, 'constant', name, line.start + part.index + part[0].length - name.length, line);
  }
  drop(t, line);
}

function readDeclaration(t: Translation, line: Line, skip: number, isTypedef: boolean): void {
  const head = t.masked.slice(line.start, line.end);
  const rest = head.slice(skip);
  const from = skip + (MODIFIERS.exec(rest)?.[0].length ?? 0);
  if (/^extern\s+from\b/.test(rest) || /^(?:(?:nogil|inline|public|readonly|api)\s*)*:$/.test(rest)) {
    put(t, line.start, 'if 1', line.end - 1);
    enter(t, line, 'declarations');
    return;
  }
  const type = TYPE_HEAD.exec(head.slice(from));
  if (type) readType(t, line, from, type[1] ?? '', type[0].length);
  else if (isTypedef) {
    const name = /([\p{L}_][\p{L}\p{N}_]*)\s*\)?\s*(?:\([^)]*\)|\[[^\]]*\])?\s*(?:except\b.*|nogil)?$/u.exec(head);
    const pointer = /\(\s*\*\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(head);
    const found = pointer?.[1] ?? name?.[1] ?? '';
    const at = pointer ? head.indexOf(found, pointer.index) : (name?.index ?? 0);
    declare(t, 'type', found, line.start + at, line, pointer ? undefined : head.slice(from, at));
    drop(t, line);
  } else if (isFunction(head.slice(from))) readFunction(t, line, from);
  else readVariables(t, line, from, skip > 0);
}

/** `cdef class A(B):`, `cdef struct a:`, `ctypedef enum b:`. */
function readType(t: Translation, line: Line, from: number, kind: string, width: number): void {
  const head = t.masked.slice(line.start, line.end);
  const tail = head.slice(from + width);
  const path = /^[\p{L}\p{N}_.]+/u.exec(tail)?.[0] ?? '';
  const name = path.slice(path.lastIndexOf('.') + 1);
  const at = from + width + path.length - name.length;
  const inside: Inside = kind.startsWith('enum')
    ? 'enum'
    : kind === 'fused'
      ? 'nothing'
      : kind === 'class'
        ? 'code'
        : 'declarations';
  if (!head.endsWith(':')) {
    // `cdef struct a x` declares a variable, `cdef class A` says that there is one.
    if (/^\s*\*?\s*[\p{L}_]/u.test(tail.slice(path.length)) && kind !== 'class') readVariables(t, line, from, true);
    else {
      declare(t, 'class', name, line.start + at, line);
      drop(t, line);
    }
    return;
  }
  if (name === '' || at < 6) {
    declare(t, 'class', name, line.start + at, line);
    put(t, line.start, 'if 1', line.end - 1);
  } else {
    put(t, line.start, 'class', line.start + at);
    const bases = /^\s*\([^)]*\)/.exec(head.slice(at + name.length))?.[0].length ?? 0;
    put(t, line.start + at + name.length + bases, '', line.end - 1);
  }
  enter(t, line, inside);
}

function readFunction(t: Translation, line: Line, from: number): void {
  const head = t.masked.slice(line.start, line.end);
  const open = head.indexOf('(', from);
  const name = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:"[^"]*"\s*|\[[^\]]*\]\s*)?$/u.exec(head.slice(from, open));
  const close = closing(head, open);
  if (name === null) {
    drop(t, line);
    return;
  }
  const at = from + name.index;
  const colon = bodyOf(head);
  const hasBody = colon !== -1 && at >= 4;
  declare(t, hasBody ? 'typed' : 'function', name[1] ?? '', line.start + at, line, head.slice(from, at));
  if (!hasBody) {
    drop(t, line);
    return;
  }
  put(t, line.start, 'def ', line.start + at);
  put(t, line.start + at + (name[1] ?? '').length, '', line.start + open);
  readParameters(t, line, open, close);
  put(t, line.start + close + 1, '', line.start + colon);
  putExpression(t, line.start + colon, line.end);
  enter(t, line, 'code');
}

/** Types stand before names, so they are blanked; those of Python stand behind. */
function readParameters(t: Translation, line: Line, open: number, close: number): void {
  const head = t.masked.slice(line.start, line.end);
  for (const [start, end] of splitList(head, open + 1, close)) {
    const part = head.slice(start, end);
    if (part.trim() === '...') {
      put(t, line.start + start + part.indexOf('...'), '*_', line.start + end);
      continue;
    }
    if (
      part.trim() === '' ||
      /^\s*(?:\*{1,2}\s*[\p{L}_]|\*\s*$|\/\s*$)/u.test(part) ||
      /^\s*[\p{L}\p{N}_]+\s*:/u.test(part)
    )
      continue;
    const value = assignmentIn(part);
    const until = value === -1 ? part.length : value;
    const typed = part.slice(0, until).replace(/\b(?:not|or)\s+None\s*$/, '');
    const name = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\]\s*)*$/u.exec(typed);
    const lead = start + part.length - part.trimStart().length;
    if (name === null || name[1] === undefined) {
      put(t, line.start + lead, '_', line.start + end);
      continue;
    }
    const at = start + name.index;
    if (at > lead) declare(t, 'typed', name[1], line.start + at, line, head.slice(lead, at));
    put(t, line.start + lead, '', line.start + at);
    const rest = at + name[1].length;
    // `=*` and `=?` only say that there is a default.
    const isOpen = value !== -1 && /^=\s*[*?]\s*$/.test(part.slice(value));
    put(t, line.start + rest, '', line.start + (isOpen ? end : start + until));
  }
}

function readVariables(t: Translation, line: Line, from: number, hasKeyword: boolean): void {
  const head = t.masked.slice(line.start, line.end);
  let isFirst = true;
  let type = '';
  let kept = false;
  for (const [start, end] of splitList(head, from, head.length)) {
    const part = head.slice(start, end);
    const value = assignmentIn(part);
    const pointer = /\(\s*\*\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(value === -1 ? part : part.slice(0, value));
    const name =
      pointer ??
      /([\p{L}_][\p{L}\p{N}_]*)\s*(?:"\s*"\s*|\[[^\]]*\]\s*)*$/u.exec(value === -1 ? part : part.slice(0, value));
    if (name === null) continue;
    const word = name[1] ?? '';
    const at = start + (pointer ? part.indexOf(word, name.index) : name.index);
    if (isFirst) type = head.slice(from, at);
    declare(t, 'variable', word, line.start + at, line, pointer ? undefined : type);
    if (value !== -1 && hasKeyword && !kept && at >= 5) {
      put(t, line.start, 'pass;', line.start + at);
      put(t, line.start + at + word.length, '', line.start + start + value);
      kept = true;
      t.written = Math.max(t.written, line.start + start + value);
      putExpression(t, line.start + start + value, line.start + end);
      put(t, line.start + end, '', line.end);
    }
    isFirst = false;
  }
  if (!kept) drop(t, line);
}

function readStatement(t: Translation, line: Line, head: string): void {
  const include = /^include\s+/.exec(head);
  if (include) {
    const at = line.start + include[0].length + 1;
    t.includes.push({ module: t.text.slice(at, line.end - 1), at });
    drop(t, line);
    return;
  }
  const constant = /^DEF\s+/.exec(head);
  if (constant) {
    const name = NAME.exec(head.slice(constant[0].length))?.[0] ?? '';
    declare(t, 'constant', name, line.start + constant[0].length, line);
    drop(t, line);
    return;
  }
  const property = /^property\s+([\p{L}_][\p{L}\p{N}_]*)\s*:$/u.exec(head);
  if (property) {
    declare(t, 'variable', property[1] ?? '', line.start + head.indexOf(property[1] ?? '', 8), line);
    put(t, line.start, 'if 1', line.end - 1);
    enter(t, line, 'code');
    return;
  }
  const condition = /^(IF|ELIF|ELSE)\b/.exec(head)?.[0];
  if (condition !== undefined) put(t, line.start, condition.toLowerCase(), line.start + condition.length);
  const cimport = /^(?:from\s+\S+\s+)?(cimport)\s/.exec(head);
  if (cimport) {
    const at = line.start + cimport[0].indexOf('cimport');
    put(t, at, 'import ', at + 7);
    return;
  }
  const definition = /^(?:async\s+)?def\s+[\p{L}\p{N}_]+\s*\(/u.exec(head);
  if (definition) {
    const open = definition[0].length - 1;
    const close = closing(head, open);
    readParameters(t, line, open, close);
    const colon = bodyOf(head);
    const hasArrow = /^\s*->/.test(head.slice(close + 1));
    if (colon === -1) return;
    if (!hasArrow) put(t, line.start + close + 1, '', line.start + colon);
    putExpression(t, line.start + colon, line.end);
    return;
  }
  const loop = /^for\s+[\p{L}\p{N}_]+\s+from\s/u.exec(head);
  if (loop) {
    const at = line.start + loop[0].lastIndexOf('from');
    put(t, at, 'in', at + 4);
  }
  putExpression(t, line.start, line.end);
}

/** What only C has is blanked. */
function putExpression(t: Translation, from: number, to: number): void {
  const head = t.masked.slice(from, to);
  if (!/[<&]|\b(?:new|unsigned|signed|struct|const)\b|c['"]|\*\s*\)/.test(head)) return;
  const found: [number, number][] = [];
  for (const pattern of ONLY_C) {
    for (const { index, 0: whole } of head.matchAll(pattern)) found.push([index, index + whole.length]);
  }
  for (const [start, end] of found.sort(([a], [b]) => a - b)) put(t, from + start, '', from + end);
}

/** Where the colon before the body of a head is. */
function bodyOf(head: string): number {
  const open = head.indexOf('(');
  const at = head.indexOf(':', open === -1 ? 0 : closing(head, open));
  return at;
}

/** The first `=` that is in no bracket and compares nothing. */
function assignmentIn(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '(' || char === '[' || char === '{') depth++;
    else if (char === ')' || char === ']' || char === '}') depth--;
    else if (char === '=' && depth === 0) {
      if (text[at + 1] === '=') at++;
      else if (!'<>!'.includes(text[at - 1] ?? ' ')) return at;
    }
  }
  return -1;
}

function isFunction(declaration: string): boolean {
  const open = declaration.indexOf('(');
  if (open <= 0 || /^\s*\*/.test(declaration.slice(open + 1))) return false;
  const before = declaration.slice(0, open);
  return assignmentIn(before) === -1 && /[\p{L}\p{N}_"\]]\s*$/u.test(before);
}

/** Where the bracket that opens at a place is closed. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (char === '(' || char === '[' || char === '{') depth++;
    else if ((char === ')' || char === ']' || char === '}') && --depth === 0) return at;
  }
  return text.length;
}

/** Parts between commas that are in no bracket. */
function splitList(text: string, from: number, to: number): [number, number][] {
  const parts: [number, number][] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < to; at++) {
    const char = text[at];
    if (char === '(' || char === '[' || char === '{') depth++;
    else if (char === ')' || char === ']' || char === '}') depth--;
    else if (char === ',' && depth === 0) {
      parts.push([start, at]);
      start = at + 1;
    }
  }
  parts.push([start, to]);
  return parts;
}

function blanks(text: string, from: number, to: number): string {
  return to <= from ? '' : text.slice(from, to).replace(/[^\n\\]/g, ' ');
}

const NUMBERS = /\b(?:int|long|short|char|size_t|ssize_t|Py_ssize_t|unsigned|signed|bint|float|double|void)\b/;

/** The class that a type of C names, without what says how it is held. */
function typeNamed(type: string | undefined, at: number): Expression | undefined {
  if (type === undefined || NUMBERS.test(type)) return undefined;
  const path = /([\p{L}_][\p{L}\p{N}_.]*)\s*(?:\[.*\])?[\s*&]*$/su.exec(type)?.[1];
  if (path === undefined) return undefined;
  const [first = '', ...rest] = path.split('.');
  let found: Expression = { is: 'name', name: first, at };
  for (const name of rest) found = { is: 'member', of: found, name };
  return found;
}
