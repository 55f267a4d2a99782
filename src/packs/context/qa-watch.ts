import type { Effect, Event } from '../../engine/rule.ts';
import { readShell } from '../../shell/read.ts';
import type { ReadingPlace, ShellCommand } from '../../shell/command.ts';
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
  /** What a shell command did to files. */
  readonly effects: readonly Effect[];
  readonly now: number;
}

/** What is known after a call; the same object where it was neither an edit nor a run of a check. */
export function watch(state: QaState, { tool, cwd }: Event, watched: Watched): QaState {
  if (!tool || tool.background === true) return state;
  const { now, workspace } = watched;
  if (tool.kind === 'shell') {
    const place = { cwd, home: workspace.home, root: workspace.root };
    const edits = watched.effects.filter((effect) => isEdit(effect, watched));
    // A line that failed at its end has changed what it changed.
    if (tool.failed === true) return edits.length === 0 ? state : { ...state, lastEdit: now };
    return afterShell(state, readRuns(tool.command ?? '', place, watched, edits), now, now - (tool.durationMs ?? 0));
  }
  if (tool.failed === true) return state;
  const isAbout = tool.paths.length === 0 || tool.paths.some((path) => isSubject(path, watched));
  return isAbout ? { ...state, lastEdit: now } : state;
}

function afterShell(state: QaState, { edits, before, after }: Runs, now: number, startedAt: number): QaState {
  if (!edits && after.length === 0) return state;
  const passedAt = (checks: readonly Check[], at: number) =>
    checks.map(({ name }): [string, number] => [name, Math.max(at, state.checks[name] ?? 0)]);
  const checks = Object.fromEntries([...passedAt(before, startedAt - 1), ...passedAt(after, startedAt)]);
  // What ran after the last edit of its own call has seen it.
  const editedAt = after.length > 0 ? startedAt : now;
  return {
    ...state,
    checks: { ...state.checks, ...checks },
    ...(edits && { lastEdit: Math.max(editedAt, state.lastEdit) }),
  };
}

/** What a build makes, and an empty file, is nothing that checks are run again for. */
function isEdit({ path, scope, how }: Effect, watched: Watched): boolean {
  if (path === undefined || scope === 'made' || scope === 'git' || how === 'mkdir' || how === 'touch') return false;
  return isSubject(path, watched);
}

/** Notes of the project, and files elsewhere, are nothing that its checks look at. */
function isSubject(path: string, { root, workspace }: Watched): boolean {
  return isAtOrBelow(path, workspace.root) && !isAtOrBelow(path, contextPath(root));
}

/** What a command line did, in the order it did it. */
interface Runs {
  readonly edits: boolean;
  /** The checks that passed, and an edit came later. */
  readonly before: readonly Check[];
  readonly after: readonly Check[];
}

/** A run elsewhere says nothing about this project, and one whose end the call does not tell of says nothing at all. */
function readRuns(text: string, place: ReadingPlace, watched: Watched, effects: readonly Effect[]): Runs {
  const { checks, workspace } = watched;
  const reading = readShell(text, place);
  const isRun = (command: ShellCommand) => checks.some((check) => isRunOf(check, command));
  const runs = reading.commands.filter(isRun);
  // What a check writes is its report, or what it mended and then found good.
  const own = effects.filter((effect) => !runs.some((command) => isOf(effect, command)));
  const edits = own.length > 0;
  if (runs.length === 0) return { edits, before: [], after: [] };
  const last = reading.commands.findLastIndex((command) => own.some((effect) => isOf(effect, command)));
  const proven = provenCommands(text, reading).filter(
    ({ dir }) => dir === undefined || isAtOrBelow(dir, workspace.root),
  );
  const runsIn = (commands: readonly ShellCommand[]) =>
    checks.filter((check) => commands.some((command) => isRunOf(check, command)));
  return {
    edits,
    before: runsIn(proven.filter(({ number }) => number < last)),
    after: runsIn(proven.filter(({ number }) => number > last)),
  };
}

/** An effect keeps the beginning of the command it comes from. */
function isOf({ seen }: Effect, { text }: ShellCommand): boolean {
  return text.startsWith(seen);
}

function isAtOrBelow(path: string, dir: string): boolean {
  return path === dir || path.startsWith(`${dir}/`);
}
