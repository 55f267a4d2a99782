import type { ToolCall } from '../../event/event.ts';
import { quote } from '../../shell/quote.ts';
import { listed } from '../words/arguments.ts';
import { pythonLine } from './cells.ts';
import { fileVerbOf, stringsIn, tellsOnly, wordsOf } from './names.ts';

const SHELL_WORDS: ReadonlySet<string> = new Set(
  listed('run exec execute shell bash zsh sh terminal command commands cmd console process powershell ssh spawn tmux'),
);
/** Names that leave no doubt; what such a tool is given to run may be under any of `MORE_KEYS` as well. */
const SURE_SHELL_WORDS: ReadonlySet<string> = new Set(
  listed('shell bash zsh sh terminal command commands cmd console powershell ssh tmux'),
);
const KEYS = listed(
  'command cmd script commandLine command_line cmdline cmd_line commands shell_command shellCommand program executable exe binary',
);
const MORE_KEYS = [...KEYS, ...listed('input code text keys keystrokes data line lines run exec shell bash')];
/** Code of a language that may start programs, by the last word of the key. */
const CODE_KEYS: ReadonlySet<string> = new Set(
  listed('code source snippet script expression python javascript js function'),
);
/** Code that does anything calls something. */
const CALLS = /[(!%`]/;
const LANGUAGE_KEYS = listed('language lang kernel runtime interpreter');

function run(program: string): (code: string) => string {
  return (code) => `${program} ${quote(code)}`;
}

/** How code of a language is run that the name of a tool, or a field, tells. */
const LANGUAGES: ReadonlyMap<string, (code: string) => string> = new Map([
  ...listed('python py python3 ipython jupyter notebook repl').map((word) => [word, pythonLine] as const),
  ...listed('node nodejs javascript js typescript ts').map((word) => [word, run('node -e')] as const),
  ...listed('bash sh zsh shell').map((word) => [word, run('bash -c')] as const),
  ['ruby', run('ruby -e')],
  ['perl', run('perl -e')],
  ['php', run('php -r')],
  ['r', run('Rscript -e')],
  ['julia', run('julia -e')],
  ['lua', run('lua -e')],
  ['powershell', run('pwsh -c')],
]);
/** Where nothing tells the language, it is one of these. */
const LIKELY = [pythonLine, run('node -e')];
const ARGUMENTS = listed('args argv arguments');
const INPUTS = listed('stdin input');
const DIRS = listed('cwd workdir workDir working_dir workingDir working_directory workingDirectory directory dir');
/** As deep as a payload may be. */
const DEEPEST = 100;
/** What a program is called where all fields around it are about what is run. */
const NAMES = listed('name path file value text');

type Fields = Readonly<Record<string, unknown>>;

/** The command line that a tool of another server is told to run, by its name. */
export function shellTextOf(tool: ToolCall): string | undefined {
  const names = namesOf(tool);
  if (!names?.some((word) => SHELL_WORDS.has(word) || LANGUAGES.has(word))) return undefined;
  const text = textIn(tool, isSure(names) ? MORE_KEYS : KEYS);
  const code = isSure(names) && !tellsLanguage(tool.input, names) ? undefined : codeIn(tool.input, names);
  return text === undefined || code === undefined ? (text ?? code) : `${text}\n${code}`;
}

/** A tool that is a shell by its name was given a command that is no text. */
export function hidesCommand(tool: ToolCall): boolean {
  const names = namesOf(tool);
  return names !== undefined && isSure(names) && KEYS.some((key) => tool.input[key] !== undefined);
}

function isSure(names: readonly string[]): boolean {
  return names.some((word) => SURE_SHELL_WORDS.has(word));
}

function languagesOf(input: Fields, names: readonly string[]): readonly ((code: string) => string)[] {
  const told = LANGUAGE_KEYS.flatMap((key) => (typeof input[key] === 'string' ? [input[key].toLowerCase()] : []));
  return (told.length > 0 ? told : names).flatMap((word) => LANGUAGES.get(word) ?? []);
}

function tellsLanguage(input: Fields, names: readonly string[]): boolean {
  return (
    languagesOf(
      input,
      names.filter((name) => !SURE_SHELL_WORDS.has(name)),
    ).length > 0
  );
}

/** Code by the language that the call tells, or by all that it may be. */
function codeIn(input: Fields, names: readonly string[]): string | undefined {
  const codes = Object.entries(input).flatMap(([key, text]) =>
    typeof text === 'string' && CALLS.test(text) && CODE_KEYS.has(wordsOf(key).at(-1) ?? '') ? [text] : [],
  );
  const told = languagesOf(input, names);
  const lines = codes.flatMap((code) => (told.length > 0 ? told : LIKELY).map((line) => line(code)));
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** What a tool whose name tells nothing of the kind is given that looks like a command line. */
export function looseTextOf(tool: ToolCall): string | undefined {
  const names = namesOf(tool);
  if (!names || tellsOnly(names) || names.some((word) => EXPLAINS.has(word))) return undefined;
  const texts = [textIn(tool, KEYS), fileVerbOf(names) === undefined ? codeIn(tool.input, names) : undefined];
  const given = texts.filter((text) => text !== undefined);
  return given.length === 0 ? undefined : given.join('\n');
}

const EXPLAINS: ReadonlySet<string> = new Set(
  listed(
    'explain describe help lint check validate parse format analyze review document docs translate convert highlight render complete suggest comment issue message',
  ),
);

function namesOf({ kind, mcp, name }: ToolCall): readonly string[] | undefined {
  return kind === 'mcp' || kind === 'other' ? wordsOf(`${mcp?.server ?? ''} ${mcp?.tool ?? name}`) : undefined;
}

function textIn({ input }: ToolCall, keys: readonly string[]): string | undefined {
  const lines = linesIn(input, keysOf(keys), 0);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Under which keys commands stand, and what was found so far: each object is read once, however it is nested. */
interface Keys {
  readonly names: readonly string[];
  readonly found: Map<object, readonly string[]>;
  /** Where all fields around are about what is run. */
  wider(): Keys;
}

function keysOf(names: readonly string[]): Keys {
  const wide: Keys = { names: [...new Set([...names, ...NAMES])], found: new Map(), wider: () => wide };
  return { names, found: new Map(), wider: () => wide };
}

/** Program and arguments may be a text, a list of words or fields of their own, and as deep as somebody likes. */
function linesIn(value: unknown, keys: Keys, depth: number): readonly string[] {
  if (typeof value === 'string') return linesIn(parsed(value), keys, depth + 1);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  const known = keys.found.get(value);
  if (known) return known;
  const lines = Array.isArray(value)
    ? (value as readonly unknown[]).flatMap((item) => linesIn(item, keys, depth + 1))
    : linesOf(value as Fields, keys, depth);
  keys.found.set(value, lines);
  return lines;
}

function linesOf(fields: Fields, keys: Keys, depth: number): readonly string[] {
  let own: string | undefined;
  let lines: readonly string[] = [];
  for (const key of keys.names) {
    lines = givenAt(fields, key, keys, depth);
    own = key;
    if (lines.length > 0) break;
  }
  if (lines.length === 0) [own, lines] = [undefined, bareArguments(fields)];
  const rest = Object.entries(fields).flatMap(([key, below]) => (key === own ? [] : linesIn(below, keys, depth + 1)));
  return [...inDirectory(fields, lines), ...rest];
}

const LONGEST_PARSED = 65_536;

/** What a text holds that is itself JSON. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > LONGEST_PARSED) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The lines under one key; with the arguments and the input that stand beside it. */
function givenAt(fields: Fields, key: string, keys: Keys, depth: number): readonly string[] {
  const given = fields[key];
  if (typeof given === 'string') return given.trim() === '' ? [] : [completed(fields, given, key)];
  const list = stringsIn(given);
  if (list.length > 0) return isPlural(key) ? list : [completed(fields, list.map(quote).join(' '), key)];
  if (typeof given !== 'object' || given === null) return [];
  const lists = Array.isArray(given) ? given.map(stringsIn).filter(({ length }) => length > 0) : [];
  if (lists.length > 0) return lists.map((words) => words.map(quote).join(' '));
  const nested = linesIn(given, keys.wider(), depth + 1);
  return nested.length > 0 ? nested : Object.values(given).filter((text) => typeof text === 'string');
}

function isPlural(key: string): boolean {
  return key === 'commands' || key === 'lines';
}

function completed(fields: Fields, line: string, key: string): string {
  const args = ARGUMENTS.flatMap((name) => wordsAt(fields[name]));
  const input = INPUTS.find((name) => name !== key && typeof fields[name] === 'string');
  const whole = [line, ...args].join(' ');
  return input === undefined ? whole : `${whole} <<< ${quote(fields[input] as string)}`;
}

/** A text of several arguments is split by whoever runs it. */
function wordsAt(value: unknown): readonly string[] {
  return typeof value === 'string' && value.trim() !== '' ? [value] : stringsIn(value).map(quote);
}

/** Without a program, its words begin with it, or are for a shell. */
function bareArguments(fields: Fields): readonly string[] {
  const text = ARGUMENTS.map((name) => fields[name]).find((given) => typeof given === 'string' && given.trim() !== '');
  if (typeof text === 'string') return [text];
  const args = ARGUMENTS.flatMap((name) => stringsIn(fields[name]));
  if (args.length === 0) return [];
  return [[...(args[0]?.startsWith('-') === true ? ['sh'] : []), ...args.map(quote)].join(' ')];
}

/** In a shell of its own, so that what follows runs elsewhere. */
function inDirectory(fields: Fields, lines: readonly string[]): readonly string[] {
  const key = DIRS.find((name) => typeof fields[name] === 'string' && fields[name] !== '');
  if (key === undefined || lines.length === 0) return lines;
  return [`(cd ${quote(fields[key] as string)}`, ...lines, ')'];
}
