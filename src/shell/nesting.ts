import { runInterpreter } from './code.ts';
import { LAUNCHERS } from './launchers.ts';
import { SHELL_NAMES } from './shell-names.ts';
import { runByName, runEval, runShellProgram, runSource, runTrap } from './shells.ts';
import { plainWord, spend } from './state.ts';
import type { Draft, Shell } from './state.ts';
import { WRAPPERS } from './wrapper-table.ts';
import { runParallel, runXargs, fill, fillingWork } from './xargs.ts';
import { UNKNOWN } from './command.ts';
import type { ShellWord } from './command.ts';
import { runWords } from './run-code.ts';

const EXECUTES: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** What may stand before an action without leaving anything out. */
const NO_TESTS: ReadonlySet<string> = new Set(
  '-depth -d -xdev -mount -follow -print -print0 -noleaf -daystart -warn -nowarn -true -o -or -a -and -ignore_readdir_race -maxdepth'.split(
    ' ',
  ),
);

/** The commands of `find … -exec`, once for each place it starts from. */
function runFind(draft: Draft, shell: Shell): string | undefined {
  const { words } = draft;
  let at = 1;
  for (; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    if (/^-[HLPEXdsx]+$/.test(value) || /^-O\d?$/.test(value)) continue;
    if (value !== '-D' && value !== '-f') break;
    at += 1;
  }
  const starts: ShellWord[] = [];
  for (; at < words.length && !/^(?:-.|[(),!]$)/.test((words[at] as ShellWord).value); at += 1)
    starts.push(words[at] as ShellWord);
  if (starts.length === 0) starts.push(plainWord('.'));
  let narrowed = false;
  let ran = false;
  for (; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    if (!EXECUTES.has(value)) {
      if (value === '-maxdepth') at += 1;
      else if (/^[-!(]/.test(value) && !NO_TESTS.has(value) && value !== '(') narrowed = true;
      continue;
    }
    const end = endOfCommand(words, at + 1);
    const command = words.slice(at + 1, end);
    for (const start of starts) {
      if (!spend(shell.all, fillingWork(command, start), draft.text)) break;
      const item = { ...(narrowed ? below(start) : start), from: [draft.number] };
      ran = true;
      runWords(
        command.map((word) => fill(word, '{}', item)),
        `find ${value}`,
        draft,
        shell,
        { input: undefined },
      );
    }
    at = end;
  }
  return ran ? UNKNOWN : undefined;
}

function endOfCommand(words: readonly ShellWord[], from: number): number {
  for (let at = from; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    if (value === ';' || (value === '+' && words[at - 1]?.value === '{}')) return at;
  }
  return words.length;
}

function below(start: ShellWord): ShellWord {
  const value = start.value.endsWith('/') ? start.value + UNKNOWN : `${start.value}/${UNKNOWN}`;
  return { ...start, value, known: false };
}

/** `fd pattern -x program`. */
function runFd(draft: Draft, shell: Shell): string | undefined {
  const { words } = draft;
  const at = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.value));
  if (at < 0) return undefined;
  const item: ShellWord = { ...plainWord(UNKNOWN), from: [draft.number] };
  const command = words.slice(at + 1).filter((word) => word.value !== ';');
  const marked = command.some((word) => /\{[/.]*\}/.test(word.value));
  const filled = marked
    ? command.map((word) => ['{}', '{/}', '{//}', '{.}', '{/.}'].reduce((done, mark) => fill(done, mark, item), word))
    : [...command, item];
  return runWords(filled, 'fd -x', draft, shell, { input: undefined });
}

type Nest = (draft: Draft, shell: Shell) => string | undefined;

const NESTS: ReadonlyMap<string, Nest> = new Map<string, Nest>([
  ...[...SHELL_NAMES].map((name) => [name, runShellProgram] as const),
  ['eval', runEval],
  ['source', runSource],
  ['.', runSource],
  ['trap', runTrap],
  ['xargs', runXargs],
  ['gxargs', runXargs],
  ['parallel', runParallel],
  ['find', runFind],
  ['gfind', runFind],
  ['fd', runFd],
  ['fdfind', runFd],
  ...LAUNCHERS,
]);

/** The program runs others, or code, that it is given. */
export function startsOthers(program: string): boolean {
  return NESTS.has(program) || WRAPPERS.has(program);
}

/** Goes into what a command runs; undefined when it runs nothing that can be read. */
export function runNested(draft: Draft, shell: Shell): string | undefined {
  return NESTS.get(draft.program)?.(draft, shell) ?? runInterpreter(draft, shell) ?? runByName(draft, shell);
}
