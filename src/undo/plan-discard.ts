import type { Effect, GitWords } from '../event/effect.ts';
import { readHead, UNBORN } from '../git/head.ts';
import { readSmall, sharedDir } from '../git/repository.ts';
import type { Repository } from '../git/repository.ts';
import { mayShowIgnored, pathFrom, PATTERN, repositoryOf, RESTORES, savedBefore } from '../losses/losses.ts';
import { findNew } from '../losses/new-files.ts';
import { findStaged } from '../losses/staged-files.ts';
import { findChanged, readTracked } from '../losses/tracked-files.ts';
import { MOST_BY_GIT, Unseen, WHY } from '../losses/world.ts';
import { dirname, join } from '../platform/paths.ts';
import type { Fate } from './manifest.ts';
import { NOTHING } from './planned.ts';
import type { Plan, PlannedPath, PlannedRepository } from './planned.ts';
import { askGit, currentBranch, moved, planStashes, readAllRefs } from './repository-state.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';

/** What git takes out of a work tree, its index, or its stashes. */
export async function planDiscard(effect: Effect, world: UndoWorld): Promise<Plan> {
  const { how, path, scope } = effect;
  if (scope === 'temp') return NOTHING;
  if (how === 'worktree-remove' || how === 'submodule-deinit') return planWholeTree(effect, world);
  const { words, ...repository } = repositoryOf(effect, world);
  if (how === 'stash-drop' || how === 'stash-clear') return planStashes(world, repository);
  const base = path?.replace(PATTERN, '') || path;
  const below = [pathFrom(repository.top, base ?? words.within ?? repository.top)];
  if (how === 'clean' || how === 'clean-ignored') return planClean(effect, world, repository, below, words);
  if (RESTORES.has(how) || how === 'merge-reset') return planRestored(effect, world, { repository, below, words });
  throw new Unseen(WHY.untold);
}

interface Restored {
  readonly repository: Repository;
  readonly below: readonly string[];
  readonly words: GitWords;
}

/** Ways that put every file there as a commit has it. */
const WHOLE: ReadonlySet<string | undefined> = new Set([
  'hard-reset',
  'switch',
  'checkout',
  'read-tree',
  'merge-reset',
]);

async function planRestored(effect: Effect, world: UndoWorld, { repository, below, words }: Restored): Promise<Plan> {
  const tracked = readTracked(world, repository);
  const isWhole = effect.path === undefined && WHOLE.has(effect.how) && words.staged === true;
  const [changed, staged, inTheWay] = await Promise.all([
    findChanged(world, repository, tracked, below, 'git'),
    words.staged === true ? findStaged(world, repository, tracked, below) : [],
    findInTheWay(effect, world, { repository, below, words }),
  ]);
  const all = effect.how === 'git-rm' ? (tracked.index?.entriesBelow(below, MOST_BY_GIT) ?? []) : [];
  const paths = [...changed, ...staged, ...inTheWay.found, ...all.map(({ path }) => path)];
  const planned = planPaths(repository, new Set(paths), effect.how === 'git-rm' ? 'gone' : 'changed');
  const made = [...inTheWay.absent].map((path): PlannedPath => {
    return { path: join(repository.top, path), fate: 'changed', absent: true, alone: true };
  });
  const blobs = await stagedObjects(world, repository);
  const state = isWhole ? mergeState(world, repository) : { paths: [], commits: [] };
  const { refs, wants, haves } = isWhole ? await moved(world, repository, words.to) : NO_REFS;
  // A merge under way is most often with what a branch holds too.
  const others = state.commits.length > 0 && haves.length === 0 ? await readAllRefs(world, repository) : undefined;
  const kept: PlannedRepository = {
    ...{ repository, refs, logs: [], index: tracked.index !== undefined },
    ...{ wants: [...wants, ...state.commits, ...blobs], haves: others ? [...others.values()] : haves, objects: [] },
  };
  return { paths: [...planned, ...made, ...state.paths], repositories: [kept] };
}

const NO_REFS = { refs: [], wants: [], haves: [] } as const;

function planPaths({ top }: Repository, paths: Iterable<string>, fate: Fate): readonly PlannedPath[] {
  return [...paths].map((path) => ({ path: join(top, path), fate }));
}

/** What git does not track and overwrites, and what it makes: files where the commit has some, and files where it has directories. */
async function findInTheWay(
  { how }: Effect,
  world: UndoWorld,
  { repository, below, words }: Restored,
): Promise<{ readonly found: ReadonlySet<string>; readonly absent: ReadonlySet<string> }> {
  const absent = new Set<string>();
  if (how === 'git-rm' || how === 'apply-reverse') return { found: absent, absent };
  const { files } = world;
  const { to, from, staged } = words;
  const isFromIndex = how === 'checkout-index' || (staged !== true && from === undefined && to === undefined);
  // A branch to switch to that is not told, or a word that only the shell knows: any file may be in its way.
  const isUntold = from === '' || (how === 'switch' && from === undefined);
  const named = to ?? (from || 'HEAD');
  const isUnborn = named === 'HEAD' && readHead(files, repository) === UNBORN;
  // Where HEAD goes along, files that are as a commit has them come back with it; else they are copied.
  const filter = from === undefined || how === 'switch' ? ['--diff-filter=D'] : [];
  const specs = below.includes('') ? [] : ['--', ...below];
  const ask = (args: readonly string[]) => askGit(world, repository, [...args, ...specs]);
  const [missing, unknown, deleted] = await Promise.all([
    isFromIndex || isUnborn
      ? []
      : ask(['diff-index', '--cached', '--no-renames', '--name-only', ...filter, '-z', named]),
    isUntold ? ask(['ls-files', '--others', '--exclude-standard', '-z']) : [],
    ask(['ls-files', '--deleted', '-z']),
  ]);
  const found = new Set<string>(unknown.map((each) => each.replace(/\/$/, '')));
  for (const each of [...missing, ...deleted]) {
    const there = nearest(world, repository.top, each, absent);
    if (there !== undefined) found.add(there);
  }
  return { found, absent };
}

/** The path itself if something is there, or the file that lies where it needs a directory. What is not there is noted. */
function nearest({ files }: UndoWorld, top: string, path: string, absent: Set<string>): string | undefined {
  for (let at = path; at !== '.' && at !== ''; at = dirname(at)) {
    const kind = files.lstat(join(top, at))?.kind;
    if (kind !== undefined) return at === path || kind !== 'dir' ? at : undefined;
    absent.add(at);
  }
  return undefined;
}

/** What the index has and no commit that it is compared with; these are held by the index alone. */
async function stagedObjects(world: UndoWorld, repository: Repository): Promise<readonly string[]> {
  const head = readHead(world.files, repository);
  const [raw, unmerged] = await Promise.all([
    head === UNBORN
      ? askGit(world, repository, ['ls-files', '--stage', '-z'])
      : askGit(world, repository, ['diff-index', '--cached', '--no-renames', '--raw', '--no-abbrev', '-z', 'HEAD']),
    askGit(world, repository, ['ls-files', '--unmerged', '-z']),
  ]);
  const shas = new Set<string>();
  for (const line of [...raw, ...unmerged]) {
    const raws = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]{40}) /.exec(line) ?? /^(\d+) ([0-9a-f]{40}) \d\t/.exec(line);
    // The commit of a submodule is not kept here; an entry without content names none.
    if (raws?.[2] && raws[1] !== '160000' && !/^0+$/.test(raws[2])) shas.add(raws[2]);
  }
  return [...shas];
}

const MERGING = [
  'MERGE_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'AUTO_MERGE',
  'SQUASH_MSG',
];

/** A merge under way is forgotten with the changes. */
function mergeState({ files }: UndoWorld, { gitDir }: Repository): { paths: PlannedPath[]; commits: string[] } {
  const there = MERGING.map((name) => join(gitDir, name)).filter((path) => files.lstat(path));
  const commits = there.flatMap((path) => (readSmall(files, path) ?? '').match(/^[0-9a-f]{40}$/gm) ?? []);
  return { paths: there.map((path) => ({ path, fate: 'gone' })), commits };
}

async function planClean(
  effect: Effect,
  world: UndoWorld,
  repository: Repository,
  below: readonly string[],
  { ignored, flat }: GitWords,
): Promise<Plan> {
  const specs = below.includes('') ? [] : ['--', ...below];
  const chosen =
    ignored === 'too' ? [] : ignored === 'only' ? ['--ignored', '--exclude-standard'] : ['--exclude-standard'];
  const list = (args: readonly string[]) =>
    askGit(world, repository, ['ls-files', '--others', '-z', ...args, ...chosen, ...specs]);
  const [found, dirs] = await Promise.all([list([]), list(['--directory'])]);
  const whole = dirs.filter((path) => path.endsWith('/'));
  // Repositories in it stay.
  const files = found.filter(
    (path) => !path.endsWith('/') && !(flat === true && whole.some((dir) => path.startsWith(dir))),
  );
  const tracked = readTracked(world, repository);
  const isShown = ignored === undefined && (await mayShowIgnored(effect, world, repository, tracked));
  const shown = isShown ? (await findNew(world, repository, tracked, below, { flat, ignored: true })).ignored : [];
  const above = new Set<string>();
  if (flat !== true) for (const dir of whole) listDirs(world, repository.top, dir.slice(0, -1), above);
  return {
    paths: [
      ...planPaths(repository, new Set([...files, ...shown]), 'gone'),
      ...[...above].map((dir): PlannedPath => ({ path: join(repository.top, dir), fate: 'gone', alone: true })),
    ],
    repositories: [],
  };
}

function listDirs(world: UndoWorld, top: string, dir: string, found: Set<string>): void {
  const { files } = world;
  if (files.lstat(join(top, dir))?.kind !== 'dir' || files.exists(join(top, dir, '.git'))) return;
  found.add(dir);
  if (found.size > MOST_BY_GIT) throw new Unkept(WHY_NOT.large);
  for (const name of files.list(join(top, dir))) listDirs(world, top, `${dir}/${name}`, found);
}

/** The files of a work tree, with what the repository keeps for it. */
async function planWholeTree(effect: Effect, world: UndoWorld): Promise<Plan> {
  const { how, path, git } = effect;
  const { files } = world;
  if (path === undefined || !git) throw new Unseen(WHY.untold);
  savedBefore(effect);
  if (!files.lstat(path)) return NOTHING;
  const { gitDir } = repositoryOf({ ...effect, git: { dir: path } }, world);
  const repository: Repository = { top: path, gitDir };
  const shared = sharedDir(files, gitDir);
  const isWorkTree = how === 'worktree-remove' && shared !== undefined;
  const own: PlannedPath = isWorkTree
    ? { path: gitDir, fate: 'gone' }
    : { path: join(repositoryOf({ ...effect, git: { dir: dirname(path) } }, world).gitDir, 'config'), fate: 'changed' };
  const kept: PlannedPath[] = [{ path, fate: 'gone' }, own];
  if (!isWorkTree) return { paths: kept, repositories: [] };
  const head = readHead(files, repository);
  const blobs = await stagedObjects(world, repository);
  const refs = await readAllRefs(world, repository);
  const isDetached = currentBranch(world, repository) === undefined && head !== undefined && head !== UNBORN;
  const plan: PlannedRepository = {
    ...{ repository, refs: [], logs: [], index: false, objects: [] },
    wants: [...(isDetached ? [head] : []), ...blobs],
    haves: [...refs.values()],
  };
  return { paths: kept, repositories: [plan] };
}
