import type { Effect, EffectKind, PathScope } from '../../event/effect.ts';
import { canBeSame, matchesAll } from '../paths/pattern.ts';
import { holds } from '../paths/resolve-path.ts';
import type { Surroundings } from '../scene.ts';

/** `possible`: it may be hit, and the text does not tell. */
export type OwnHit = 'own-files' | 'own-files-possible';

/** Who hits all of these is not after this program. */
const WHOLE: ReadonlySet<PathScope | undefined> = new Set(['root', 'home', 'workspace']);
/** Ways to put something into a directory that is given as a whole. */
const PUTS_INTO: ReadonlySet<string | undefined> = new Set([
  'copy',
  'move',
  'install',
  'link',
  'archive',
  'mount',
  'download',
  'in-place',
]);
/** What starts this program by its name, from wherever a PATH finds it. */
const LAUNCHERS: ReadonlySet<string> = new Set(['fairlead', 'fairlead-client']);
/** Files of this program in a directory that only running the command would tell. */
const UNTOLD =
  /\/fairlead\/(?:config\.yaml|state\.db|trust\.json|installs\.json|off$|(?:rules|messages|run|bin|compiled|dist)(?:\/|$))/;
const UNTOLD_DIR = /\/fairlead\/?$/;

/** Whether an effect changes what this program is made of, by the names in its path. */
export function hitsOwn(effect: Effect, path: string, surroundings: Surroundings): OwnHit | undefined {
  const children = /\/\.?\*{1,2}$/.exec(path);
  const top = segmentsOf(children ? path.slice(0, children.index) : path);
  const loses = losesTree(effect);
  let hit: OwnHit | undefined;
  for (const [dir, own] of ownPlaces(surroundings)) {
    if (starts(own, top)) return 'own-files';
    if (top.length >= own.length || !starts(top, own)) continue;
    // Who works on this program itself has its build in the workspace: what is done to the whole of that is not about it.
    if (isWithin(dir, surroundings.root) && (holds(path, surroundings.root) || effect.kind === 'discard')) continue;
    if (loses || (children !== null && !keepsTree(effect))) return 'own-files';
    hit ??= reaches(effect, own.slice(top.length));
    if (hit === 'own-files') return hit;
  }
  return hit ?? (isLauncher(top, path, surroundings) ? 'own-files' : undefined);
}

/** Whether the path lies in what this program is made of. */
export function isOwnPath(path: string, surroundings: Surroundings): boolean {
  const top = segmentsOf(path);
  return ownPlaces(surroundings).some(([, own]) => starts(own, top)) || isLauncher(top, path, surroundings);
}

/** Whether the path is a directory above, outside of the workspace. */
export function isAboveOwn(path: string, { ownDirs, root }: Surroundings): boolean {
  return ownDirs.some((dir) => holds(path, dir) && !(isWithin(dir, root) && holds(path, root)));
}

/** Whether a search from there, for files of this name at any depth, may find one of ours. */
export function mayFindOwn(path: string, surroundings: Surroundings): boolean {
  const cut = path.lastIndexOf('/');
  const name = path.slice(cut + 1);
  return OWN_NAMES.some((own) => canBeSame(name, own)) && isAboveOwn(path.slice(0, cut) || '/', surroundings);
}

const OWN_NAMES = ['config.yaml', 'state.db', 'trust.json', 'hook.js', 'hook.cjs', 'daemon.js', 'fairlead-client'];

/** As above, where only the end of the path is known: `$XDG_CONFIG_HOME/fairlead/config.yaml`. */
export function mayHitOwn({ kind, how, target }: Effect): boolean {
  const name = target.replaceAll(/["']/g, '');
  return UNTOLD.test(name) || ((kind === 'delete' || how === 'moved-away') && UNTOLD_DIR.test(name));
}

/** The path of a word of which only the end is known ends like one of ours. */
export function endsLikeOwn(path: string): boolean {
  return UNTOLD.test(path) || UNTOLD_DIR.test(path);
}

function losesTree(effect: Effect): boolean {
  return effect.kind === 'discard' || (effect.recursive === true && !keepsTree(effect) && !WHOLE.has(effect.scope));
}

const KEEPS: ReadonlySet<EffectKind> = new Set(['write', 'overwrite']);

/** What else is in the tree stays. */
function keepsTree({ kind, how }: Effect): boolean {
  return KEEPS.has(kind) && how !== 'moved-away';
}

/** What is put into a directory above gets as far as to `rest`, the way down from there. */
function reaches({ kind, how, names }: Effect, rest: readonly string[]): OwnHit | undefined {
  if (!KEEPS.has(kind) || !PUTS_INTO.has(how)) return undefined;
  if (names === undefined) return how === 'link' ? undefined : 'own-files-possible';
  const [first = '', ...more] = rest;
  const fitting = names.filter((name) => name === '.' || name === '..' || matchesAll(name) || canBeSame(name, first));
  if (fitting.length === 0) return undefined;
  return more.length === 0 && fitting.includes(first) ? 'own-files' : 'own-files-possible';
}

function isLauncher(top: readonly string[], path: string, { root }: Surroundings): boolean {
  if (!LAUNCHERS.has(top.at(-1) ?? '') || isWithin(path, root)) return false;
  return /^\.?s?bin$/.test(top.at(-2) ?? '');
}

function isWithin(path: string, dir: string): boolean {
  return dir !== '/' && path.startsWith(`${dir}/`);
}

type OwnPlace = readonly [dir: string, segments: readonly string[]];

/** They stay the same for as long as an engine lives. */
const places = new WeakMap<readonly string[], readonly OwnPlace[]>();

function ownPlaces({ ownDirs }: Surroundings): readonly OwnPlace[] {
  const found = places.get(ownDirs) ?? ownDirs.map((dir): OwnPlace => [dir, segmentsOf(dir)]);
  places.set(ownDirs, found);
  return found;
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

function starts(start: readonly string[], path: readonly string[]): boolean {
  return start.length <= path.length && start.every((part, at) => canBeSame(part, path[at] as string));
}
