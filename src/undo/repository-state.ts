import { readHead, UNBORN } from '../git/head.ts';
import { readSmall, sharedDir } from '../git/repository.ts';
import type { Repository } from '../git/repository.ts';
import { join } from '../platform/paths.ts';
import type { Plan, PlannedRepository } from './planned.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';

const LIMIT_MS = 2_000;

/** What a git command that only reads names, each with a zero behind it. */
export async function askGit(
  { git }: UndoWorld,
  { top }: Repository,
  args: readonly string[],
): Promise<readonly string[]> {
  const text = await git(top, args, LIMIT_MS);
  if (text === undefined) throw new Unkept(WHY_NOT.git);
  return text.split('\0').filter((each) => each !== '');
}

/** Every ref by its whole name, with the object that it names; those that lead to another ref are left out. */
export async function readAllRefs(
  { git }: Pick<UndoWorld, 'git'>,
  { top }: Pick<Repository, 'top'>,
): Promise<ReadonlyMap<string, string>> {
  const text = await git(top, ['for-each-ref', '--format=%(objectname) %(symref) %(refname)'], LIMIT_MS);
  if (text === undefined) throw new Unkept(WHY_NOT.git);
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, sha, name] = /^([0-9a-f]{40})  (\S+)$/.exec(line) ?? [];
    if (sha !== undefined && name !== undefined) refs.set(name, sha);
  }
  return refs;
}

/** The ref that is checked out, by its whole name; undefined when HEAD stands at a commit. */
export function currentBranch({ files }: Pick<UndoWorld, 'files'>, { gitDir }: Repository): string | undefined {
  return /^ref: (refs\/.+)$/.exec(readSmall(files, join(gitDir, 'HEAD')) ?? '')?.[1];
}

export type Moved = Pick<PlannedRepository, 'refs' | 'wants' | 'haves'>;

/** What the current branch holds alone once it stands at another commit. Without one, that it may be left is what counts. */
export async function moved(world: UndoWorld, repository: Repository, to: string | undefined): Promise<Moved> {
  const head = readHead(world.files, repository);
  const branch = currentBranch(world, repository);
  const refs = branch === undefined ? ['HEAD'] : ['HEAD', branch];
  if (head === undefined || head === UNBORN) return { refs: [], wants: [], haves: [] };
  if (to === undefined && branch !== undefined) return { refs: ['HEAD'], wants: [], haves: [] };
  const all = await readAllRefs(world, repository);
  const others = [...all].filter(([name]) => name !== branch).map(([, sha]) => sha);
  return {
    refs,
    wants: [head],
    haves: [...others, ...(to === undefined ? [] : [await commitOf(world, repository, to)])],
  };
}

/** The commit that a name stands for. */
export async function commitOf({ git }: UndoWorld, { top }: Repository, name: string): Promise<string> {
  const sha = (
    await git(top, ['rev-parse', '-q', '--verify', '--end-of-options', `${name}^{commit}`], LIMIT_MS)
  )?.trim();
  if (sha === undefined || !/^[0-9a-f]{40}$/.test(sha)) throw new Unkept(WHY_NOT.git);
  return sha;
}

const STASH = 'refs/stash';

export async function planStashes(world: UndoWorld, repository: Repository): Promise<Plan> {
  const all = await readAllRefs(world, repository);
  if (!all.has(STASH)) return { paths: [], repositories: [] };
  const log = join(sharedOf(world, repository), 'logs', STASH);
  const kept: PlannedRepository = {
    ...{ repository, refs: [STASH], logs: [log], index: false, objects: [] },
    wants: [...new Set([all.get(STASH) ?? '', ...loggedIn(world, log)])],
    haves: [...all].filter(([name]) => name !== STASH).map(([, sha]) => sha),
  };
  return { paths: [], repositories: [kept] };
}

export function sharedOf({ files }: Pick<UndoWorld, 'files'>, { gitDir }: Repository): string {
  return sharedDir(files, gitDir) ?? gitDir;
}

/** The commits that a reflog names. */
export function loggedIn({ files }: Pick<UndoWorld, 'files'>, log: string): readonly string[] {
  const shas = new Set<string>();
  for (const line of (files.readText(log) ?? '').split('\n'))
    for (const sha of line.slice(0, 81).split(' ')) if (/^[0-9a-f]{40}$/.test(sha) && !/^0+$/.test(sha)) shas.add(sha);
  return [...shas];
}

/** Every reflog, of the work tree and of what it shares with others. */
export function listLogs({ files }: Pick<UndoWorld, 'files'>, shared: string): readonly string[] {
  const found: string[] = [];
  const walk = (path: string): void => {
    const kind = files.lstat(path)?.kind;
    if (kind === 'file') found.push(path);
    if (kind === 'dir') for (const name of files.list(path)) walk(join(path, name));
  };
  walk(join(shared, 'logs'));
  for (const name of files.list(join(shared, 'worktrees'))) walk(join(shared, 'worktrees', name, 'logs'));
  return found;
}
