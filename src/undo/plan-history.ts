import type { Effect } from '../event/effect.ts';
import { readHead, UNBORN } from '../git/head.ts';
import type { Repository } from '../git/repository.ts';
import { repositoryOf } from '../losses/losses.ts';
import { Unseen, WHY } from '../losses/world.ts';
import { join } from '../platform/paths.ts';
import { NOTHING } from './planned.ts';
import type { Plan, PlannedRepository } from './planned.ts';
import { commitOf, currentBranch, listLogs, loggedIn, moved, readAllRefs, sharedOf } from './repository-state.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';

const LIMIT_MS = 2_000;
/** Some two hundred thousand objects. */
const MOST_LIST_BYTES = 8 << 20;

/** Refs that move or go, their reflogs, and the commits that only these lead to. */
export async function planHistory(effect: Effect, world: UndoWorld): Promise<Plan> {
  if (effect.scope === 'temp') return NOTHING;
  if (effect.how === 'remote') throw new Unseen(WHY.remote);
  const { words, ...repository } = repositoryOf(effect, world);
  if (effect.kind === 'delete-branch' || effect.how === 'update-ref')
    return planBranch(effect, world, repository, words.to);
  switch (effect.how) {
    case 'amend':
      return planAmend(world, repository);
    case 'rebase':
      return planRebase(effect, world, repository, words.to);
    case 'filter-repo':
    case 'filter-branch':
      return planAll(world, repository);
    case 'reflog-expire':
    case 'reflog-delete':
    case 'reflog-drop':
      return planLogs(world, repository, []);
    case 'gc':
    case 'prune':
      return planLogs(world, repository, await listUnreachable(world, repository));
    default:
      throw new Unseen(WHY.untold);
  }
}

const planned = (repository: Repository, more: Partial<PlannedRepository>): PlannedRepository => ({
  ...{ repository, refs: [], logs: [], index: false, wants: [], haves: [], objects: [] },
  ...more,
});

async function planBranch(
  { kind, branch = '' }: Effect,
  world: UndoWorld,
  repository: Repository,
  to: string | undefined,
): Promise<Plan> {
  const refs = await readAllRefs(world, repository);
  const name = [branch, `refs/heads/${branch}`, `refs/remotes/${branch}`].find((each) => refs.has(each));
  const tip = name === undefined ? undefined : refs.get(name);
  if (name === undefined || tip === undefined) return NOTHING;
  const shared = sharedOf(world, repository);
  const others = [...refs].filter(([each]) => each !== name).map(([, sha]) => sha);
  const head = readHead(world.files, repository);
  const isHead = currentBranch(world, repository) === name;
  if (!isHead && head) others.push(head);
  const kept = planned(repository, {
    refs: [name],
    logs: [join(shared, 'logs', name)],
    index: isHead,
    wants: [tip],
    haves: [...others, ...(to === undefined ? [] : [await commitOf(world, repository, to)])],
  });
  // What a branch is set to follow goes with it.
  return {
    paths: kind === 'delete-branch' && to === undefined ? [{ path: join(shared, 'config'), fate: 'changed' }] : [],
    repositories: [kept],
  };
}

async function planAmend(world: UndoWorld, repository: Repository): Promise<Plan> {
  const head = readHead(world.files, repository);
  if (head === undefined || head === UNBORN) return NOTHING;
  const { refs, wants, haves } = await moved(world, repository, 'HEAD');
  const parents = await world.git(repository.top, ['rev-list', '--parents', '-n1', 'HEAD'], LIMIT_MS);
  if (parents === undefined) throw new Unkept(WHY_NOT.git);
  const above = parents.trim().split(' ').slice(1);
  const others = haves.filter((sha) => sha !== head);
  return { paths: [], repositories: [planned(repository, { refs, wants, haves: [...others, ...above], index: true })] };
}

async function planRebase(
  { branch }: Effect,
  world: UndoWorld,
  repository: Repository,
  to: string | undefined,
): Promise<Plan> {
  const current = await moved(world, repository, to ?? 'HEAD');
  if (!branch) return { paths: [], repositories: [planned(repository, { ...withoutOwn(current, to), index: true })] };
  const tip = await commitOf(world, repository, branch);
  const own = planned(repository, {
    refs: [...current.refs, `refs/heads/${branch}`],
    wants: [...current.wants, tip],
    haves: current.haves.filter((sha) => sha !== tip),
    index: true,
  });
  return { paths: [], repositories: [own] };
}

/** Where it is not told what a rebase keeps, all that the branch alone has may go. */
function withoutOwn({ refs, wants, haves }: Awaited<ReturnType<typeof moved>>, to: string | undefined) {
  return { refs, wants, haves: to === undefined ? haves.filter((sha) => !wants.includes(sha)) : haves };
}

async function planAll(world: UndoWorld, repository: Repository): Promise<Plan> {
  const refs = await readAllRefs(world, repository);
  const { repositories } = await planLogs(world, repository, []);
  const logs = repositories[0];
  const kept = planned(repository, {
    refs: ['HEAD', ...refs.keys()],
    logs: logs?.logs ?? [],
    index: true,
    wants: [...refs.values(), ...(logs?.wants ?? [])],
  });
  return { paths: [{ path: join(sharedOf(world, repository), 'config'), fate: 'changed' }], repositories: [kept] };
}

async function planLogs(world: UndoWorld, repository: Repository, objects: readonly string[]): Promise<Plan> {
  const refs = await readAllRefs(world, repository);
  const logs = listLogs(world, sharedOf(world, repository));
  const named = [...new Set(logs.flatMap((log) => loggedIn(world, log)))];
  return {
    paths: [],
    repositories: [
      planned(repository, { logs, wants: await present(world, repository, named), haves: [...refs.values()], objects }),
    ],
  };
}

/** Logs name commits that are gone already. */
async function present(world: UndoWorld, { top }: Repository, shas: readonly string[]): Promise<readonly string[]> {
  if (shas.length === 0) return [];
  const text = await world.feed(top, ['cat-file', '--batch-check'], {
    ...{ input: `${shas.join('\n')}\n`, limitMs: LIMIT_MS, maxBytes: MOST_LIST_BYTES },
  });
  if (text === undefined) throw new Unkept(WHY_NOT.git);
  return text.split('\n').flatMap((line) => (/^[0-9a-f]{40} (?!missing)/.test(line) ? [line.slice(0, 40)] : []));
}

/** Objects that nothing leads to. */
async function listUnreachable(world: UndoWorld, { top }: Repository): Promise<readonly string[]> {
  const fed = { input: '', limitMs: LIMIT_MS, maxBytes: MOST_LIST_BYTES };
  const [all, reached] = await Promise.all([
    world.feed(top, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], fed),
    world.feed(
      top,
      ['rev-list', '--objects', '--no-object-names', '--all', '--reflog', '--indexed-objects', '--ignore-missing'],
      fed,
    ),
  ]);
  if (all === undefined || reached === undefined) throw new Unkept(WHY_NOT.git);
  const known = new Set(reached.split('\n'));
  return all.split('\n').filter((sha) => sha !== '' && !known.has(sha));
}
