import { runUntilReturn } from './may.ts';
import type { Script, ShellWord } from './command.ts';
import { runCode, runHere, runWords } from './run-code.ts';
import { fedScript, runScript, scriptAt } from './scripts.ts';
import type { Draft, Shell } from './state.ts';
import { NONE, knownText, plainWord } from './state.ts';
import { lookUp, valueOf } from './variables.ts';

/** `bash -c code`, `bash file`, `bash` reading its input. */
export function runShellProgram(draft: Draft, shell: Shell): string | undefined {
  const { program, words, input } = draft;
  const options = readShellOptions(words);
  if (options.idle) return '';
  runStartFile(options.start ?? startFileOf(draft)?.value ?? lookUp(shell, 'BASH_ENV')?.text, draft, shell);
  const { at, strict } = options;
  const lastPipe = program === 'zsh';
  if (options.code) {
    const text = words[at];
    const name = words[at + 1];
    const variables = new Map(shell.variables);
    if (name) variables.set('0', valueOf(name.value, name.from));
    // Names that are put into code one by one.
    const codeFrom = GIVES_NAMES.test(shell.road.at(-1) ?? '') ? (text?.from ?? NONE) : NONE;
    const changes = { args: words.slice(at + 2), variables, strict, lastPipe, codeFrom };
    return text && runCode(text.value, `${program} -c`, draft, shell, changes);
  }
  const file = words[at];
  if (file && !options.input && !isStdin(file.value)) {
    const script = scriptAt(file.value, draft, shell);
    const changes = { args: words.slice(at + 1), variables: namedBy(file, shell), strict, lastPipe };
    return script && runScript(script, shell, () => runCode(script.text, 'file', draft, shell, changes));
  }
  const code = knownText(input);
  const script = code === undefined ? fedScript(draft, shell) : { text: code };
  const changes = { input: undefined, args: words.slice(options.input ? at : at + 1), strict, lastPipe };
  return script && runScript(script, shell, () => runCode(script.text, 'heredoc', draft, shell, changes));
}

const GIVES_NAMES = /^(?:find|fd|xargs|parallel)\b/;

/** A shell reads the file that `--rcfile`, `BASH_ENV` or `ENV` names before all else. */
function runStartFile(named: string | undefined, draft: Draft, shell: Shell): void {
  if (named === undefined) return;
  const script = namedScript(named, draft, shell);
  if (script) runScript(script, shell, () => runCode(script.text, 'BASH_ENV', draft, shell, { input: undefined }));
}

export function startFileOf({ assigns }: Pick<Draft, 'assigns'>): ShellWord | undefined {
  return assigns.find(({ name }) => name === 'BASH_ENV' || name === 'ENV')?.value;
}

export function isStdin(path: string): boolean {
  return path === '-' || path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0';
}

interface ShellOptions {
  /** The first word that is no option. */
  readonly at: number;
  readonly code: boolean;
  readonly input: boolean;
  /** Only checks the grammar, or prints its version. */
  readonly idle: boolean;
  /** A command that fails ends it. */
  readonly strict: boolean;
  /** The file that it reads first. */
  readonly start: string | undefined;
}

function readShellOptions(words: readonly ShellWord[]): ShellOptions {
  let code = false;
  let input = false;
  let idle = false;
  let strict = false;
  let start: string | undefined;
  let at = 1;
  for (; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    if (value === '--' || value === '-') {
      at += 1;
      break;
    }
    if (value.startsWith('--')) {
      if (value === '--rcfile' || value === '--init-file') start = words[(at += 1)]?.value;
      if (value === '--version' || value === '--help') idle = true;
      if (value === '--command') code = true;
      continue;
    }
    if (!/^[-+][A-Za-z]/.test(value)) break;
    const on = value.startsWith('-');
    if (value.includes('n')) idle = on;
    if (value.includes('e')) strict = on;
    if (on && value.includes('c')) code = true;
    if (on && value.includes('s')) input = true;
    if (/[oO]/.test(value)) {
      const name = words[(at += 1)]?.value;
      if (name === 'noexec') idle = on;
      if (name === 'errexit') strict = on;
    }
  }
  return { at, code, input, idle, strict, start };
}

/** The code in a file, or in what comes in. */
export function namedScript(path: string, draft: Draft, shell: Shell): Script | undefined {
  if (!isStdin(path)) return scriptAt(path, draft, shell);
  const text = knownText(draft.input);
  return text === undefined ? undefined : { text };
}

/** A script knows its own name. */
function namedBy({ value, from }: ShellWord, shell: Shell): Shell['variables'] {
  const name = valueOf(value, from);
  return new Map([...shell.variables, ['0', name], ['BASH_SOURCE', name]]);
}

export function runEval(draft: Draft, shell: Shell): string {
  const words = draft.words[1]?.value === '--' ? draft.words.slice(2) : draft.words.slice(1);
  return runHere(joined(words), 'eval', draft, shell);
}

export function runSource(draft: Draft, shell: Shell): string | undefined {
  const words = draft.words[1]?.value === '--' ? draft.words.slice(2) : draft.words.slice(1);
  const [file, ...args] = words;
  if (!file) return undefined;
  const script = namedScript(file.value, draft, shell);
  const changes = args.length > 0 ? { args } : undefined;
  return (
    script &&
    runScript(script, shell, () => runUntilReturn(shell, () => runHere(script.text, 'source', draft, shell, changes)))
  );
}

export function runTrap(draft: Draft, shell: Shell): string | undefined {
  const words = draft.words.slice(1).filter((word) => word.value !== '--');
  const [code] = words;
  if (!code || words.length < 2 || /^-[lp]$/.test(code.value)) return '';
  if (code.value === '' || code.value === '-') {
    for (const { value } of words.slice(1)) shell.traps?.delete(signalOf(value));
    return '';
  }
  shell.traps ??= new Map();
  for (const { value } of words.slice(1)) shell.traps.set(signalOf(value), { code: code.value, draft });
  return '';
}

function signalOf(name: string): string {
  const plain = name.toUpperCase().replace(/^SIG/, '');
  return plain === '0' ? 'EXIT' : plain;
}

/** What the system brings is no script of anybody here. */
const OF_THE_SYSTEM = /^\/(?:usr|s?bin|lib\d*|opt|nix|snap|System|Library|Applications)\//;

/** A script that is run by its name; its first line says who reads it. */
export function runByName(draft: Draft, shell: Shell): string | undefined {
  const [file, ...args] = draft.words;
  if (!file?.value.includes('/') || OF_THE_SYSTEM.test(file.value)) return undefined;
  const script = scriptAt(file.value, draft, shell);
  if (!script) return undefined;
  const reader = /^#![ \t]*([^\n]+)/.exec(script.text)?.[1]?.trim();
  if (reader !== undefined && !/\b(?:ba|z|da|k|a)?sh(?:\s|$)/.test(reader))
    return runWords([...reader.split(/\s+/).map((word) => plainWord(word)), file, ...args], 'file', draft, shell);
  const changes = { args, variables: namedBy(file, shell), strict: /\s-[a-z]*e/.test(reader ?? '') };
  return runScript(script, shell, () => runCode(script.text, 'file', draft, shell, changes));
}

export function joined(words: readonly ShellWord[]): string {
  return words.map((word) => word.value).join(' ');
}
