import type { Effect, GitWords } from '../event/effect.ts';
import { UNBORN } from '../git/head.ts';
import type { TreeEntry } from '../git/objects.ts';
import { findRepository } from '../git/repository.ts';
import type { Repository } from '../git/repository.ts';
import { dirname } from '../platform/paths.ts';
import { readHistory } from './history.ts';
import { findNew } from './new-files.ts';
import { holdsSame, readTracked } from './tracked-files.ts';
import { Unseen, WHY } from './world.ts';
import type { LossWorld } from './world.ts';

/** Whether git, told to do this, would take a file of settings away or put another in its place, be it committed or not. */
export async function isTaken(
  { how: way = '', path = '', git, after: earlier }: Effect,
  world: LossWorld,
): Promise<boolean> {
  const { files } = world;
  const how = way.replace('wired-', '');
  if (!git) throw new Unseen(WHY.untold);
  const repository = findRepository(files, dirname(path));
  if (!repository) return false;
  // What lies in a repository of its own is not for the one around it to take.
  if (findRepository(files, git.dir)?.top !== repository.top) return false;
  if (git.within !== undefined && !`${path}/`.startsWith(`${git.within === '/' ? '' : git.within}/`)) return false;
  const name = path.slice(repository.top.length + 1);
  const tracked = readTracked(world, repository);
  const entry = tracked.index?.entriesBelow([name], 1)?.[0];
  const isUntracked = async () =>
    (await findNew(world, repository, tracked, [name], { ignored: false })).untracked.length > 0;
  // `git add -A && git stash`
  if (!entry && earlier?.includes('add') === true && TAKES_ADDED.test(how)) return isUntracked();
  const isCleaned = how.startsWith('clean') || how === 'stashing';
  if (isCleaned && !entry) {
    if (git.ignored === 'too') return true;
    if (git.flat === true && !tracked.index?.countBelow([dirname(name)])) return false;
    return (await isUntracked()) !== (git.ignored === 'only');
  }
  if (how === 'git-rm') return entry !== undefined;
  if (how.startsWith('clean')) return false;
  const after = await leftBy(how, name, git, repository, world);
  if (after === 'same') return false;
  const then = after === 'index' ? entry : after;
  const stat = files.lstat(path);
  return then && stat ? !holdsSame(files, then, path, stat) : entry !== undefined;
}

/** What has just been added goes with it. */
const TAKES_ADDED = /^stashing|reset$|^git-rm$/;

/** What the commit has by that name whose files git puts there, or that the index counts. */
async function leftBy(how: string, name: string, { from, to }: GitWords, repository: Repository, world: LossWorld) {
  const isOfHead =
    how.startsWith('stashing') || how.endsWith('-reset') || how === 'read-tree' || how === 'apply-reverse';
  const source = from ?? to ?? (isOfHead ? 'HEAD' : undefined);
  if (source === undefined) return 'index';
  if (source === '') throw new Unseen(WHY.untold);
  const { head, find, objects, refs } = readHistory(world, repository);
  if (source === 'HEAD' && head === UNBORN) return undefined;
  // A branch that only a remote has is made here; of what is no commit at all git says so, and changes nothing.
  const ofRemote = [...refs].find(([ref]) => ref.startsWith('refs/remotes/') && ref.endsWith(`/${source}`))?.[1];
  const commit = await find(source).catch((error: unknown) => {
    if (how !== 'switching') throw error;
    return ofRemote;
  });
  if (commit === undefined) return 'same';
  let found: TreeEntry | undefined = { mode: 0, sha: objects.commit(commit)?.tree ?? '' };
  for (const part of name.split('/')) {
    const tree = objects.tree(found.sha);
    if (!tree) throw new Unseen(WHY.unreadable);
    found = tree.get(part);
    if (!found) return undefined;
  }
  return found;
}
