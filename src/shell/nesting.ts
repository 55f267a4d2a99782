import { parse } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { runStatements } from './statements.ts';
import type { Draft, Shell } from './state.ts';
import { MAX_DEPTH, NONE, addUnclear, forkShell, within } from './state.ts';
import { setVariable, valueOf } from './variables.ts';

export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish', 'rbash', 'hush', 'posh', 'yash', 'ksh93', 'oksh', 'loksh', 'pdksh']);

/** Reads code that a command runs, in a shell that starts with what `shell` knows. */
export function runCode(code: string, road: string, draft: Draft, shell: Shell, changes?: Partial<Shell>): string {
  if (!codeIsTold(code, draft, shell)) return UNKNOWN;
  const inner = forkShell(shell, {
    source: code,
    road: [...shell.road, road],
    wrappers: draft.wrappers,
    redirects: draft.redirects.length > 0 ? draft.redirects : NONE,
    input: draft.input,
    dir: draft.dir,
    ...changes,
  });
  for (const { name, value } of draft.assigns) setVariable(inner, name, valueOf(value.value, value.from));
  return runParsed(code, inner);
}

/** As `runCode`, but what the code changes is changed for `shell` too: `eval`, `source`, `trap`. */
export function runHere(code: string, road: string, draft: Draft, shell: Shell, changes?: Partial<Shell>): string {
  if (!codeIsTold(code, draft, shell)) return UNKNOWN;
  return within(shell, { source: code, road: [...shell.road, road], ...changes }, () => runParsed(code, shell));
}

function codeIsTold(code: string, draft: Draft, shell: Shell): boolean {
  if (code.replaceAll(UNKNOWN, '').trim() === '') {
    if (code.includes(UNKNOWN)) addUnclear(shell.all, 'computed', draft.text);
    return code !== '' && !code.includes(UNKNOWN);
  }
  if (shell.road.length < MAX_DEPTH) return true;
  addUnclear(shell.all, 'too-deep', draft.text);
  return false;
}

function runParsed(code: string, shell: Shell): string {
  const script = parse(code);
  if (script.errors && script.errors.length > 0) addUnclear(shell.all, 'syntax', code);
  return runStatements(script.commands, shell);
}

/** Goes into what a command runs; undefined when it runs nothing that can be read. */
export function runNested(draft: Draft, shell: Shell): string | undefined {
  const { program, words } = draft;
  if (SHELLS.has(program)) return runShell(draft, shell);
  if (program === 'eval') return runHere(joined(words.slice(1)), 'eval', draft, shell);
  return undefined;
}

function runShell(draft: Draft, shell: Shell): string | undefined {
  const { program, words, input } = draft;
  let at = 1;
  let code = false;
  for (; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    if (value === '--') {
      at += 1;
      break;
    }
    if (value.startsWith('--')) {
      if (value === '--rcfile' || value === '--init-file') at += 1;
      continue;
    }
    if (!/^[-+]./.test(value)) break;
    if (value.startsWith('-') && value.includes('n') && !value.includes('o')) return '';
    if (value.startsWith('-') && value.includes('c')) code = true;
    if (/[oO]/.test(value)) at += 1;
  }
  if (code) {
    const text = words[at];
    if (!text) return undefined;
    return runCode(text.value, `${program} -c`, draft, shell, { args: words.slice(at + 2), input });
  }
  if (at >= words.length && input?.kind === 'text') {
    return runCode(input.text, 'heredoc', draft, shell, { input: undefined });
  }
  return undefined;
}

export function joined(words: readonly ShellWord[]): string {
  return words.map((word) => word.value).join(' ');
}
