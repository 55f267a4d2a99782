import type { ShellWord } from './command.ts';
import type { Draft, Shell } from './state.ts';
import { resolveDir, setVariable, lookUp, valueOf } from './variables.ts';

type Builtin = (args: readonly ShellWord[], draft: Draft, shell: Shell) => string;

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', changeDir],
  ['chdir', changeDir],
  ['pushd', pushDir],
  ['popd', popDir],
  ['alias', setAliases],
  ['unalias', unsetAliases],
  ['unset', unsetVariables],
  ['declare', declareVariables],
  ['typeset', declareVariables],
  ['local', declareVariables],
]);

/** What a builtin does to the shell that runs it; undefined when the program is none that matters. */
export function runBuiltin(draft: Draft, shell: Shell): string | undefined {
  const builtin = BUILTINS.get(draft.program);
  if (!builtin || draft.words[0]?.value.includes('/') === true) return undefined;
  return builtin(draft.words.slice(1), draft, shell);
}

function changeDir(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const target = args.find((word) => word.value === '-' || !word.value.startsWith('-') || word.value === '--');
  const old = shell.dir;
  if (!target) shell.dir = lookUp(shell, 'HOME')?.text;
  else if (target.value === '-') shell.dir = shell.oldDir;
  else shell.dir = target.glob ? undefined : resolveDir(shell.dir, target.value);
  shell.oldDir = old;
  return '';
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

function declareVariables(args: readonly ShellWord[], _draft: Draft, shell: Shell): string {
  const flags = args.filter((word) => word.value.startsWith('-')).map((word) => word.value);
  const refers = flags.some((flag) => flag.includes('n'));
  for (const { value } of args) {
    const name = /^[A-Za-z_]\w*/.exec(value)?.[0];
    if (name === undefined) continue;
    const held = shell.variables.get(name);
    if (refers && held) shell.variables.set(name, { ...valueOf(''), refersTo: held.text });
    else if (held && flags.some((flag) => flag.includes('u'))) setVariable(shell, name, { ...held, text: held.text.toUpperCase() });
    else if (held && flags.some((flag) => flag.includes('l'))) setVariable(shell, name, { ...held, text: held.text.toLowerCase() });
  }
  return '';
}
