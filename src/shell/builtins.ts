import type { ShellInput, ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { readOptions } from './options.ts';
import { printf } from './output.ts';
import type { Draft, Shell, Unsure } from './state.ts';
import { NONE, knownText } from './state.ts';
import { lookUp, resolveDir, setVariable, valueOf } from './variables.ts';

type Builtin = (args: readonly ShellWord[], draft: Draft, shell: Shell) => string | undefined;

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', changeDir],
  ['chdir', changeDir],
  ['pushd', pushDir],
  ['popd', popDir],
  ['mkdir', noteMade],
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
]);

/** What a builtin does to the shell that runs it; undefined when the program is none that matters. */
export function runBuiltin(draft: Draft, shell: Shell): string | undefined {
  const builtin = BUILTINS.get(draft.program);
  if (!builtin || draft.words[0]?.value.includes('/') === true) return undefined;
  return builtin(draft.words.slice(1), draft, shell);
}

function changeDir(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const target = args.find((word) => word.value === '-' || !word.value.startsWith('-'));
  const old = shell.dir;
  let made = false;
  if (!target) shell.dir = lookUp(shell, 'HOME')?.text;
  else if (target.value === '-') shell.dir = shell.oldDir;
  else if (isNewDir(target, shell)) {
    shell.dir = resolveDir(NEW_DIR, `.${target.value.slice(1)}`);
    made = true;
  } else shell.dir = target.glob || /^\+\d+$/.test(target.value) ? undefined : resolveDir(shell.dir, target.value);
  shell.oldDir = old;
  const fails = !made && target !== undefined && target.value !== '-' && canFail(shell);
  if (fails || shell.unsure) shell.unsure = unsureOf(target?.value ?? '/', old, fails, shell);
  return '';
}

/** Whether `cd` may fail: not into a directory that surely exists, such as one above the place where the command starts. */
function canFail({ dir, strict, all }: Shell): boolean {
  if (strict || dir === undefined) return false;
  const { cwd, home } = all.place;
  if (dir === '/' || dir === '/tmp' || [cwd, home].some((one) => one === dir || one.startsWith(`${dir}/`)))
    return false;
  return !all.made.has(dir);
}

function noteMade(args: readonly ShellWord[], { dir }: Draft, shell: Shell): undefined {
  for (const { value } of args) {
    const made = resolveDir(dir, value);
    if (made !== undefined) shell.all.made.add(made);
  }
}

function unsureOf(target: string, old: string | undefined, fails: boolean, { dir, unsure }: Shell): Unsure | undefined {
  const before = unsure?.failed;
  const reached = before === undefined || target === '-' ? undefined : resolveDir(before, target);
  const told = reached === dir ? undefined : reached;
  const failed = fails ? (before ?? old) : told;
  return failed === undefined && told === undefined ? undefined : { failed, reached: told };
}

/** Stands for the directory that `mktemp -d` makes. */
const NEW_DIR = '/tmp/tmp.XXXXXXXXXX';

function isNewDir({ value, from }: ShellWord, shell: Shell): boolean {
  const maker = from.length === 1 ? shell.all.commands[from[0] as number] : undefined;
  if (maker?.program !== 'mktemp' || maker.words.some((word) => /^-[a-z]*[pt]|^--tmpdir|\//.test(word.value)))
    return false;
  return value === UNKNOWN || (value.startsWith(`${UNKNOWN}/`) && !value.includes(UNKNOWN, 1));
}

function pushDir(args: readonly ShellWord[], draft: Draft, shell: Shell): string {
  const { dir } = shell;
  if (args.length > 0) changeDir(args, draft, shell);
  else shell.dir = shell.dirStack.pop();
  shell.dirStack.push(dir);
  return '';
}

function popDir(_args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  shell.oldDir = shell.dir;
  shell.dir = shell.dirStack.pop();
  return '';
}

function setAliases(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  for (const { value } of args) {
    const equals = value.indexOf('=');
    if (equals > 0) shell.aliases.set(value.slice(0, equals), value.slice(equals + 1));
  }
  return '';
}

function unsetAliases(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  for (const { value } of args) {
    if (value === '-a') shell.aliases.clear();
    else shell.aliases.delete(value);
  }
  return '';
}

function unsetVariables(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const functions = args.some((word) => word.value === '-f');
  for (const { value } of args) {
    if (value.startsWith('-')) continue;
    if (functions) shell.functions.delete(value);
    else if (shell.variables.has(value) || !shell.functions.delete(value)) {
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
    if (next !== held) shell.variables.set(name, next);
  }
  return '';
}

const READ = { values: ['-u', '-d', '-n', '-N', '-p', '-t', '-i', '-a'] } as const;

/** Takes a line of known text; otherwise the variables hold what only running tells, and know where it came from. */
function readVariables(args: readonly ShellWord[], draft: Draft, shell: Shell): string {
  const options = readOptions(args, READ);
  const array = options.values('-a').at(-1)?.value;
  const descriptor = options.values('-u').at(-1)?.value;
  const input = descriptor === undefined ? draft.input : shell.descriptors.get(descriptor)?.input;
  const names = array === undefined ? options.operands.map((word) => word.value) : [array];
  if (names.length === 0) names.push('REPLY');
  const from = sourceOf(input);
  const text = knownText(input);
  const whole = options.values('-d').at(-1)?.value === '';
  const end = text === undefined || whole ? -1 : text.indexOf('\n');
  const line = text === undefined ? undefined : end < 0 ? text : text.slice(0, end);
  if (text !== undefined && input) {
    const rest = { ...input, text: end < 0 ? '' : text.slice(end + 1) } as ShellInput;
    if (descriptor !== undefined) shell.descriptors.set(descriptor, { input: rest });
    else if (input === shell.input) shell.input = rest;
  }
  const ifs = lookUp(shell, 'IFS')?.text ?? ' \t\n';
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

function sourceOf(input: ShellInput | undefined): readonly number[] {
  return input?.kind === 'pipe' || (input?.kind === 'text' && input.from !== undefined) ? [input.from as number] : NONE;
}

function readArray(args: readonly ShellWord[], draft: Draft, shell: Shell): string {
  const name =
    readOptions(args, { values: ['-d', '-n', '-O', '-s', '-u', '-C', '-c'] }).operands[0]?.value ?? 'MAPFILE';
  const text = knownText(draft.input);
  const from = sourceOf(draft.input);
  const lines = text?.replace(/\n$/, '').split('\n') ?? [UNKNOWN];
  const items = new Map(lines.map((line, at) => [String(at), line]));
  setVariable(shell, name, { text: lines[0] ?? '', from, items });
  return '';
}

/** `set -- a b` gives the shell new arguments, `set -e` ends it when a command fails. */
function setArguments(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  args.forEach(({ value }, at) => {
    if (/^[-+][a-z]*e/.test(value) || (/^[-+][a-z]*o$/.test(value) && args[at + 1]?.value === 'errexit'))
      shell.strict = value.startsWith('-');
  });
  const dashes = args.findIndex((word) => word.value === '--');
  if (dashes >= 0) shell.args = args.slice(dashes + 1);
  else if (args[0] && !/^[-+]/.test(args[0].value)) shell.args = args;
  return '';
}

function shiftArguments(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const by = Number(args[0]?.value ?? 1);
  if (shell.args) shell.args = Number.isInteger(by) ? shell.args.slice(by) : undefined;
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
    valueOf(
      printf(rest.map((word) => word.value)),
      rest.flatMap((word) => word.from),
    ),
  );
  return '';
}
