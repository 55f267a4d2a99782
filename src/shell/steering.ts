import { UNKNOWN } from './command.ts';
import { quote } from './quote.ts';
import { expandAgain, runLater } from './run-code.ts';
import type { Draft, Shell } from './state.ts';

/** Variables that other programs take a command from. */
const STEERING: ReadonlySet<string> = new Set([
  'GIT_SSH_COMMAND',
  'GIT_SSH',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_PAGER',
  'GIT_EXTERNAL_DIFF',
  'GIT_PROXY_COMMAND',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'EDITOR',
  'VISUAL',
  'FCEDIT',
  'PAGER',
  'MANPAGER',
  'SYSTEMD_PAGER',
  'LESSOPEN',
  'LESSCLOSE',
  'BROWSER',
  'PROMPT_COMMAND',
  'RSYNC_RSH',
]);

/** Texts that a shell expands when it shows them, or looks for a file by them. */
const EXPANDED: ReadonlySet<string> = new Set(
  'PS0 PS1 PS2 PS3 PS4 PROMPT PROMPT2 PROMPT3 PROMPT4 RPROMPT RPS1 BASH_ENV ENV'.split(' '),
);
/** Files that a shell reads before anything else. */
const STARTS_WITH: ReadonlySet<string> = new Set(['BASH_ENV', 'ENV']);

/** Reads a command that a variable hands to other programs; a bare name of a program is not worth it. */
export function runSteering(name: string, value: string, text: string, shell: Shell): void {
  if (EXPANDED.has(name)) {
    const meant = expandAgain(value, name, shell);
    if (STARTS_WITH.has(name) && meant !== '') runLater(`. ${quote(meant)}`, name, text, shell);
    return;
  }
  if (!STEERING.has(name) || !/[\s;|&$`(]/.test(value.trim())) return;
  runLater(value.replace(/^\s*\|{0,2}-?/, ''), name, text, shell);
}

const EXPORTS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);

export function runAssigned({ program, words, assigns, text }: Draft, shell: Shell): void {
  for (const { name, value } of assigns) runSteering(name, value.value, text, shell);
  if (!EXPORTS.has(program)) return;
  for (const { value } of words) {
    const equals = value.indexOf('=');
    if (equals > 0 && value[equals + 1] !== UNKNOWN)
      runSteering(value.slice(0, equals), value.slice(equals + 1), text, shell);
  }
}
