import type { Event } from '../../engine/rule.ts';
import { readShell } from '../../shell/read.ts';
import type { ReadingPlace } from '../../shell/command.ts';
import { provenCommands } from './exit-code.ts';
import { contextPath } from './files.ts';
import { isRunOf } from './qa-checks.ts';
import type { Check } from './qa-checks.ts';
import type { QaState } from './qa-state.ts';

export interface Watched {
  readonly checks: readonly Check[];
  /** The directory that holds `.context`. */
  readonly root: string;
  readonly workspace: { readonly root: string; readonly home: string };
  readonly now: number;
}

/** What is known after a call that succeeded; the same object where the call was neither an edit nor a run of a check. */
export function watch(state: QaState, { tool, cwd }: Event, watched: Watched): QaState {
  if (!tool || tool.failed === true || tool.background === true) return state;
  const { now, workspace } = watched;
  if (tool.kind !== 'shell')
    return tool.paths.length === 0 || tool.paths.some((path) => isSubject(path, watched))
      ? { ...state, lastEdit: now }
      : state;
  const startedAt = now - (tool.durationMs ?? 0);
  const passed = checksPassed(tool.command ?? '', { cwd, home: workspace.home, root: workspace.root }, watched);
  if (passed.length === 0) return state;
  const checks = Object.fromEntries(passed.map(({ name }) => [name, Math.max(startedAt, state.checks[name] ?? 0)]));
  return { ...state, checks: { ...state.checks, ...checks } };
}

/** Notes of the project, and files elsewhere, are nothing that its checks look at. */
function isSubject(path: string, { root, workspace }: Watched): boolean {
  return isAtOrBelow(path, workspace.root) && !isAtOrBelow(path, contextPath(root));
}

/** A run elsewhere says nothing about this project, and one whose end the call does not tell of says nothing at all. */
function checksPassed(text: string, place: ReadingPlace, { checks, workspace }: Watched): readonly Check[] {
  const reading = readShell(text, place);
  const runsCheck = checks.some((check) => reading.commands.some((command) => isRunOf(check, command)));
  if (!runsCheck) return [];
  const proven = provenCommands(text, reading).filter(
    ({ dir }) => dir === undefined || isAtOrBelow(dir, workspace.root),
  );
  return checks.filter((check) => proven.some((command) => isRunOf(check, command)));
}

function isAtOrBelow(path: string, dir: string): boolean {
  return path === dir || path.startsWith(`${dir}/`);
}
