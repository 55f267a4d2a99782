import type { ShellWord } from './command.ts';
import { readOptions } from './options.ts';
import { runCode } from './run-code.ts';
import type { Draft, Shell } from './state.ts';

const SECURE_SHELL = {
  values: [
    '-o',
    '-i',
    '-p',
    '-P',
    '-l',
    '-F',
    '-J',
    '-L',
    '-R',
    '-D',
    '-b',
    '-c',
    '-e',
    '-m',
    '-O',
    '-Q',
    '-S',
    '-W',
    '-w',
    '-E',
    '-B',
    '-I',
  ],
  stopAtOperand: true,
} as const;

/** What `ssh host command` runs is run elsewhere; the command it reaches the host through is run here. */
export function runSecureShell(draft: Draft, shell: Shell): string | undefined {
  const set = readOptions(draft.words.slice(1), SECURE_SHELL).values('-o');
  return runSettings(set, draft, shell);
}

const RUNS_HERE = /^\s*(?:proxycommand|localcommand|knownhostscommand)\s*[=\s]\s*([^]*)$/i;

function runSettings(set: readonly ShellWord[], draft: Draft, shell: Shell): string | undefined {
  let ran: string | undefined;
  for (const { value } of set) {
    const code = RUNS_HERE.exec(value)?.[1];
    if (code === undefined || code.trim().toLowerCase() === 'none') continue;
    ran = (ran ?? '') + runCode(code, `${draft.program} -o`, draft, shell, { input: undefined });
  }
  return ran;
}
