import type { Reading, ShellCommand } from '../../shell/command.ts';
import { provenCommands } from './exit-code.ts';
import { readCommit } from './git-call.ts';
import type { GitCall } from './git-call.ts';
import { isRunOf } from './qa-checks.ts';
import type { Check } from './qa-checks.ts';
import { standingOf } from './qa-state.ts';
import type { QaState } from './qa-state.ts';

/** What puts work into a repository, or takes it to another one. */
const WRITES: ReadonlySet<string> = new Set(
  'add am apply cherry-pick commit commit-tree merge mv notes pull push rebase revert rm stash tag update-ref'.split(
    ' ',
  ),
);

/** Whether a call is among those that are spoken about. */
export function isMeant({ name }: GitCall, when: 'any' | 'write' | 'commit'): boolean {
  if (when === 'any') return true;
  return when === 'commit' ? name === 'commit' : WRITES.has(name);
}

export interface Attempt {
  readonly calls: readonly GitCall[];
  readonly checks: readonly Check[];
  readonly qa: QaState;
  readonly text: string;
  readonly reading: Reading;
}

/** The checks that a commit would be made without; one that the same call runs first, joined by `&&`, is none. */
export function openAtCommit({ calls, checks, qa, text, reading }: Attempt): readonly Check[] {
  const commits = calls.filter(isCommit).map(({ command }) => command);
  const isOpen = (check: Check, commit: ShellCommand) =>
    standingOf(qa, check.name) !== 'passed' &&
    !provenCommands(text, reading, commit).some((command) => isRunOf(check, command));
  return checks.filter((check) => commits.some((commit) => isOpen(check, commit)));
}

function isCommit({ name, words }: GitCall): boolean {
  return name === 'commit' && readCommit(words) !== undefined;
}
