import { spawnSync } from 'node:child_process';
import { WRAPPED_UP } from '../../command-cells.ts';
import { ENTRY_FILES, unfilledEntries } from '../../entries.ts';
import { CONTEXT_DIR, contextFileTimes, contextPath } from '../../files.ts';
import { openTasks } from '../../tasks.ts';
import { nodeFiles } from '../../../../platform/files.ts';
import { cellId } from '../../../../state/cells.ts';
import { changeState } from '../../../../cli/change-state.ts';
import { JSON_OPTION, printJson } from '../../../../cli/command.ts';
import type { CliWorld, Command, VerbFile } from '../../../../cli/command.ts';
import { contextKey, contextOptions, currentSession, requireContext } from '../context-place.ts';
import type { ContextPlace } from '../context-place.ts';
import { formatMoment, printableLine } from '../../../../cli/table.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 2;
/** A session that was active this long ago may be the one that a person wraps up from another terminal. */
const RECENT_MS = 10 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const GIT_LIMIT_MS = 2_000;
/** Where a session leaves something, if it leaves anything. */
const KEPT = ['TASKS.md', 'DECISIONS.md', 'LEARNINGS.md'];

interface Unsaved {
  readonly session?: string;
  /** The beginning of the session, or a day ago when none is known. */
  readonly since: number;
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  /** Paths that version control has not got; absent where there is none, or it did not answer. */
  readonly uncommitted?: readonly string[];
  readonly isGitSilent?: true;
  /** Entries of which only the heading was written. */
  readonly unfilled: readonly string[];
  readonly openTasks: readonly string[];
}

export const wrapUp: Command = {
  summary: 'what is not saved yet; hushes advice to save for two hours',
  details: `Prints which context files this session has not touched, what is not committed, entries without text and open tasks. Afterwards the rules
that tell an agent to save its work are quiet for two hours (wrap_up.hours).`,
  options: JSON_OPTION,
  async run(input, world) {
    const place = requireContext(world);
    const now = world.engine().clock.now();
    const unsaved = lookAt(world, place, now);
    const until = now + (await hoursOf(world, place)) * HOUR_MS;
    const { session } = unsaved;
    const value = JSON.stringify({ at: now, ...(session === undefined ? {} : { session }) });
    const { scope, name } = WRAPPED_UP;
    const id = cellId(scope, place.workspace, name, contextKey(place));
    changeState(world, (draft) => draft.set(id, value, until));
    if (input.has('json')) return printJson(world, { ...unsaved, until });
    print(world, unsaved, now);
    world.out(`Wrapped up: advice to save is quiet until ${formatMoment(until, now)}.\n`);
  },
};

async function hoursOf(world: CliWorld, place: ContextPlace): Promise<number> {
  const given = (await contextOptions(world, place))['wrap_up'] as { readonly hours?: unknown } | null | undefined;
  return typeof given?.hours === 'number' && given.hours > 0 ? given.hours : DEFAULT_HOURS;
}

function lookAt(world: CliWorld, { root, workspace }: ContextPlace, now: number): Unsaved {
  const session = currentSession(world) ?? recentSession(world, workspace, now);
  const since = (session === undefined ? undefined : startOf(world, session)) ?? now - DAY_MS;
  const times = contextFileTimes(nodeFiles, root);
  const changed = times.filter(({ mtimeMs }) => mtimeMs >= since).map(({ name }) => name);
  const uncommitted = uncommittedIn(root);
  const read = (name: string) => nodeFiles.readText(contextPath(root, name)) ?? '';
  return {
    ...(session === undefined ? {} : { session }),
    since,
    changed,
    unchanged: KEPT.filter((name) => times.some((file) => file.name === name) && !changed.includes(name)),
    ...(uncommitted === 'silent' ? { isGitSilent: true } : uncommitted ? { uncommitted } : {}),
    unfilled: Object.values(ENTRY_FILES).flatMap((name) =>
      unfilledEntries(read(name)).map(({ stamp, title }) => `${name}: [${stamp}] ${title}`),
    ),
    openTasks: openTasks(read('TASKS.md')),
  };
}

function print(
  world: CliWorld,
  { session, since, changed, unchanged, uncommitted, isGitSilent, unfilled, openTasks: open }: Unsaved,
  now: number,
): void {
  const line = (title: string, items: readonly string[]) => {
    if (items.length > 0) world.out(`${title}: ${items.map(printableLine).join(', ')}\n`);
  };
  const span = session === undefined ? 'in the last day' : `since the session began at ${formatMoment(since, now)}`;
  line(`Changed ${span}`, changed);
  line(`Not changed ${span}`, unchanged);
  line('Not committed', uncommitted ?? []);
  if (isGitSilent) world.out(`Not committed: unknown, git did not answer within ${GIT_LIMIT_MS / 1_000} s\n`);
  line('Entries without text', unfilled);
  if (open.length > 0) line(`Open tasks, ${open.length} in all, the first`, open.slice(0, 1));
  if (unchanged.some((name) => name !== 'TASKS.md'))
    world.out('To write something down: `fairlead context add decision|learning "<title>"`.\n');
}

function recentSession(world: CliWorld, workspace: string, now: number): string | undefined {
  const row = world
    .engine()
    .memory.db?.prepare('SELECT session FROM events WHERE root = ? AND at >= ? ORDER BY at DESC LIMIT 1')
    .get(workspace, now - RECENT_MS) as { readonly session: string } | undefined;
  return row?.session;
}

function startOf(world: CliWorld, session: string): number | undefined {
  const row = world.engine().memory.db?.prepare('SELECT min(at) AS at FROM events WHERE session = ?').get(session) as
    | { readonly at: number | null }
    | undefined;
  return row?.at ?? undefined;
}

/** Asks git without letting the repository's settings start a program. */
function uncommittedIn(root: string): readonly string[] | 'silent' | undefined {
  const args = [
    '-c',
    'core.fsmonitor=false',
    '--no-optional-locks',
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--',
    CONTEXT_DIR,
  ];
  const { status, stdout, error } = spawnSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    timeout: GIT_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  if (error && 'code' in error && error.code === 'ETIMEDOUT') return 'silent';
  if (status !== 0) return undefined;
  const parts = stdout.split('\0');
  const paths: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    if (part.length > 3) paths.push(part.slice(3));
    // What was renamed is followed by its old name.
    if (part.startsWith('R') || part.startsWith('C')) at += 1;
  }
  return paths;
}

export default { order: 220, verbs: { 'context wrap-up': wrapUp } } satisfies VerbFile;
