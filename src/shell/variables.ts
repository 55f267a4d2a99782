import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { Shell, Value } from './state.ts';
import { NONE, writeStore } from './state.ts';

const UNKNOWN_VALUE: Value = { text: UNKNOWN, from: NONE };

/** What the variable holds; undefined when the text does not tell whether it is set. */
export function lookUp(shell: Shell, name: string): Value | undefined {
  let at = name;
  for (let hops = 0; hops <= shell.variables.size; hops += 1) {
    const own = shell.variables.get(at);
    if (own === undefined) return presetValue(shell, at);
    if (own.refersTo === undefined) return own;
    at = own.refersTo;
  }
  return undefined;
}

/** As `lookUp`, for `$1` and `$#` as well. */
export function variableValue(name: string, shell: Shell): Value | undefined {
  const code = name.charCodeAt(0);
  if (code >= 48 && code <= 57) {
    if (name === '0') return lookUp(shell, name);
    const { args } = shell;
    if (!args) return undefined;
    const word = args[Number(name) - 1];
    return word ? asValue(word) : { text: '', from: NONE, unset: true };
  }
  if (name === '#') return shell.args && { text: String(shell.args.length), from: NONE };
  return lookUp(shell, name);
}

export function setVariable(shell: Shell, name: string, value: Value): void {
  const own = shell.variables.get(name);
  if (own?.fixed === true) return;
  if (own?.refersTo !== undefined && own.refersTo !== name) {
    writeStore(shell, 'variables').delete(name);
    setVariable(shell, own.refersTo, value);
    writeStore(shell, 'variables').set(name, own);
    return;
  }
  if (value.unset !== true) shell.all.assigned.add(name);
  writeStore(shell, 'variables').set(name, value);
}

/** What only the environment tells. */
export function untold(name: string): Value {
  return /^[A-Za-z_]/.test(name) ? { text: UNKNOWN, from: NONE, env: [name] } : { text: UNKNOWN, from: NONE };
}

export function asValue({ value, from, glob, env }: ShellWord): Value {
  return env ? { text: value, from, glob, env } : { text: value, from, glob };
}

export function valueOf(text: string, from: readonly number[] = NONE, glob = false): Value {
  return { text, from, glob };
}

/** What every shell starts with, as far as it can be told. */
function presetValue(shell: Shell, name: string): Value | undefined {
  switch (name) {
    case 'HOME':
      return valueOf(shell.all.place.home);
    case 'PWD':
      return shell.dir === undefined ? UNKNOWN_VALUE : valueOf(shell.dir);
    case 'OLDPWD':
      return shell.oldDir === undefined ? undefined : valueOf(shell.oldDir);
    case 'TMPDIR':
      return valueOf('/tmp');
    case 'USER':
    case 'LOGNAME':
      return valueOf(baseName(shell.all.place.home));
    case 'IFS':
      return valueOf(' \t\n');
    default:
      return undefined;
  }
}

export function baseName(path: string): string {
  const end = path.endsWith('/') && path.length > 1 ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/** The directory that `~name` at the start of a word stands for. */
export function tildeDir(shell: Shell, user: string): string | undefined {
  const { home } = shell.all.place;
  switch (user) {
    case '':
      return lookUp(shell, 'HOME')?.text ?? home;
    case '+':
      return shell.dir ?? UNKNOWN;
    case '-':
      return shell.oldDir ?? UNKNOWN;
    case 'root':
      return '/root';
    default:
      return /^[A-Za-z_][\w.-]*$/.test(user) ? `${home.slice(0, home.lastIndexOf('/'))}/${user}` : undefined;
  }
}

/** `path` seen from `dir`, without `.` and `..`; undefined when that cannot be told. */
export function resolveDir(dir: string | undefined, path: string): string | undefined {
  if (path.includes(UNKNOWN)) return undefined;
  if (!path.startsWith('/') && dir === undefined) return undefined;
  const whole = path.startsWith('/') ? path : `${dir as string}/${path}`;
  const kept: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}
