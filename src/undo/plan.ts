import type { Effect, ManyFiles } from '../event/effect.ts';
import { checkRoad, filesAtRisk, PATTERN, savedBefore } from '../losses/losses.ts';
import { picksOf } from '../losses/picked.ts';
import { Unseen, WHY } from '../losses/world.ts';
import { contains, dirname, join } from '../platform/paths.ts';
import { NOTHING } from './planned.ts';
import type { Plan, PlannedPath } from './planned.ts';
import { planDiscard } from './plan-discard.ts';
import { planHistory } from './plan-history.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';

const WILD = /[*?[]/;

/**
 * The paths that a shell makes of a pattern: names that begin with a dot only where the pattern says so. What this does not
 * read, as `!(a)`, stands for every name. `**` ends the search: all below that directory may be meant.
 */
function expandPattern({ files }: Pick<UndoWorld, 'files'>, pattern: string): readonly string[] {
  // Quoted, it is the name of one file.
  const literal = files.lstat(pattern) ? [pattern] : [];
  if (!WILD.test(pattern)) return literal;
  let found: readonly string[] = [''];
  for (const part of pattern.split('/').slice(1)) {
    if (part === '**') break;
    if (part === '') continue;
    const matches = WILD.test(part) ? nameTest(part) : undefined;
    found = found.flatMap((dir) =>
      matches
        ? files.list(dir === '' ? '/' : dir).flatMap((name) => (matches(name) ? [`${dir}/${name}`] : []))
        : files.lstat(`${dir}/${part}`)
          ? [`${dir}/${part}`]
          : [],
    );
  }
  return [...new Set([...literal, ...found.filter((path) => path !== '')])];
}

/** Whether a name is one that a pattern without slashes stands for, or may be: upper and lower case are the same. */
function nameTest(pattern: string): (name: string) => boolean {
  const dots = pattern.startsWith('.');
  const isPlain = !/[()|\\^~#]/.test(pattern);
  const expression = isPlain
    ? pattern
        .replaceAll(/\[[^\]]+\]/g, '\u0000')
        .replaceAll(/[.+${}[\]]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')
        .replaceAll('\u0000', '.')
    : '.*';
  const test = new RegExp(`^${expression}$`, 'isu');
  return (name) => (dots || !name.startsWith('.') || !isPlain) && test.test(name);
}

/**
 * What has to be kept so that all that a call does can be undone; nothing where git has all of it. Throws where that cannot be told.
 * What the call moves to a place and takes from there lies elsewhere before. `isThrifty`: what git has is left out in any case.
 */
export async function planAll(
  effects: readonly Effect[],
  world: UndoWorld,
  isThrifty = false,
): Promise<readonly Plan[]> {
  const sources = effects.filter(({ how }) => how === 'moved-away');
  const targets = effects.flatMap(({ how, path }) => (how === 'move' && path !== undefined ? [path] : []));
  const areTold = sources.length > 0 && sources.every(({ path }) => path !== undefined);
  const others = effects.filter(({ how }) => how !== 'moved-away' && how !== 'move');
  const isTaken =
    others.some(({ path }) => targets.some((target) => path === undefined || overlap(target, path))) ||
    // Code does not say which of its moves went where; the way back takes away what was moved there.
    effects.some(({ how, from, path }) => how === 'move' && from === undefined && world.files.lstat(path ?? ''));
  const risks = await Promise.all(
    effects.map(async (each) => (each.how === 'moved-away' ? [] : atRisk(each, world, true))),
  );
  const isSaved = (at: number) => risks[at]?.length === 0;
  for (const effect of effects) checkRoad(effect);
  if (!isTaken && effects.every((_, at) => isSaved(at))) return [];
  const wanted = await Promise.all(
    effects.map(async (each, at) =>
      isThrifty && isSaved(at) ? NOTHING : planLost(areTold ? withoutMoves(each) : each, risks[at], world),
    ),
  );
  const plans = wanted.map((plan) => ({ ...plan, paths: plan.paths.flatMap(withDatabase) }));
  return isTaken ? [...plans, ...sources.map((each) => planSource(each, world))] : plans;
}

function planSource(effect: Effect, world: UndoWorld): Plan {
  return planDelete({ ...effect, kind: 'delete', recursive: true }, world);
}

const DATABASE = /\.(?:sqlite3?|db3?)$/i;
const DATABASE_PARTS = ['-wal', '-shm', '-journal'];

/** A database is whole with what SQLite keeps beside it. */
function withDatabase(planned: PlannedPath): readonly PlannedPath[] {
  if (planned.picked || !DATABASE.test(planned.path)) return [planned];
  return [
    planned,
    ...DATABASE_PARTS.map((part) => ({ ...planned, path: planned.path + part, fate: 'changed' as const })),
  ];
}

function overlap(one: string, other: string): boolean {
  const base = other.replace(PATTERN, '') || '/';
  return contains(one, base) || contains(base, one);
}

function withoutMoves({ after, ...effect }: Effect): Effect {
  const others = after?.filter((name) => name !== 'mv') ?? [];
  return others.length === 0 ? effect : { ...effect, after: others };
}

async function planLost(effect: Effect, risk: readonly string[] | undefined, world: UndoWorld): Promise<Plan> {
  if (effect.kind !== 'write' || risk === undefined) return planFor(effect, world);
  // Which files of a directory it writes only running it tells.
  if (pathOf(effect, world) === undefined) return NOTHING;
  return { paths: risk.map((path): PlannedPath => ({ path, fate: 'changed' })), repositories: [] };
}

const OF_FILES: ReadonlySet<Effect['kind']> = new Set(['delete', 'overwrite', 'truncate', 'write']);

/** The files that an effect takes away and git does not have; undefined where that cannot be told. */
async function atRisk(effect: Effect, world: UndoWorld, isAll: boolean): Promise<readonly string[] | undefined> {
  const { kind, how, many, path, winding, recursive } = effect;
  if (!OF_FILES.has(kind) || how === 'git-rm' || how === 'moved-away' || path === undefined) return undefined;
  if (winding !== undefined || (many && isSearch(effect, many))) return undefined;
  try {
    const hit = expandPattern(world, many?.below === undefined ? path : join(many.below, many.like));
    const real = kind === 'delete' && !recursive ? [] : hit.flatMap((each) => world.files.realpath(each) ?? []);
    const all = [...new Set([...hit, ...real])];
    if (all.length > MOST_LOOKS) return undefined;
    return (
      await Promise.all(all.map((each) => filesAtRisk(each, world, { isAll, isWhole: kind === 'delete' })))
    ).flat();
  } catch {
    return undefined;
  }
}

const MOST_LOOKS = 50;

/** Whether all that a call takes away is what git ignores and tools make, which nobody wants copied at any price. */
export async function isOutput(effects: readonly Effect[], world: UndoWorld): Promise<boolean> {
  const risks = await Promise.all(effects.map((effect) => atRisk(effect, world, false)));
  return risks.every((risk) => risk?.length === 0);
}

/** What has to be kept so that an effect can be undone, whoever else has it. */
async function planFor(effect: Effect, world: UndoWorld): Promise<Plan> {
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
  const paths = hitBy(effect, path, world).map((each): PlannedPath => ({ ...each, fate }));
  return { paths: effect.recursive ? paths.flatMap((each) => withReal(each, world)) : paths, repositories: [] };
}

/** `way/*` takes what lies where a link leads, and its words are not told from those of the link itself. */
function withReal(planned: PlannedPath, { entries, files }: UndoWorld): readonly PlannedPath[] {
  const real = entries.look(planned.path)?.kind === 'link' ? files.realpath(planned.path) : undefined;
  return real === undefined ? [planned] : [planned, { ...planned, path: real, fate: 'changed' }];
}

/** A list or a pattern may hit anything that fits; one without `**` hits what a shell would make of it. */
function hitBy(effect: Effect, path: string, world: UndoWorld): readonly Omit<PlannedPath, 'fate'>[] {
  const { many } = effect;
  if (!many) return expandPattern(world, path).map((each) => ({ path: each }));
  const { below, like } = many;
  if (below === undefined) throw new Unseen(WHY.untold);
  if (!isSearch(effect, many)) return expandPattern(world, join(below, like)).map((each) => ({ path: each }));
  return [{ path: below, picked: picksOf(many) }];
}

function isSearch({ how }: Effect, { below, like }: ManyFiles): boolean {
  return below === undefined || how === 'find' || like.split('/').includes('**');
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
