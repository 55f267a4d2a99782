import { runInterpreter } from './code.ts';
import { runFd, runFind } from './find.ts';
import { LAUNCHERS } from './launchers.ts';
import { SHELL_NAMES } from './shell-names.ts';
import { runByName, runEval, runShellProgram, runSource, runTrap } from './shells.ts';
import type { Draft, Shell } from './state.ts';
import { WRAPPERS } from './wrapper-table.ts';
import { runParallel, runXargs } from './xargs.ts';

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
