import type { Effect, GitWords } from '../event/effect.ts';
import type { Look, Lost, LostWhat } from '../event/facts.ts';
import { isSharedBranch } from '../effects/git/call.ts';
import { IGNORE_RULES } from '../effects/git/changes.ts';
import { isSpared } from '../effects/paths/spared.ts';
import { runsHere } from '../effects/words/runs-here.ts';
import { UNBORN } from '../git/head.ts';
import { findBare, findRepository } from '../git/repository.ts';
import type { Repository } from '../git/repository.ts';
import { basename, dirname, join, relative } from '../platform/paths.ts';
import { readHistory, readStashes } from './history.ts';
import type { History } from './history.ts';
import { findNew } from './new-files.ts';
import { ALL, picksOf } from './picked.ts';
import type { Picks } from './picked.ts';
import { findStaged } from './staged-files.ts';
import { findChanged, readTracked } from './tracked-files.ts';
import type { Tracked } from './tracked-files.ts';
import { isTaken } from './taken.ts';
import { countUnversioned } from './unversioned-files.ts';
import { Unseen, WHY } from './world.ts';
import type { LossWorld } from './world.ts';

/** What would be lost here? One look for each effect. */
export function lookForLosses(effects: readonly Effect[], world: LossWorld): Promise<readonly Look[]> {
  return Promise.all(
    effects.map(async (effect): Promise<Look> => {
      try {
        return await lookAt(effect, world);
      } catch (error) {
        return { unseen: error instanceof Unseen ? error.message : WHY.unreadable };
      }
    }),
  );
}

export function checkRoad(effect: Pick<Effect, 'road'>): void {
  if (!runsHere(effect)) throw new Unseen(WHY.road);
}

async function lookAt(effect: Effect, world: LossWorld): Promise<Look> {
  checkRoad(effect);
  switch (effect.kind) {
    case 'delete':
    case 'destroy-data':
      return effect.how === 'git-rm' ? lookAtDiscard(effect, world) : lookAtDelete(effect, world);
    case 'discard':
      return lookAtDiscard(effect, world);
    case 'delete-branch':
    case 'rewrite-history':
    case 'force-push':
      return lookAtHistory(effect, world);
    case 'settings':
      return { lost: (await isTaken(effect, world)) ? lost('changed', [effect.path ?? '']) : [] };
    default:
      throw new Unseen(WHY.untold);
  }
}

/** Subcommands that change nothing of what is looked at. */
const QUIET: ReadonlySet<string> = new Set([
  // Whoever deletes takes both what is ignored and what is not; a look at what `git clean` takes asks for itself.
  IGNORE_RULES,
  ...(
    'status diff log show fetch rev-parse ls-files blame describe grep shortlog cat-file version ls-remote ls-tree rev-list merge-base ' +
    'name-rev for-each-ref show-ref show-branch count-objects check-ignore diff-tree diff-index diff-files whatchanged cherry range-diff'
  ).split(' '),
]);
const OF_REMOTES: ReadonlySet<string> = new Set(['remote', 'config']);
/** What does not matter to commits: files, and which branch is checked out, as long as the branch is named. */
const OF_FILES: ReadonlySet<string> = new Set(['add', 'rm', 'mv', 'ln', 'restore', 'restore --staged']);
const OF_HEAD: ReadonlySet<string> = new Set(['checkout', 'switch', 'merge', 'pull', 'push']);
/** What leaves no more to lose than there was. */
const TAKING: ReadonlySet<string> = new Set(['clean', 'checkout', 'restore', 'switch', 'reset --hard']);
/** What lays nothing into a directory but what commits have, and takes nothing out of the index. */
const KEEPING: ReadonlySet<string> = new Set(
  'add push remote config tag branch merge pull cherry-pick revert rebase clone init submodule worktree'.split(' '),
);
/** What puts into a commit what there was to lose. */
const SAVING: ReadonlySet<string> = new Set(['commit', 'stash']);

const NONE: readonly string[] = [];

/** The repository that an effect is about, where nothing that runs before it changes what it takes. */
export function repositoryOf(
  { kind, how, git, after = NONE }: Effect,
  { files }: LossWorld,
): Repository & { readonly words: GitWords } {
  if (!git) throw new Unseen(WHY.untold);
  const isOfFiles = kind === 'discard' || kind === 'delete';
  const isHarmless = (name: string) =>
    QUIET.has(name) ||
    (how === 'amend' && name === 'commit') ||
    (OF_REMOTES.has(name) && kind !== 'force-push' && how !== 'remote') ||
    (isOfFiles ? git.to === undefined && TAKING.has(name) : OF_FILES.has(name)) ||
    (kind === 'delete-branch' && OF_HEAD.has(name));
  if (!after.every(isHarmless)) throw new Unseen(WHY.chained);
  const isDir = files.stat(git.dir)?.kind === 'dir';
  const repository = isDir ? (findRepository(files, git.dir) ?? findBare(files, git.dir)) : undefined;
  if (!repository) throw new Unseen(WHY.noRepository);
  return { ...repository, words: git };
}

const MOST_NAMES = 3;

function lost(what: LostWhat, found: readonly string[] | number, names: readonly string[] = []): readonly Lost[] {
  const count = typeof found === 'number' ? found : found.length;
  const named = typeof found === 'number' ? names : found.slice(0, MOST_NAMES);
  return count === 0 ? [] : [{ what, count, names: named }];
}

/** Where a pattern begins to be one: what lies there is more than what it names. */
export const PATTERN = /\/[^/]*[*?[].*$/;

/** Elsewhere more is lost than files: a home, a system, a repository's own parts. */
const OF_FILES_ALONE: ReadonlySet<string | undefined> = new Set(['inside', 'user', 'outside']);

async function lookAtDelete(effect: Effect, world: LossWorld): Promise<Look> {
  const { how, scope, many, after = NONE } = effect;
  const path = many ? many.below : effect.path;
  if (path === undefined || scope === 'unknown') throw new Unseen(WHY.untold);
  if (!OF_FILES_ALONE.has(scope)) throw new Unseen(WHY.more);
  const base = path.replace(PATTERN, '') || '/';
  if (/\/\.git(?:\/|$)/.test(base)) throw new Unseen(WHY.untold);
  // What is not there is made by what runs before, if by anything.
  if (!world.files.lstat(base) && after.length === 0) throw new Unseen(WHY.missing);
  const isAtMost = many !== undefined || base !== path || how === 'find' || how === 'sync';
  return { lost: await lookAtAll(effect, world, base, many && picksOf(many)), ...(isAtMost && { isAtMost }) };
}

/** What runs before and puts into commits what it finds; what brings there what is nowhere else cannot be looked through. */
export function savedBefore({ after = NONE }: Effect): readonly string[] {
  const isKept = (name: string) => QUIET.has(name) || TAKING.has(name) || KEEPING.has(name);
  const others = after.filter((name) => !isKept(name));
  if (!others.every((name) => SAVING.has(name))) throw new Unseen(WHY.chained);
  return others;
}

/** All that lies at a path and below it, as it is by the time that the effect takes place. */
async function lookAtAll(effect: Effect, world: LossWorld, path: string, picks: Picks = ALL): Promise<readonly Lost[]> {
  const others = savedBefore(effect);
  const found = world.files.lstat(path) ? await lookAtTree(world, path, path, picks) : [];
  if (found.length > 0 && others.length > 0) throw new Unseen(WHY.chained);
  return found;
}

/** `start` is where the look began, and what `picks` counts from. */
async function lookAtTree(world: LossWorld, path: string, start: string, picks: Picks): Promise<readonly Lost[]> {
  const { files } = world;
  // A list of files leaves the directory that it was made in.
  const isWhole = picks === ALL || (path !== start && picks(relative(start, path)));
  const dotGit = files.lstat(join(path, '.git'))?.kind;
  const own = dotGit === undefined ? undefined : findRepository(files, path);
  // Of a work tree whose repository lies elsewhere, only its files go.
  if (own?.top === path && dotGit !== 'file' && isWhole) return lost('repositories', [path]);
  const around = own?.top === path ? own : findRepository(files, dirname(path));
  if (around) return lookAtWorkTree(world, around, relative(around.top, path), start, picks);
  const { found, nested } = await countUnversioned(files, path);
  const picked = found.filter((one) => picks(relative(start, one)));
  return [...lost('unversioned', picked), ...(await lookAtNested(world, nested, start, picks))];
}

async function lookAtWorkTree(
  world: LossWorld,
  repository: Repository,
  path: string,
  start: string,
  picks: Picks,
): Promise<readonly Lost[]> {
  const tracked = readTracked(world, repository);
  const isPicked = (one: string) => picks(relative(start, join(repository.top, one)));
  const [changed, { untracked, ignored, nested }] = await Promise.all([
    findChanged(world, repository, tracked, [path], 'others'),
    findNew(world, repository, tracked, [path], { ignored: true }),
  ]);
  const within = nested.map((one) => join(repository.top, one));
  return [
    ...lost('changed', changed.filter(isPicked)),
    ...lost('untracked', untracked.filter(isPicked)),
    ...lost('ignored', ignored.filter(isPicked)),
    ...(await lookAtNested(world, within, start, picks)),
  ];
}

async function lookAtNested(
  world: LossWorld,
  paths: readonly string[],
  start: string,
  picks: Picks,
): Promise<readonly Lost[]> {
  const found = await Promise.all(paths.map((path) => lookAtTree(world, path, start, picks)));
  const all = found.flat();
  const kinds = [...new Set(all.map(({ what }) => what))];
  return kinds.map((what) => {
    const same = all.filter((each) => each.what === what);
    return {
      what,
      count: same.reduce((sum, { count }) => sum + count, 0),
      names: same.flatMap(({ names }) => names).slice(0, MOST_NAMES),
    };
  });
}

export interface RiskSought {
  /** What git ignores counts, also if tools make it. */
  readonly isAll: boolean;
  /** Directories go with all that is in them: a repository is more than its files. */
  readonly isWhole: boolean;
}

/** The files at a path and below that no index has as they are. */
export async function filesAtRisk(path: string, world: LossWorld, sought: RiskSought): Promise<readonly string[]> {
  const { files } = world;
  if (!files.lstat(path)) return [];
  const own = findRepository(files, path);
  const around = own?.top === path ? own : findRepository(files, dirname(path));
  if (around && isPartOf(around, path)) throw new Unseen(WHY.more);
  if (sought.isWhole && files.lstat(join(path, '.git'))?.kind === 'dir') throw new Unseen(WHY.more);
  if (!around) {
    const { found, nested } = await countUnversioned(files, path);
    return [...found, ...(await Promise.all(nested.map((each) => filesAtRisk(each, world, sought)))).flat()];
  }
  const tracked = readTracked(world, around);
  const below = [relative(around.top, path)];
  const [changed, fresh] = await Promise.all([
    findChanged(world, around, tracked, below, 'others'),
    findNew(world, around, tracked, below, { ignored: sought.isAll ? 'all' : true }),
  ]);
  const inside = await Promise.all(fresh.nested.map((each) => filesAtRisk(join(around.top, each), world, sought)));
  const found = [...changed, ...fresh.untracked, ...fresh.ignored].map((each) => join(around.top, each));
  return [...found, ...inside.flat()];
}

function isPartOf({ top, gitDir }: Repository, path: string): boolean {
  return `${path}/`.startsWith(`${gitDir}/`) || path === join(top, '.git');
}

/** Ways that put what the repository has over what lies in the work tree. */
export const RESTORES: ReadonlySet<string | undefined> = new Set(
  'hard-reset switch checkout restore checkout-index read-tree apply-reverse git-rm'.split(' '),
);

async function lookAtDiscard(effect: Effect, world: LossWorld): Promise<Look> {
  const { how, path } = effect;
  if (how === 'worktree-remove' || how === 'submodule-deinit') {
    if (path === undefined || !effect.git) throw new Unseen(WHY.untold);
    return { lost: await lookAtAll(effect, world, path) };
  }
  const { words, ...repository } = repositoryOf(effect, world);
  if (how === 'stash-drop' || how === 'stash-clear') return { lost: lookAtStashes(world, repository, how, words.to) };
  const base = path?.replace(PATTERN, '') || path;
  const paths = [pathFrom(repository.top, base ?? words.within ?? repository.top)];
  const isAtMost = base !== path;
  const tracked = readTracked(world, repository);
  const found = RESTORES.has(how)
    ? await lookAtRestored(world, repository, tracked, paths, words)
    : how === 'merge-reset'
      ? lost('changed', await findStaged(world, repository, tracked, paths))
      : how === 'clean' || how === 'clean-ignored'
        ? await lookAtCleaned(world, repository, tracked, paths, words, effect)
        : undefined;
  if (!found) throw new Unseen(WHY.untold);
  return { lost: found, ...(isAtMost && { isAtMost }) };
}

/** The path from the top; the empty one for the top and what lies above it. */
export function pathFrom(top: string, path: string): string {
  const from = relative(top, path);
  if (!from.startsWith('..')) return from;
  if (`${top}/`.startsWith(path === '/' ? path : `${path}/`)) return '';
  throw new Unseen(WHY.untold);
}

async function lookAtRestored(
  world: LossWorld,
  repository: Repository,
  tracked: Tracked,
  paths: readonly string[],
  { staged, to }: GitWords,
): Promise<readonly Lost[]> {
  const [changed, added, commits] = await Promise.all([
    findChanged(world, repository, tracked, paths, 'git'),
    staged === true ? findStaged(world, repository, tracked, paths) : [],
    to === undefined ? 0 : countLeft(readHistory(world, repository), to),
  ]);
  return [...lost('changed', [...new Set([...changed, ...added])]), ...lost('commits', commits)];
}

/** Commits that nothing leads to once the current branch stands elsewhere. */
async function countLeft(history: History, to: string): Promise<number> {
  const { head, branch, refs } = history;
  if (head === UNBORN) return 0;
  const others = [...refs].filter(([name]) => name !== `refs/heads/${branch}`).map(([, sha]) => sha);
  return history.count(head, [await history.find(to), ...others]);
}

async function lookAtCleaned(
  world: LossWorld,
  repository: Repository,
  tracked: Tracked,
  paths: readonly string[],
  { ignored, flat }: GitWords,
  effect: Effect,
): Promise<readonly Lost[]> {
  const isShown = ignored === undefined && (await mayShowIgnored(effect, world, repository, tracked));
  const found = await findNew(world, repository, tracked, paths, { flat, ignored: isShown || ignored !== undefined });
  const goes = (path: string) => !isSpared(effect, join(repository.top, path));
  const untracked = ignored === 'only' ? [] : found.untracked.filter(goes);
  return [...lost('untracked', untracked), ...lost('ignored', found.ignored.filter(goes))];
}

/** Whether git may ignore less by the time that an effect takes place: its ignore files are put back, taken away or written before. */
export async function mayShowIgnored(
  { after = NONE }: Effect,
  world: LossWorld,
  repository: Repository,
  tracked: Tracked,
): Promise<boolean> {
  if (after.includes(IGNORE_RULES)) return true;
  if (!after.some((name) => TAKING.has(name))) return false;
  const [changed, staged, { untracked }] = await Promise.all([
    findChanged(world, repository, tracked, [''], 'git'),
    findStaged(world, repository, tracked, ['']),
    findNew(world, repository, tracked, [''], { ignored: false }),
  ]);
  return [...changed, ...staged, ...untracked].some((path) => basename(path) === '.gitignore');
}

function lookAtStashes(world: LossWorld, repository: Repository, how: string, which = '0'): readonly Lost[] {
  const stashes = readStashes(world, repository);
  if (how === 'stash-clear') return lost('stashes', stashes.toReversed());
  const number = /^(?:stash@\{)?(\d+)\}?$/.exec(which)?.[1];
  if (number === undefined) throw new Unseen(WHY.untold);
  const dropped = stashes.at(-1 - Number(number));
  return dropped === undefined ? [] : lost('stashes', [dropped]);
}

async function lookAtHistory(effect: Effect, world: LossWorld): Promise<Look> {
  const { words, ...repository } = repositoryOf(effect, world);
  const history = readHistory(world, repository);
  const { head } = history;
  if (effect.kind === 'force-push') return lookAtPush(effect, history, words);
  if (effect.how === 'remote') return lookAtRemoteBranch(effect, history);
  if (effect.kind === 'delete-branch' || effect.how === 'update-ref')
    return { lost: await lookAtBranch(effect, history, words) };
  if (effect.how === 'amend') {
    const remote = head === UNBORN ? undefined : await history.remoteWith(head);
    // Then it is another commit that is the last one.
    if (remote !== undefined && effect.after?.includes('commit') === true) throw new Unseen(WHY.chained);
    return { lost: remote === undefined ? [] : lost('shared', 1, [remote]) };
  }
  if (effect.how === 'rebase' && words.to !== undefined) {
    const tip = await history.find(effect.branch || 'HEAD');
    const kept = await history.find(words.to);
    const moved = await history.count(tip, [kept]);
    const shared = moved - (await history.count(tip, [kept, ...remoteTips(history)]));
    const remote = shared === 0 ? undefined : await history.remoteWith(tip);
    return { lost: lost('shared', shared, [remote ?? 'a remote branch']) };
  }
  throw new Unseen(words.to === undefined ? WHY.long : WHY.untold);
}

function remoteTips({ refs }: History): readonly string[] {
  return [...refs].filter(([name]) => name.startsWith('refs/remotes/')).map(([, sha]) => sha);
}

/** Commits that only the branch leads to, unless it is pointed at one that leads to them too. */
async function lookAtBranch(
  { branch = '', how, after = NONE }: Effect,
  { refs, head, branch: current, count, find }: History,
  { to }: GitWords,
): Promise<readonly Lost[]> {
  // Git does not delete the branch that is checked out.
  if (how === 'forced' && branch === current && !after.some((name) => OF_HEAD.has(name))) return [];
  const name = refs.has(branch) ? branch : `refs/heads/${branch}`;
  const tip = refs.get(name);
  if (tip === undefined) return [];
  const others = [...refs].filter(([each]) => each !== name).map(([, sha]) => sha);
  // Without a branch, HEAD keeps what it stands at.
  if (current === undefined && head !== UNBORN) others.push(head);
  return lost('commits', await count(tip, to === undefined ? others : [await find(to), ...others]));
}

/** The remote that a push goes to; undefined when there is none of that name, so that nothing can happen. */
function remoteOf({ host }: Effect, { remotes }: History): string | undefined {
  if (!remotes) return host ?? 'origin';
  if (host === undefined) return remotes.includes('origin') ? 'origin' : remotes[0];
  return remotes.includes(host) || /[:/.]/.test(host) ? host : undefined;
}

async function lookAtPush(effect: Effect, history: History, { to = 'HEAD' }: GitWords): Promise<Look> {
  const remote = remoteOf(effect, history);
  if (remote === undefined) return { lost: [] };
  const name = `${remote}/${(effect.branch || history.branch) ?? ''}`;
  const tip = effect.recursive === true ? undefined : history.refs.get(`refs/remotes/${name}`);
  if (tip === undefined) throw new Unseen(WHY.remote);
  const replaced = await history.count(tip, [await history.find(to)]);
  if (replaced === 0) throw new Unseen(WHY.remote);
  return { lost: lost('shared', replaced, [name]), isOfRemote: true };
}

async function lookAtRemoteBranch(effect: Effect, history: History): Promise<Look> {
  const remote = remoteOf(effect, history);
  if (remote === undefined) return { lost: [] };
  const name = `refs/remotes/${remote}/${effect.branch}`;
  const tip = history.refs.get(name);
  // What everybody builds on is missed by others, whoever else has it.
  if (tip === undefined || isSharedBranch(effect.branch ?? '')) throw new Unseen(WHY.remote);
  const others = [...history.refs].filter(([each]) => each !== name).map(([, sha]) => sha);
  return { lost: lost('commits', await history.count(tip, others)), isOfRemote: true };
}
