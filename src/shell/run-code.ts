import { parse } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { isTooMuch } from './limits.ts';
import type { Draft, Shell } from './state.ts';
import { MAX_DEPTH, NONE, addUnclear, forkShell, spend, within } from './state.ts';
import { setVariable, valueOf } from './variables.ts';

/** Reads code that a command runs, in a shell that starts with what `shell` knows. */
export function runCode(code: string, road: string, draft: Draft, shell: Shell, changes?: Partial<Shell>): string {
  if (!canRead(code, draft.text, shell)) return UNKNOWN;
  return runWhole(code, shellInside(road, draft, shell, { source: code, ...changes }));
}

/** As `runCode`, but what the code changes is changed for `shell` too: `eval`, `source`, `trap`. */
export function runHere(code: string, road: string, draft: Draft, shell: Shell, changes?: Partial<Shell>): string {
  if (!canRead(code, draft.text, shell)) return UNKNOWN;
  const surroundings = {
    source: code,
    road: [...shell.road, road],
    redirects: draft.redirects,
    input: draft.input,
    ...changes,
  };
  return within(shell, surroundings, () => parseAndRun(code, shell));
}

/** Reads code that is run some other time, by whoever looks at where it was put. */
export function runLater(code: string, road: string, text: string, shell: Shell): void {
  if (!canRead(code, text, shell)) return;
  const changes = { source: code, input: undefined, redirects: NONE, outs: undefined, keptIn: undefined };
  runWhole(code, forkShell(shell, { road: [...shell.road, road], ...changes }));
}

/** Reads a program with arguments that a command runs. */
export function runWords(
  words: readonly ShellWord[],
  road: string,
  draft: Draft,
  shell: Shell,
  changes?: Partial<Shell>,
): string {
  if (words.length === 0) return '';
  if (shell.road.length >= MAX_DEPTH) {
    addUnclear(shell.all, 'too-deep', draft.text);
    return UNKNOWN;
  }
  if (!spend(shell.all, 8, draft.text)) return UNKNOWN;
  const inner = shellInside(road, draft, shell, changes);
  return shell.all.reader.call({ words, assigns: NONE, redirects: NONE, input: undefined, text: draft.text }, inner);
}

/** Reads several texts, each as code of its own; undefined when there is none. */
export function runAll(
  codes: readonly ShellWord[],
  road: string,
  draft: Draft,
  shell: Shell,
  handsInput = false,
): string | undefined {
  if (codes.length === 0) return undefined;
  let printed = '';
  const input = handsInput ? draft.input : undefined;
  for (const code of codes) printed += runCode(code.value, road, draft, shell, { input });
  return printed;
}

function shellInside(road: string, draft: Draft, shell: Shell, changes?: Partial<Shell>): Shell {
  const inner = forkShell(shell, {
    road: [...shell.road, road],
    wrappers: draft.wrappers,
    redirects: draft.redirects,
    input: draft.input,
    dir: draft.dir,
    unsure: draft.elsewhere === undefined || changes?.dir !== undefined ? undefined : shell.unsure,
    ...changes,
  });
  for (const { name, value } of draft.assigns) setVariable(inner, name, valueOf(value.value, value.from));
  return inner;
}

function canRead(code: string, text: string, shell: Shell): boolean {
  if (code.replaceAll(UNKNOWN, '').trim() === '') {
    if (code.includes(UNKNOWN)) addUnclear(shell.all, 'computed', text);
    return false;
  }
  if (shell.road.length >= MAX_DEPTH) {
    addUnclear(shell.all, 'too-deep', text);
    return false;
  }
  const tooMuch = isTooMuch(code);
  if (tooMuch) addUnclear(shell.all, tooMuch, text);
  return !tooMuch && spend(shell.all, 8 + code.length / 8, text);
}

function runWhole(code: string, shell: Shell): string {
  const printed = parseAndRun(code, shell);
  endShell(shell);
  return printed;
}

/** What `trap` has put aside is run with the variables as they are at the end. */
export function endShell(shell: Shell): void {
  const { traps } = shell;
  if (!traps) return;
  shell.traps = undefined;
  const ran = new Set<string>();
  for (const { code, draft } of traps.values()) {
    if (!ran.has(code)) runHere(code, 'trap', draft, shell);
    ran.add(code);
  }
}

/** A limit of the parser, not of the shell: what is nested deeper may well run. */
const TOO_DEEP = /^maximum .*depth exceeded/;

/** Statements that can be made out of a text; where the grammar breaks, reading goes on behind the break. */
export function parseAndRun(code: string, shell: Shell): string {
  let rest = code;
  let printed = '';
  for (;;) {
    const script = parse(rest);
    shell.source = rest;
    printed += shell.all.reader.statements(script.commands, shell);
    if (!script.errors || script.errors.length === 0) break;
    addUnclear(shell.all, script.errors.some(({ message }) => TOO_DEEP.test(message)) ? 'too-deep' : 'syntax', code);
    const last = script.commands.at(-1);
    const broken = script.errors.at(-1)?.pos ?? rest.length;
    const end = Math.max(last?.end ?? 0, last ? broken : 0);
    const left = rest.slice(end).replace(/^[\s|&;()}]+/, '');
    if (left === '' || left.length >= rest.length || !spend(shell.all, 8 + (left.length >> 5), left)) break;
    rest = left;
  }
  return printed;
}
