import { parse } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { keepOrigin } from './scripts.ts';
import { isTooMuch } from './limits.ts';
import type { Draft, Shell } from './state.ts';
import { NONE, addUnclear, forkShell, isTooDeep, spend, within } from './state.ts';
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
    at: draft.at,
    ...(changes?.args !== undefined && { argSets: undefined }),
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

const END = 'END-OF-FAIRLEAD';

/** What a text becomes that a shell expands once more when it uses it, such as a prompt; the commands in it are read. */
export function expandAgain(text: string, road: string, shell: Shell): string {
  if (!/[$`]/.test(text)) return text;
  if (!canRead(text, text, shell)) return UNKNOWN;
  const source = `: <<${END}\n${text}\n${END}\n`;
  const command = parse(source).commands[0]?.command;
  const here = command?.type === 'Command' ? command.redirects[0] : undefined;
  if (here?.type !== 'HereDoc' || !here.body.parts) return UNKNOWN;
  const { parts } = here.body;
  const changes = { source, road: [...shell.road, road] };
  return within(shell, changes, () => shell.all.reader.text(parts, shell).value.replace(/\n$/, ''));
}

/** Whether a text has a command in what may be a subscript. */
function hidesCode(text: string): boolean {
  const at = text.indexOf('[');
  return at >= 0 && (text.includes('$(', at) || text.includes('`', at));
}

/** Where the name of a variable is wanted, a subscript is expanded, though it was quoted: `a[$(…)]`. */
export function readSubscripts(text: string, shell: Shell): void {
  if (hidesCode(text)) expandAgain(text, '[ ]', shell);
}

/** Longer texts are no numbers that anybody writes. */
const LONGEST_NUMBER = 256;

/** As `readSubscripts`, where a number is wanted: what a variable holds that stands for one is expanded too. */
export function readNumber(text: string, shell: Shell): void {
  const seen = new Set<string>();
  const left = [text];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    readSubscripts(one, shell);
    if (one.length > LONGEST_NUMBER || /^[\s\d]*$/.test(one)) continue;
    for (const name of one.match(/[A-Za-z_]\w*/g) ?? []) {
      const held = seen.has(name) ? undefined : shell.variables.get(name);
      seen.add(name);
      if (held && spend(shell.all, 1, text)) left.push(held.text);
    }
  }
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
  if (isTooDeep(shell, draft.text) || !spend(shell.all, 8, draft.text)) return UNKNOWN;
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
    at: draft.at,
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
  if (isTooDeep(shell, text)) return false;
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

/** Expansions that bash refuses or reads otherwise, and zsh has: `$=x`, `${=x}`, `${(e)x}`, `$x[2]`. */
const ZSH_EXPANSION = /\$(?:[=~^][A-Za-z_]|[A-Za-z_]\w*\[\d+\]|\{(?:[=~^]+[A-Za-z_]|\([\w@#%:~.,/-]*\)))/;

/** With the expansions that come nearest to them. */
function withoutZsh(code: string): string {
  return code
    .replaceAll(/\$\{\(([\w@#%:~.,/-]*)\)[=~^]*([A-Za-z_]\w*)\}/g, (_, flags: string, name: string) =>
      flags.includes('e') || flags.includes('%') ? `\${${name}@P}` : `\${${name}}`,
    )
    .replaceAll(/\$\{[=~^]+([A-Za-z_])/g, '${$1')
    .replaceAll(/\$[=~^]+([A-Za-z_])/g, '$$$1')
    .replaceAll(
      /\$([A-Za-z_]\w*)\[(\d+)\]/g,
      (_, name: string, at: string) => `\${${name}[${Math.max(0, Number(at) - 1)}]}`,
    );
}

/** A limit of the parser, not of the shell: what is nested deeper may well run. */
const TOO_DEEP = /^maximum .*depth exceeded/;

/** Statements that can be made out of a text; where the grammar breaks, reading goes on behind the break. */
export function parseAndRun(code: string, shell: Shell): string {
  let rest = ZSH_EXPANSION.test(code) ? withoutZsh(code) : code;
  if (rest !== code) keepOrigin(code, rest, shell.all);
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
    keepOrigin(rest, left, shell.all);
    rest = left;
  }
  return printed;
}
