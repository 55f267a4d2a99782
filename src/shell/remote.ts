import type { ShellWord } from './command.ts';
import { readOptions } from './options.ts';
import { runCode } from './run-code.ts';
import { joined } from './shells.ts';
import type { Draft, Shell } from './state.ts';

export const SECURE_SHELL = {
  values: '-o -i -p -P -l -F -J -L -R -D -b -c -e -m -O -Q -S -W -w -E -B -I'.split(' '),
  stopAtOperand: true,
} as const;

/** What `ssh host command` runs is run elsewhere; the command it reaches the host through is run here. */
export function runSecureShell(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), SECURE_SHELL);
  const ran = runSettings(options.values('-o'), draft, shell);
  const [host, ...command] = options.operands;
  if (draft.program !== 'ssh' || !host || !OWN_HOST.test(host.value) || command.length === 0) return ran;
  return (ran ?? '') + runCode(joined(command), 'ssh', draft, shell);
}

const OWN_HOST = /^(?:[\w.-]+@)?(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

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
