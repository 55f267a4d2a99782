import type { ShellInput, ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { sourceOf } from './inputs.ts';
import { readOptions } from './options.ts';
import { printf } from './output.ts';
import { readNumber, readSubscripts, runLater } from './run-code.ts';
import { isSameSpot, momentOf } from './may.ts';
import { hasDir } from './scripts.ts';
import type { Draft, Shell, Spot, Value } from './state.ts';
import { knownText, onlyOf, writeStore } from './state.ts';
import { lookUp, resolveDir, setVariable, valueOf } from './variables.ts';

type Builtin = (args: readonly ShellWord[], draft: Draft, shell: Shell) => string | undefined;

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', changeDir],
  ['chdir', changeDir],
  ['pushd', pushDir],
  ['popd', popDir],
  ['mkdir', noteMade],
  ['mkfifo', notePipes],
  ['mknod', notePipes],
  ['alias', setAliases],
  ['unalias', unsetAliases],
  ['unset', unsetVariables],
  ['declare', declareVariables],
  ['typeset', declareVariables],
  ['local', declareVariables],
  ['readonly', declareVariables],
  ['read', readVariables],
  ['mapfile', readArray],
  ['readarray', readArray],
  ['set', setArguments],
  ['shift', shiftArguments],
  ['exec', keepRedirects],
  ['printf', printToVariable],
  ['exit', leave],
  ['return', leave],
  ['break', stopRound],
  ['continue', stopRound],
  ['shopt', setOptions],
]);

/** They take the name of a variable, or a number, in a word that may be quoted. */
const TAKES_NAMES: ReadonlySet<string> = new Set(
  'test [ let printf read unset declare typeset local readonly export mapfile readarray wait getopts'.split(' '),
);

const TAKES_NUMBERS: ReadonlySet<string> = new Set(['test', '[', 'let']);

/** What a builtin does to the shell that runs it; undefined when the program is none that matters. */
export function runBuiltin(draft: Draft, shell: Shell): string | undefined {
  if (TAKES_NAMES.has(draft.program))
    for (const { value } of draft.words.slice(1))
      if (TAKES_NUMBERS.has(draft.program)) readNumber(value, shell);
      else readSubscripts(value, shell);
  const builtin = BUILTINS.get(draft.program);
  if (!builtin || draft.words[0]?.value.includes('/') === true) return undefined;
  return builtin(draft.words.slice(1), draft, shell);
}

function changeDir(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const target = args.find((word) => word.value === '-' || !word.value.startsWith('-'));
  const isMade = target !== undefined && isNewDir(target, shell);
  move(shell, (from) => ({ ...from, ...turnTo(target, isMade, from, shell) }), target?.value === '-' || isMade);
  return '';
}

/** The directory of the target as seen from a spot, and the one that `cd -` leads back to. */
function turnTo(target: ShellWord | undefined, isMade: boolean, { dir, oldDir }: Spot, shell: Shell) {
  if (!target) return { dir: lookUp(shell, 'HOME')?.text, oldDir: dir };
  if (target.value === '-') return { dir: oldDir, oldDir: dir };
  if (isMade) return { dir: resolveDir(NEW_DIR, `.${target.value.slice(1)}`), oldDir: dir };
  // `cd +2` of zsh goes to one that it keeps.
  const isKept = /^\+\d+$/.test(target.value);
  return { dir: target.glob || isKept ? undefined : resolveDir(dir, target.value), oldDir: dir };
}

/** Changes the directory, also for the case that this change fails, or that an earlier one did. */
function move(shell: Shell, change: (from: Spot) => Spot, isSafe = false): void {
  const { dir, oldDir, dirStack, unsure } = shell;
  const from: Spot = { dir, oldDir, dirStack };
  Object.assign(shell, change(from), { places: undefined });
  const fails = !isSafe && canFail(shell);
  if (!fails && !unsure) return;
  const astray = unsure?.failed && change(unsure.failed);
  // `cd -` and `popd` stay where they are when there is no way back.
  const moved = astray && (astray.dir === undefined ? unsure.failed : astray);
  const reached = isSameSpot(moved, shell) ? undefined : moved;
  const failed = fails ? (unsure?.failed ?? from) : reached;
  const isLost = fails === 'surely' && !unsure;
  shell.unsure = failed && { failed, reached, ...(isLost && { surely: true }) };
}

/** Whether `cd` may fail: not into a directory that surely exists, such as one above the place where the command starts. */
function canFail(shell: Shell): boolean | 'surely' {
  const { dir, strict, all } = shell;
  if (strict || dir === undefined) return false;
  const { cwd, home } = all.place;
  if (dir === '/' || dir === '/tmp' || [cwd, home].some((one) => one === dir || one.startsWith(`${dir}/`)))
    return false;
  if (all.made.has(dir)) return false;
  const isThere = hasDir(dir, shell);
  return isThere === undefined || (!isThere && 'surely');
}

function noteMade(args: readonly ShellWord[], { dir }: Draft, shell: Shell): undefined {
  for (const { value } of args) {
    const made = resolveDir(dir, value);
    if (made !== undefined) shell.all.made.add(made);
  }
}

function notePipes(args: readonly ShellWord[], { dir, program }: Draft, shell: Shell): undefined {
  if (program === 'mknod' && args.at(-1)?.value !== 'p') return;
  for (const { value } of args) {
    const path = resolveDir(dir, value);
    if (path !== undefined) shell.all.pipes.add(path);
  }
}

/** Stands for the directory that `mktemp -d` makes. */
const NEW_DIR = '/tmp/tmp.XXXXXXXXXX';

function isNewDir({ value, from }: ShellWord, shell: Shell): boolean {
  const maker = from.length === 1 ? shell.all.commands[from[0] as number] : undefined;
  if (maker?.program !== 'mktemp' || maker.words.some((word) => /^-[a-z]*[pt]|^--tmpdir|\//.test(word.value)))
    return false;
  return value === UNKNOWN || (value.startsWith(`${UNKNOWN}/`) && !value.includes(UNKNOWN, 1));
}

/** `pushd dir`; without one it goes back and keeps the way here, and `pushd +2` goes to any of those that it keeps. */
function pushDir(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const target = args.find(({ value }) => !/^-(?!$)/.test(value) && !/^\+\d+$/.test(value));
  const stays = args.some(({ value }) => value === '-n');
  const rotates = !target && args.some(({ value }) => /^[-+]\d+$/.test(value));
  move(
    shell,
    (from) => {
      const { dir, dirStack } = from;
      if (stays) return { ...from, dirStack: [...dirStack, undefined] };
      if (rotates) return { dir: undefined, oldDir: dir, dirStack: [] };
      if (!target) return { dir: dirStack.at(-1), oldDir: dir, dirStack: [...dirStack.slice(0, -1), dir] };
      return { ...turnTo(target, false, from, shell), dirStack: [...dirStack, dir] };
    },
    stays || !target || target.value === '-',
  );
  return '';
}

function popDir(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  move(
    shell,
    ({ dir, dirStack }) =>
      args.length === 0
        ? { dir: dirStack.at(-1), oldDir: dir, dirStack: dirStack.slice(0, -1) }
        : { dir: undefined, oldDir: dir, dirStack: [] },
    true,
  );
  return '';
}

function setAliases(args: readonly ShellWord[], { text }: Draft, shell: Shell): string {
  // In zsh it may stand for a word anywhere.
  const isGlobal = args.some(({ value }) => /^-[a-z]*g/.test(value));
  for (const { value } of args) {
    const equals = value.indexOf('=');
    if (equals > 0 && isGlobal) runLater(value.slice(equals + 1).replace(/^[\s;&|]+/, ''), 'alias', text, shell);
    if (equals > 0) writeStore(shell, 'aliases').set(value.slice(0, equals), value.slice(equals + 1));
  }
  return '';
}

function unsetAliases(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  for (const { value } of args) {
    if (value === '-a') writeStore(shell, 'aliases').clear();
    else writeStore(shell, 'aliases').delete(value);
  }
  return '';
}

function unsetVariables(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const functions = args.some((word) => word.value === '-f');
  for (const { value } of args) {
    if (value.startsWith('-')) continue;
    if (functions) writeStore(shell, 'functions').delete(value);
    else if (shell.variables.has(value) || !writeStore(shell, 'functions').delete(value)) {
      setVariable(shell, value, { ...valueOf(''), unset: true });
    }
  }
  return '';
}

function declareVariables(args: readonly ShellWord[], draft: Draft, shell: Shell): string {
  const flags = args.filter((word) => word.value.startsWith('-')).map((word) => word.value);
  const has = (letter: string) => flags.some((flag) => flag.includes(letter));
  const fixed = draft.program === 'readonly' || has('r');
  for (const { value } of args) {
    const name = /^[A-Za-z_]\w*/.exec(value)?.[0];
    const held = name === undefined ? undefined : shell.variables.get(name);
    if (name === undefined || !held) continue;
    let next = held;
    if (has('n')) next = { ...valueOf(''), refersTo: held.text };
    else if (has('u')) next = { ...held, text: held.text.toUpperCase() };
    else if (has('l')) next = { ...held, text: held.text.toLowerCase() };
    if (fixed) next = { ...next, fixed };
    if (next !== held) writeStore(shell, 'variables').set(name, next);
  }
  return '';
}

const READ = { values: ['-u', '-d', '-n', '-N', '-p', '-t', '-i', '-a'] } as const;

/** Takes a line of known text; otherwise the variables hold what only running tells, and know where it came from. */
function readVariables(args: readonly ShellWord[], draft: Draft, shell: Shell): string {
  const options = readOptions(args, READ);
  const array = options.values('-a').at(-1)?.value;
  const descriptor = options.values('-u').at(-1)?.value;
  const input = descriptor === undefined ? draft.input : onlyOf(shell.descriptors.get(descriptor))?.input;
  const names = array === undefined ? options.operands.map((word) => word.value) : [array];
  if (names.length === 0) names.push('REPLY');
  const from = sourceOf(input, draft.dir, shell);
  const text = knownText(input);
  const delimiter = options.values('-d').at(-1)?.value ?? '\n';
  const end = text === undefined || delimiter === '' ? -1 : text.indexOf(delimiter[0] as string);
  const line = text === undefined ? undefined : end < 0 ? text : text.slice(0, end);
  if (text !== undefined && input) {
    const rest = { ...input, text: end < 0 ? '' : text.slice(end + 1) } as ShellInput;
    if (descriptor !== undefined) writeStore(shell, 'descriptors').set(descriptor, { input: rest });
    else if (input === shell.input) shell.input = rest;
  }
  const own = draft.assigns.find(({ name }) => name === 'IFS');
  const ifs = own?.value.value ?? lookUp(shell, 'IFS')?.text ?? ' \t\n';
  if (array !== undefined && line !== undefined) {
    setVariable(shell, array, arrayOf(fieldsOf(line, ifs), from));
    return '';
  }
  let left = line ?? UNKNOWN;
  names.forEach((name, at) => {
    if (line === undefined) setVariable(shell, name, valueOf(UNKNOWN, from));
    else if (at === names.length - 1) setVariable(shell, name, valueOf(ifs === '' ? left : left.trim(), from));
    else {
      left = left.trimStart();
      const cut = left.split('').findIndex((char) => ifs.includes(char));
      setVariable(shell, name, valueOf(cut < 0 ? left : left.slice(0, cut), from));
      left = cut < 0 ? '' : left.slice(cut + 1);
    }
  });
  return '';
}

function fieldsOf(line: string, ifs: string): readonly string[] {
  const fields = [''];
  for (const char of line) {
    if (!ifs.includes(char)) fields[fields.length - 1] += char;
    else if (fields.at(-1) !== '') fields.push('');
  }
  return fields.filter((field) => field !== '');
}

function arrayOf(texts: readonly string[], from: readonly number[]): Value {
  return { text: texts[0] ?? '', from, items: new Map(texts.map((text, at) => [String(at), text])) };
}

function readArray(args: readonly ShellWord[], draft: Draft, shell: Shell): string {
  const name =
    readOptions(args, { values: ['-d', '-n', '-O', '-s', '-u', '-C', '-c'] }).operands[0]?.value ?? 'MAPFILE';
  const text = knownText(draft.input);
  const from = sourceOf(draft.input, draft.dir, shell);
  setVariable(shell, name, arrayOf(text?.replace(/\n$/, '').split('\n') ?? [UNKNOWN], from));
  return '';
}

/** `set -- a b` gives the shell new arguments, `set -e` ends it when a command fails. */
function setArguments(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  args.forEach(({ value }, at) => {
    if (/^[-+][a-z]*e/.test(value) || (/^[-+][a-z]*o$/.test(value) && args[at + 1]?.value === 'errexit'))
      shell.strict = value.startsWith('-');
  });
  const dashes = args.findIndex((word) => word.value === '--');
  const given = dashes >= 0 ? args.slice(dashes + 1) : args[0] && !/^[-+]/.test(args[0].value) ? args : undefined;
  if (given) Object.assign(shell, { args: given, argSets: undefined });
  return '';
}

function shiftArguments(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const by = Number(args[0]?.value ?? 1);
  if (shell.args) shell.args = Number.isInteger(by) ? shell.args.slice(by) : undefined;
  return '';
}

/** Outside functions and sourced scripts bash says that `return` makes no sense, and goes on. */
function leave(_args: readonly ShellWord[], { program }: Draft, shell: Shell): string {
  if (program === 'return') {
    if (!shell.returned) return '';
    shell.returned.push(momentOf(shell));
  }
  shell.left ??= program;
  return '';
}

function stopRound(_args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  shell.stops?.push(momentOf(shell));
  return '';
}

function setOptions(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  if (args.some(({ value }) => value === 'lastpipe')) shell.lastPipe = args.some(({ value }) => value === '-s');
  return '';
}

/** `exec` without a program: its redirections are the shell's from now on. */
function keepRedirects(args: readonly ShellWord[], draft: Draft, shell: Shell): string {
  if (args.length > 0) return '';
  const { redirects, input } = draft;
  shell.redirects = redirects.filter((one) => one.descriptor <= 2);
  shell.input = input;
  return '';
}

function printToVariable(args: readonly ShellWord[], _draft: Draft, shell: Shell): string | undefined {
  const [flag, name, ...rest] = args;
  if (flag?.value !== '-v' || !name) return undefined;
  setVariable(
    shell,
    name.value,
    valueOf(printf(rest.map((word) => word.value)), [...new Set(rest.flatMap((word) => word.from))]),
  );
  return '';
}
