import { UNKNOWN } from '../command.ts';
import { quote } from '../quote.ts';
import type { Language } from './languages.ts';
import { fromEnvironment } from './functions.ts';
import type { Call, Value } from './values.ts';
import { NOTHING, joinedValue, knownTextOf, textValue } from './values.ts';

/** What is known while commands are gone through. */
interface Commands {
  readonly code: string;
  readonly language: Language;
  readonly names: Map<string, Value>;
  readonly calls: Call[];
  at: number;
  depth: number;
  cut: boolean;
}

const DEEPEST = 30;

/** Languages of one command to a line, with words as a shell has them. */
export function readCommands(
  text: string,
  language: Language,
): { tokens: readonly []; calls: readonly Call[]; names: ReadonlyMap<string, Value>; cut: boolean } {
  const commands: Commands = { code: text, language, names: new Map(), calls: [], at: 0, depth: 0, cut: false };
  readBlock(commands, undefined);
  return { tokens: [], calls: commands.calls, names: commands.names, cut: commands.cut };
}

/** Commands up to the sign that closes; what the last one gives. */
function readBlock(commands: Commands, close: string | undefined): Value {
  const { code } = commands;
  if (commands.depth >= DEEPEST) {
    commands.cut = true;
    commands.at = code.length;
    return NOTHING;
  }
  commands.depth += 1;
  let last: Value = NOTHING;
  /** The commands of a pipe, as a shell would have them. */
  let line = '';
  while (commands.at < code.length && code[commands.at] !== close) {
    const before = commands.at;
    skipBlank(commands);
    const words = readWords(commands, close);
    const read = words.length > 0 ? readCommand(commands, words) : undefined;
    if (read) last = read.value;
    line += read?.shell ?? '';
    const pipes = code[commands.at] === '|' && code[commands.at + 1] !== '|';
    if (pipes && line !== '') line += ' | ';
    else if (!pipes) line = addLine(commands, line);
    if (/[\n;|&]/.test(code[commands.at] ?? '')) commands.at += 1;
    if (commands.at === before) commands.at += 1;
  }
  addLine(commands, line);
  if (code[commands.at] === close) commands.at += 1;
  commands.depth -= 1;
  return last;
}

function addLine({ calls, at }: Commands, line: string): string {
  const text = line.replace(/ \| $/, '');
  if (text !== '')
    calls.push({ owner: '', name: '`', on: undefined, args: [textValue(text)], named: new Map(), start: at, end: at });
  return '';
}

function skipBlank(commands: Commands): void {
  const { code, language } = commands;
  for (;;) {
    while (/[\s;]/.test(code[commands.at] ?? '')) commands.at += 1;
    const block = language.block;
    if (block && code.startsWith(block[0], commands.at)) {
      const end = code.indexOf(block[1], commands.at);
      commands.at = end < 0 ? code.length : end + block[1].length;
    } else if (code[commands.at] === '#') {
      const end = code.indexOf('\n', commands.at);
      commands.at = end < 0 ? code.length : end;
    } else return;
  }
}

interface Word {
  readonly value: Value;
  /** As it stands there, if it is one plain word. */
  readonly plain: string;
  /** The name of the variable that it is. */
  readonly variable?: string;
}

function readWords(commands: Commands, close: string | undefined): Word[] {
  const { code, language } = commands;
  const words: Word[] = [];
  const ends = language.name === 'tcl' ? /[\n;]/ : /[\n;|]/;
  while (commands.at < code.length) {
    const sign = code[commands.at] as string;
    if (sign === close || ends.test(sign) || (language.name === 'powershell' && code.startsWith('&&', commands.at)))
      break;
    if (sign === ' ' || sign === '\t' || sign === '\r' || (sign === ',' && language.name === 'powershell'))
      commands.at += 1;
    else if ((sign === '`' || sign === '\\') && code[commands.at + 1] === '\n') commands.at += 2;
    else words.push(readWord(commands, close));
  }
  return words;
}

/** One word, of parts side by side. */
function readWord(commands: Commands, close: string | undefined): Word {
  const { code, language } = commands;
  const tcl = language.name === 'tcl';
  const start = commands.at;
  const parts: Value[] = [];
  let plain = '';
  let simple = true;
  const stop = tcl ? /[\s;]/ : /[\s;|,)}]/;
  while (commands.at < code.length) {
    const sign = code[commands.at] as string;
    if (commands.at > start && (sign === close || stop.test(sign))) break;
    const mark = sign === '"' || (sign === "'" && !tcl) ? sign : undefined;
    if (mark !== undefined && (!tcl || commands.at === start)) parts.push(readQuoted(commands, mark));
    else if (sign === '{' && commands.at === start)
      return { value: tcl ? readBraced(commands) : readScript(commands), plain: '{' };
    else if (sign === '(' && /^\[[\w.]+\]::\w+$/.test(plain)) {
      commands.at += 1;
      const args = readWords(commands, ')');
      commands.at += 1;
      return { value: addMethod(commands, plain, args), plain: '' };
    } else if (
      tcl ? sign === '[' : sign === '(' || code.startsWith('$(', commands.at) || code.startsWith('@(', commands.at)
    ) {
      commands.at += sign === '$' || sign === '@' ? 2 : 1;
      parts.push(readBlock(commands, tcl ? ']' : ')'));
    } else if (sign === '$') parts.push(readVariable(commands));
    else {
      if ((sign === '\\' && tcl) || (sign === '`' && !tcl)) commands.at += 1;
      const text = code[commands.at] ?? '';
      parts.push(textValue(text));
      plain += text;
      commands.at += 1;
      continue;
    }
    simple = false;
  }
  const value = parts.length === 1 ? (parts[0] as Value) : joinedValue(parts);
  const [, variable] = tcl ? [] : (/^\$([\w:]+)$/.exec(code.slice(start, commands.at)) ?? []);
  return { value, plain: simple ? plain : '', ...(variable !== undefined && { variable: variable.toLowerCase() }) };
}

/** `[System.IO.Directory]::Delete(x)` */
function addMethod({ calls, at }: Commands, text: string, words: readonly Word[]): Value {
  const [type = '', name = ''] = text.slice(1).split(']::');
  const owner = type.toLowerCase().replace(/^system\./, '');
  const args = words.map(({ value }) => value);
  calls.push({ owner, name: name.toLowerCase(), on: undefined, args, named: new Map(), start: at, end: at });
  return NOTHING;
}

function readQuoted(commands: Commands, mark: string): Value {
  const { code, language } = commands;
  const tcl = language.name === 'tcl';
  const parts: Value[] = [];
  commands.at += 1;
  while (commands.at < code.length) {
    const sign = code[commands.at] as string;
    if (sign === mark) {
      if (code[commands.at + 1] !== mark || tcl) break;
      commands.at += 1;
      parts.push(textValue(mark));
      commands.at += 1;
    } else if (mark === '"' && sign === (tcl ? '\\' : '`')) {
      parts.push(textValue(code[commands.at + 1] ?? ''));
      commands.at += 2;
    } else if (mark === '"' && (tcl ? sign === '[' : code.startsWith('$(', commands.at))) {
      commands.at += tcl ? 1 : 2;
      parts.push(readBlock(commands, tcl ? ']' : ')'));
    } else if (mark === '"' && sign === '$') parts.push(readVariable(commands));
    else {
      const [text = sign] = /^[^"'$`\\[]+/.exec(code.slice(commands.at, commands.at + 4_096)) ?? [];
      parts.push(textValue(text));
      commands.at += text.length;
    }
  }
  commands.at += 1;
  return parts.length === 0 ? textValue('') : joinedValue(parts);
}

/** Text in braces; what is in it may be a script, and is read as one too. */
function readBraced(commands: Commands): Value {
  const { code } = commands;
  let depth = 0;
  let end = commands.at;
  for (; end < code.length; end += 1) {
    if (code[end] === '\\') end += 1;
    else if (code[end] === '{') depth += 1;
    else if (code[end] === '}' && (depth -= 1) === 0) break;
  }
  const text = code.slice(commands.at + 1, end);
  if (text.includes('\n') || /^\s*(?:exec|file|eval|puts|open|set)\b/.test(text)) {
    const inner: Commands = { ...commands, code: text, at: 0, depth: commands.depth + 1 };
    readBlock(inner, undefined);
    commands.cut ||= inner.cut;
  }
  commands.at = end + 1;
  return textValue(text);
}

function readScript(commands: Commands): Value {
  commands.at += 1;
  return readBlock(commands, '}');
}

const VARIABLE = /^\$(?:\{([\w:]+)\}|((?:env:|::|global:|script:)?[A-Za-z_]\w*)(?:\((\w+)\))?)/i;

function readVariable(commands: Commands): Value {
  const [whole, braced, plain, element] = VARIABLE.exec(commands.code.slice(commands.at, commands.at + 160)) ?? [];
  if (whole === undefined) {
    commands.at += 1;
    return textValue('$');
  }
  commands.at += whole.length;
  const name = (braced ?? plain ?? '').replace(/^(?:::|global:|script:)/i, '');
  if (element !== undefined) return fromEnvironment(name, element) ?? { texts: [UNKNOWN] };
  if (/^env:/i.test(name)) return fromEnvironment('env', name.slice(4).toUpperCase()) ?? { texts: [UNKNOWN] };
  const key = commands.language.anyCase ? name.toLowerCase() : name;
  if (key === 'home' && commands.language.name === 'powershell') return { texts: ['~'], path: true };
  return commands.names.get(key) ?? { texts: [UNKNOWN] };
}

interface Read {
  readonly value: Value;
  /** The command as a shell would have it. */
  readonly shell?: string;
}

/** Sets a name, or calls what the first word names. */
function readCommand(commands: Commands, words: readonly Word[]): Read {
  const [first, second, third] = words as readonly [Word, Word?, Word?];
  if (commands.language.name === 'tcl') {
    if (first.plain === 'set' && second && third) {
      commands.names.set(second.plain, third.value);
      return third;
    }
    if (first.plain === 'list') return second ?? { value: NOTHING };
    addTcl(commands, first.plain === 'eval' ? words.slice(1) : words);
    return { value: NOTHING };
  }
  if (first.variable !== undefined && (second?.plain === '=' || second?.plain === '+=')) {
    const rest = words.slice(2).filter(({ plain }) => plain !== '+');
    if (/^[a-z][\w-]*$/i.test(third?.plain ?? '')) return { value: NOTHING, shell: shellOf(rest) };
    const value = rest.length === 1 ? (rest[0] as Word).value : joinedValue(rest.map((one) => one.value));
    commands.names.set(first.variable, value);
    return { value };
  }
  // A value by itself, such as what a pipe begins with.
  if (words.length === 1 && first.plain === '' && first.value.texts)
    return { value: first.value, shell: `echo ${shellWord(first)}` };
  return { value: NOTHING, shell: shellOf(first.plain === '&' || first.plain === '.' ? words.slice(1) : words) };
}

/** A call with its words; of `file` the second word says what it does. */
function addTcl({ calls, at }: Commands, words: readonly Word[]): void {
  const [first, ...rest] = words;
  const name = first?.plain !== '' ? (first?.plain ?? '') : (knownTextOf(first.value) ?? '');
  const isFile = name === 'file';
  const args = isFile ? rest.slice(1).filter(({ plain }) => !plain.startsWith('-')) : rest;
  calls.push({
    owner: isFile ? 'file' : '',
    name: isFile ? (rest[0]?.plain ?? '') : name.replace(/^::/, ''),
    on: undefined,
    args: args.map(({ value }) => value),
    named: new Map(
      rest.flatMap(({ plain, value }): [string, Value][] => (plain.startsWith('-') ? [[plain.slice(1), value]] : [])),
    ),
    start: at,
    end: at,
  });
}

/** Signs of PowerShell that are those of a shell. */
const OPERATOR = /^(?:\d?>{1,2}(?:&\d)?|<)$/;
/** Options about anything but the target, with their value. */
const ASIDE = /^-(?:erroraction|ea|warningaction|verb|windowstyle|workingdirectory|encoding|depth)$/;
const STARTS = /^(?:start-process|saps|start)$/;

/** A command as a shell would have it: the words are what they hold, and names are whole. */
function shellOf(words: readonly Word[]): string {
  const name = (words[0]?.plain ?? '').toLowerCase();
  const told = words.filter(
    ({ plain }, at) =>
      at === 0 || (!ASIDE.test(plain.toLowerCase()) && !ASIDE.test(words[at - 1]?.plain.toLowerCase() ?? '')),
  );
  if (STARTS.test(name))
    return told
      .slice(1)
      .filter(({ plain }) => !/^-[A-Za-z]{2,}/.test(plain))
      .map(shellWord)
      .join(' ');
  return told.map((word, at) => (at === 0 && name === 'ri' ? 'Remove-Item' : shellWord(word))).join(' ');
}

function shellWord({ plain, value }: Word): string {
  if (OPERATOR.test(plain)) return plain;
  const text = value.texts?.[0] ?? UNKNOWN;
  const home = /^~(?=\/|$)/.exec(text)?.[0] ?? '';
  return home === '' ? quote(text) : home + (text.length > 1 ? quote(text.slice(1)) : '');
}
