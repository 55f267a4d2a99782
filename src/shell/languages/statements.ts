import type { Reader } from './reader.ts';
import { bindLoop, readExpression } from './expressions.ts';
import { bind, deeper, isMark, isWord, memberOf, nameValue, tokenAt } from './reader.ts';
import type { Token } from './signs.ts';
import type { Value } from './values.ts';
import { NOTHING, joinedValue } from './values.ts';

/** Goes through all tokens. */
export function readStatements(reader: Reader): void {
  while (reader.at < reader.tokens.length) {
    const token = tokenAt(reader) as Token;
    const before = reader.at;
    if (token.indent !== undefined && reader.language.name === 'python') reader.nested = token.indent > 0 ? 1 : 0;
    readStatement(reader);
    if (reader.at === before) reader.at += 1;
  }
}

export function readStatement(reader: Reader): void {
  deeper(reader, undefined, () => readOne(reader));
}

function readOne(reader: Reader): void {
  const token = tokenAt(reader) as Token;
  if (token.kind === 'name' && readKeyword(reader, token.text)) return;
  if (token.kind === 'name' && readAssignment(reader)) return;
  if (isMark(token, '{') && readTaken(reader)) return;
  if (token.kind === 'break' || (token.kind === 'mark' && /^[}),\]:|]$/.test(token.text))) {
    reader.at += 1;
    return;
  }
  const start = reader.at;
  const value = readExpression(reader);
  bindLoop(reader);
  if (reader.language.name === 'awk') readPipe(reader, value, start);
  const as = tokenAt(reader, 1);
  if (isWord(tokenAt(reader), 'as') && as?.kind === 'name') {
    reader.at += 2;
    bind(reader, as.text, value);
  }
}

/** Imports, loops and functions; true when something was read. */
function readKeyword(reader: Reader, word: string): boolean {
  const { name } = reader.language;
  if (word === 'import' && !isMark(tokenAt(reader, 1), '(')) return readImport(reader);
  if (word === 'from' && name === 'python') return readFrom(reader);
  if (word === 'for' || word === 'foreach') return readLoop(reader);
  if (/^(?:def|function|sub|fn)$/.test(word)) return readFunction(reader);
  if ((word === 'print' || word === 'printf') && name === 'awk') return readPrint(reader);
  if (/^(?:const|let|var|my|our|local|global)$/.test(word)) {
    reader.at += 1;
    return true;
  }
  return false;
}

/** `import a.b as c, d`; `import d, { a as b } from 'm'`; `import * as n from 'm'`. */
function readImport(reader: Reader): boolean {
  reader.at += 1;
  if (reader.language.name !== 'python') {
    const start = reader.at;
    let at = start;
    while (
      at < start + 64 &&
      reader.tokens[at] &&
      reader.tokens[at]?.kind !== 'break' &&
      !isWord(reader.tokens[at], 'from')
    )
      at += 1;
    const from = reader.tokens[at + 1];
    if (!isWord(reader.tokens[at], 'from') || from?.kind !== 'string') return true;
    const module = from.text.replace(/^node:/, '').replaceAll('/', '.');
    bindTaken(reader, reader.tokens.slice(start, at), module);
    reader.at = at + 2;
    return true;
  }
  for (;;) {
    const module = dottedAt(reader);
    const as = tokenAt(reader, 1);
    if (isWord(tokenAt(reader), 'as') && as?.kind === 'name') {
      reader.at += 2;
      reader.names.set(as.text, { name: module });
    } else reader.names.delete(module.split('.', 1)[0] as string);
    if (!isMark(tokenAt(reader), ',')) return true;
    reader.at += 1;
  }
}

function dottedAt(reader: Reader): string {
  let name = '';
  for (let token = tokenAt(reader); token?.kind === 'name' || token?.kind === 'joint'; token = tokenAt(reader)) {
    if (isWord(token, 'as') || isWord(token, 'import') || (token.kind === 'name' && name !== '' && !name.endsWith('.')))
      break;
    name += token.text;
    reader.at += 1;
  }
  return name;
}

/** What `*` gives, of the modules that matter. */
const ALL: Readonly<Record<string, string>> = {
  os: 'system popen remove unlink rmdir removedirs rename listdir walk environ execl execv execvp',
  subprocess: 'run call Popen check_call check_output getoutput getstatusoutput',
  shutil: 'rmtree move copy copytree',
  pathlib: 'Path',
  glob: 'glob iglob',
};

/** `from m import a as b, c` */
function readFrom(reader: Reader): boolean {
  reader.at += 1;
  const module = dottedAt(reader);
  if (!isWord(tokenAt(reader), 'import')) return true;
  reader.at += 1;
  if (isMark(tokenAt(reader), '*')) {
    for (const name of (ALL[module] ?? '').split(' '))
      if (name !== '') reader.names.set(name, { name: `${module}.${name}` });
    return true;
  }
  const start = reader.at;
  const wrapped = isMark(tokenAt(reader), '(');
  while (
    reader.at < reader.tokens.length &&
    (wrapped ? !isMark(tokenAt(reader), ')') : tokenAt(reader)?.kind !== 'break')
  )
    reader.at += 1;
  bindTaken(reader, reader.tokens.slice(start, reader.at), module, true);
  return true;
}

/** Names out of a module: `a`, `a as b`, `a: b`, `* as n`; the first outside of braces is the module itself. */
function bindTaken(reader: Reader, tokens: readonly Token[], module: string, all = false): void {
  let inside = all;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (isMark(token, '{')) inside = true;
    if (token.kind !== 'name' && !isMark(token, '*')) continue;
    const renamed = isWord(tokens[at + 1], 'as') || isMark(tokens[at + 1], ':');
    const name = renamed ? tokens[at + 2]?.text : token.text;
    const meant = inside && token.kind === 'name' ? `${module}.${token.text}` : module;
    if (name !== undefined && (token.kind === 'name' || renamed)) reader.names.set(name, { name: meant });
    if (renamed) at += 2;
  }
}

/** `{ a: b } = m` */
function readTaken(reader: Reader): boolean {
  let end = reader.at + 1;
  while (
    end < reader.at + 64 &&
    reader.tokens[end] &&
    !isMark(reader.tokens[end], '}') &&
    !isMark(reader.tokens[end], '{')
  )
    end += 1;
  if (!isMark(reader.tokens[end], '}') || !isMark(reader.tokens[end + 1], '=')) return false;
  const taken = reader.tokens.slice(reader.at, end);
  reader.at = end + 2;
  const { name, fields } = readExpression(reader);
  if (name !== undefined) bindTaken(reader, taken, name);
  for (const token of taken) {
    const value = token.kind === 'name' ? fields?.get(token.text) : undefined;
    if (value) bind(reader, token.text, value);
  }
  return true;
}

/** `a = b`, `a <- b`, `a += b`, `a, c = b, d`. */
function readAssignment(reader: Reader): boolean {
  const names: string[] = [];
  let at = reader.at;
  while (reader.tokens[at]?.kind === 'name' && names.length < 16) {
    names.push((reader.tokens[at] as Token).text);
    if (!isMark(reader.tokens[at + 1], ',')) break;
    at += 2;
  }
  // `p: str = …`
  if (
    isMark(reader.tokens[at + 1], ':') &&
    reader.tokens[at + 2]?.kind === 'name' &&
    isMark(reader.tokens[at + 3], '=')
  )
    at += 2;
  const mark = reader.tokens[at + 1];
  if (mark?.kind !== 'mark' || names.length === 0 || !/^(?:=|<-|:=|\+=|\.=)$/.test(mark.text)) return false;
  reader.at = at + 2;
  if (readArrow(reader, names[0] as string)) return true;
  const values: Value[] = [];
  do {
    if (values.length > 0) reader.at += 1;
    values.push(readExpression(reader));
  } while (names.length > 1 && isMark(tokenAt(reader), ','));
  bindLoop(reader);
  if (reader.language.name === 'awk') readPipe(reader, values[0] as Value, at + 2);
  names.forEach((name, place) => {
    const value = values[place] ?? values[0]?.items?.[place] ?? NOTHING;
    bind(
      reader,
      name,
      mark.text === '+=' || mark.text === '.=' ? joinedValue([nameValue(reader, name), value]) : value,
    );
  });
  return true;
}

/** `f = (a, b) => …`, `f = lambda a: …`, `f <- function(a) …`. */
function readArrow(reader: Reader, name: string): boolean {
  const first = tokenAt(reader);
  if (isWord(first, 'function') || isWord(first, 'lambda')) {
    reader.at += 1;
    return readParameters(reader, name);
  }
  let end = reader.at;
  if (isMark(first, '('))
    while (end < reader.at + 64 && reader.tokens[end] && !isMark(reader.tokens[end], ')')) end += 1;
  return isMark(reader.tokens[end + 1], '=>') ? readParameters(reader, name) : false;
}

/** `def f(a, b)`, `function f(a)`. */
function readFunction(reader: Reader): boolean {
  const name = tokenAt(reader, 1);
  if (name?.kind !== 'name') return false;
  reader.at += 2;
  return readParameters(reader, name.text);
}

function readParameters(reader: Reader, name: string): boolean {
  const parameters: string[] = [];
  let depth = 0;
  const start = reader.at;
  for (let token = tokenAt(reader); token && reader.at < start + 256; token = tokenAt(reader)) {
    if (isMark(token, '(')) depth += 1;
    else if (
      token.kind === 'name' &&
      !isMark(reader.tokens[reader.at - 1], '=') &&
      !isMark(reader.tokens[reader.at - 1], ':')
    )
      parameters.push(token.text);
    else if (isMark(token, ')') && (depth -= 1) <= 0) {
      reader.at += 1;
      break;
    } else if (depth === 0 && !isMark(token, ',')) break;
    reader.at += 1;
  }
  reader.functions.set(name, parameters);
  for (const parameter of parameters) {
    const given = reader.given.get(`${name}(${parameter}`);
    reader.names.set(parameter, given ?? { name: parameter });
  }
  return true;
}

/** `for x in list`, `for (const x of list)`, `foreach my $x (list)`, `foreach ($list as $x)`. */
function readLoop(reader: Reader): boolean {
  let at = reader.at + 1;
  while (isMark(reader.tokens[at], '(') || /^(?:const|let|var|my|our|each)$/.test(reader.tokens[at]?.text ?? ''))
    at += 1;
  const name = reader.tokens[at];
  if (name?.kind !== 'name') return false;
  if (isBehind(reader)) {
    reader.at += 1;
    bind(reader, '_', memberOf(readExpression(reader)));
    return true;
  }
  const between = reader.tokens[at + 1];
  if (isWord(between, 'as')) {
    const member = reader.tokens[at + 2];
    bind(reader, member?.text ?? '', memberOf(nameValue(reader, name.text)));
    reader.at = at + 3;
    return true;
  }
  if (!isWord(between, 'in') && !isWord(between, 'of') && !isMark(between, '(')) return false;
  reader.at = at + (isMark(between, '(') ? 1 : 2);
  const list = readExpression(reader);
  reader.names.set(name.text, list.items ? memberOf(list) : isMark(between, '(') ? list : memberOf(list));
  return true;
}

/** Perl's `… for list`, behind what is done with it. */
function isBehind({ language, tokens, at }: Reader): boolean {
  const before = tokens[at - 1];
  return (
    language.name === 'perl' &&
    before !== undefined &&
    before.kind !== 'break' &&
    !isMark(before, '{') &&
    !isMark(before, '}')
  );
}

/** `print a, b | "sh"`: what is printed to a shell is code. */
function readPrint(reader: Reader): boolean {
  reader.at += 1;
  const parts: Value[] = [];
  while (reader.at < reader.tokens.length) {
    const token = tokenAt(reader) as Token;
    if (token.kind === 'break' || (token.kind === 'mark' && /^[|}>]/.test(token.text))) break;
    const before = reader.at;
    if (isMark(token, ',')) parts.push({ texts: [' '] });
    else if (isMark(token, '(')) {
      const { items, ...one } = readExpression(reader);
      parts.push(...(items ?? [one]));
      continue;
    } else {
      parts.push(readExpression(reader));
      if (reader.at > before) continue;
    }
    reader.at = before + 1;
  }
  const mark = tokenAt(reader);
  if (!isMark(mark, '|') && !isMark(mark, '|&')) return true;
  reader.at += 1;
  const command = readExpression(reader);
  const printed = parts.length === 0 ? NOTHING : joinedValue(parts);
  reader.calls.push({
    owner: 'awk',
    name: 'print',
    self: command,
    on: undefined,
    args: [printed],
    named: new Map(),
    start: reader.at,
    end: reader.at,
  });
  return true;
}

/** `"command" | getline` */
function readPipe(reader: Reader, value: Value, start: number): void {
  if (!isMark(tokenAt(reader), '|') && !isMark(tokenAt(reader), '|&')) return;
  if (!isWord(tokenAt(reader, 1), 'getline')) return;
  reader.calls.push({
    owner: 'awk',
    name: 'getline',
    on: undefined,
    args: [value],
    named: new Map(),
    start,
    end: reader.at,
  });
}
