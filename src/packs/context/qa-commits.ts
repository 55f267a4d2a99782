import type { Reading } from '../../shell/command.ts';
import { repositoryOf } from './commit-calls.ts';
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

export interface Line {
  readonly calls: readonly GitCall[];
  readonly checks: readonly Check[];
  readonly text: string;
  readonly reading: Reading;
}

export interface Attempt extends Line {
  readonly qa: QaState;
  /** Of the workspace: a commit elsewhere is nothing that its checks look at. */
  readonly root: string;
}

/** The checks that a commit would be made without; one that the same call runs first, joined by `&&`, is none. */
export function openAtCommit({ qa, root, ...line }: Attempt): readonly Check[] {
  const calls = line.calls.filter((call) => isCommit(call) && !isElsewhere(call, root));
  if (calls.length === 0) return [];
  const first = checksRunFirst({ ...line, calls });
  return line.checks.filter((check) => standingOf(qa, check.name) !== 'passed' && !first.includes(check));
}

/** The checks that have passed whenever the line comes to one of the calls. */
export function checksRunFirst({ calls, checks, text, reading }: Line): readonly Check[] {
  const runs = calls.map(({ command }) => provenCommands(text, reading, command));
  return checks.filter((check) => runs.every((commands) => commands.some((command) => isRunOf(check, command))));
}

function isElsewhere(call: GitCall, root: string): boolean {
  const { dir, gitDir = dir } = repositoryOf(call);
  return gitDir !== undefined && gitDir !== root && !gitDir.startsWith(`${root}/`);
}

function isCommit({ name, words }: GitCall): boolean {
  return name === 'commit' && readCommit(words) !== undefined;
}
