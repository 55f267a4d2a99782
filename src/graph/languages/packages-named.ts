import { compileGlob, matchGlob } from '../../text/glob.ts';
import type { FileFacts } from '../model/facts.ts';
import { below, directoryOf, upwards } from '../model/paths.ts';
import type { World } from '../resolve/world.ts';

/** The manifests of one language, by name: the one that a package has, and others that say which packages there are. */
export interface ManifestNames {
  readonly own: string;
  readonly others?: readonly string[];
}

/**
 * Directories of the packages that are called so, the one first that an import from a directory most likely means. Two have
 * one name where the root of a workspace is called like its main package, or where an example is a copy: the package around
 * the import comes first, unless it only holds others, then the members of the same workspace, then what lies nearer.
 */
export function packagesNamed(world: World, from: string, name: string, manifests: ManifestNames): string[] {
  const found = world
    .named(name)
    .flatMap(({ file }) => (isManifest(file, manifests.own) ? directoryOf(file.path) : []));
  if (found.length < 2) return found;
  const around = upwards(from);
  const own = around.find((directory) => world.file(below(directory, manifests.own))?.manifest !== undefined);
  const workspace = around.find((directory) => membersOf(world, directory, manifests).length > 0);
  const rank = (directory: string): number => {
    const isHolder = membersOf(world, directory, manifests).length > 0;
    if (directory === own && !isHolder) return 0;
    if (workspace !== undefined && isMember(world, workspace, directory, manifests)) return 1;
    return isHolder ? 3 : 2;
  };
  const ranked = found.map((directory) => ({ directory, rank: rank(directory), steps: stepsTo(around, directory) }));
  return ranked.sort((a, b) => a.rank - b.rank || a.steps - b.steps).map(({ directory }) => directory);
}

/** Whether the workspace around one directory says that the package in another is one of its own. */
export function isFellow(world: World, from: string, directory: string, manifests: ManifestNames): boolean {
  const workspace = upwards(from).find((above) => membersOf(world, above, manifests).length > 0);
  return workspace !== undefined && (workspace === directory || isMember(world, workspace, directory, manifests));
}

function isMember(world: World, workspace: string, directory: string, manifests: ManifestNames): boolean {
  if (workspace !== '' && !directory.startsWith(`${workspace}/`)) return false;
  const place = directory.slice(workspace === '' ? 0 : workspace.length + 1).split('/');
  const isIn = (pattern: string) => matchGlob(compileGlob(pattern), place, place);
  let isWanted = false;
  for (const pattern of membersOf(world, workspace, manifests)) {
    if (pattern.startsWith('!')) isWanted &&= !isIn(tidy(pattern.slice(1)));
    else isWanted ||= isIn(tidy(pattern));
  }
  return isWanted;
}

/** Globs of directories; `!` before those that are none. */
function membersOf(world: World, directory: string, { own, others = [] }: ManifestNames): string[] {
  return [own, ...others].flatMap((name) => {
    const members = world.file(below(directory, name))?.manifest?.['members'];
    return Array.isArray(members) ? members.filter((each) => typeof each === 'string') : [];
  });
}

function tidy(pattern: string): string {
  return pattern.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

function isManifest({ language, path }: FileFacts, name: string): boolean {
  return language === 'manifest' && (path === name || path.endsWith(`/${name}`));
}

/** How far up to the directory around both, then how far down; up weighs more. */
function stepsTo(around: readonly string[], directory: string): number {
  const up = around.findIndex((above) => above === '' || directory === above || directory.startsWith(`${above}/`));
  const common = around[up] ?? '';
  const down = directory === common ? 0 : directory.slice(common.length).split('/').filter(Boolean).length;
  return up * 1_000 + down;
}
