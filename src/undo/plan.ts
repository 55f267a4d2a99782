import type { Effect } from '../event/effect.ts';
import { checkRoad, savedBefore } from '../losses/losses.ts';
import { picksOf } from '../losses/picked.ts';
import { Unseen, WHY } from '../losses/world.ts';
import { dirname, join } from '../platform/paths.ts';
import { expandPattern } from './expand-pattern.ts';
import { NOTHING } from './planned.ts';
import type { Plan, PlannedPath } from './planned.ts';
import { planDiscard } from './plan-discard.ts';
import { planHistory } from './plan-history.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';

/** What has to be kept so that an effect can be undone. Throws where that cannot be told. */
export async function planFor(effect: Effect, world: UndoWorld): Promise<Plan> {
  checkRoad(effect);
  switch (effect.kind) {
    case 'delete':
      return effect.how === 'git-rm' ? planDiscard(effect, world) : planDelete(effect, world);
    case 'destroy-data':
      if (effect.how !== 'file') throw new Unkept(WHY_NOT.more);
      return planDelete(effect, world);
    case 'overwrite':
    case 'truncate':
    case 'write':
      return planOverwrite(effect, world);
    case 'discard':
      return planDiscard(effect, world);
    case 'delete-branch':
    case 'rewrite-history':
      return planHistory(effect, world);
    default:
      throw new Unkept(WHY_NOT.more);
  }
}

/** Places of which a copy holds all that is lost. */
const COPIED: ReadonlySet<string | undefined> = new Set(['inside', 'workspace', 'git', 'user', 'outside']);
/** What anybody makes again by a command. */
const MADE_AGAIN: ReadonlySet<string | undefined> = new Set(['made', 'temp']);

function pathOf({ path, scope, winding }: Effect, world: UndoWorld): string | undefined {
  const { files } = world;
  if (scope === 'made' && path !== undefined && isSmall(path, world)) return path;
  if (MADE_AGAIN.has(scope)) return undefined;
  if (path === undefined || scope === 'unknown') throw new Unseen(WHY.untold);
  if (!COPIED.has(scope)) throw new Unkept(WHY_NOT.more);
  // Through a link it leads elsewhere than its words say.
  if (winding !== undefined && files.realpath(dirname(winding)) !== files.realpath(dirname(path)))
    throw new Unseen(WHY.untold);
  return path;
}

/** One file or link by a name that outputs have may be more than that, and costs little. */
function isSmall(path: string, { files, entries }: UndoWorld): boolean {
  const stat = files.lstat(path);
  if (stat?.kind === 'other') return entries.look(path)?.kind === 'link';
  return stat?.kind === 'file' && stat.size <= MOST_SMALL_BYTES;
}

const MOST_SMALL_BYTES = 1 << 20;

function planDelete(effect: Effect, world: UndoWorld): Plan {
  const path = pathOf(effect, world);
  if (path === undefined) return NOTHING;
  savedBefore(effect);
  const fate = effect.how === 'emptied' || effect.how === 'sync' ? 'changed' : 'gone';
  return { paths: hitBy(effect, path, world).map((each) => ({ ...each, fate })), repositories: [] };
}

/** A list or a pattern may hit anything that fits; one without `**` hits what a shell would make of it. */
function hitBy({ many, how }: Effect, path: string, world: UndoWorld): readonly Omit<PlannedPath, 'fate'>[] {
  if (!many) return expandPattern(world, path).map((each) => ({ path: each }));
  const { below, like } = many;
  if (below === undefined) throw new Unseen(WHY.untold);
  if (how !== 'find' && !like.split('/').includes('**'))
    return expandPattern(world, join(below, like)).map((each) => ({ path: each }));
  return [{ path: below, picked: picksOf(many) }];
}

/** What lies where something else is put; through a link, also where that leads. */
function planOverwrite(effect: Effect, world: UndoWorld): Plan {
  const path = pathOf(effect, world);
  // What is moved lives on elsewhere.
  if (path === undefined || (effect.kind === 'write' && effect.how === 'moved-away')) return NOTHING;
  savedBefore(effect);
  const paths = expandPattern(world, path).flatMap((each) => replacedAt(each, effect, world));
  const replaced = paths.map((each): PlannedPath => ({ path: each, fate: 'changed' }));
  // The way back takes what was moved there away again, so that has to come back as well.
  const isMove =
    effect.how === 'move' && effect.from !== undefined && replaced.some(({ path: at }) => world.files.lstat(at));
  const moved = isMove ? expandPattern(world, effect.from ?? '') : [];
  return {
    paths: [...replaced, ...moved.map((each): PlannedPath => ({ path: each, fate: 'gone' }))],
    repositories: [],
  };
}

function replacedAt(path: string, { how, names }: Effect, world: UndoWorld): readonly string[] {
  const { files } = world;
  if (files.stat(path)?.kind !== 'dir') return [...new Set([path, files.realpath(path) ?? path])];
  if (how === 'mkdir') return [];
  // A directory that something is put into.
  return names ? names.flatMap((name) => (name === '.' ? [path] : expandPattern(world, join(path, name)))) : [path];
}
