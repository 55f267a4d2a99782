import { below, join, upwards } from '../../../model/paths.ts';
import type { World } from '../../../resolve/world.ts';
import { packagesNamed } from '../../packages-named.ts';
import type { ManifestNames } from '../../packages-named.ts';

const MANIFESTS: ManifestNames = { own: 'package.json', others: ['pnpm-workspace.yaml'] };

export function splitSpecifier(module: string): { readonly name: string; readonly subpath: string } {
  const slash = module.indexOf('/', module.startsWith('@') ? module.indexOf('/') + 1 : 0);
  if (slash <= 0) return { name: module, subpath: '.' };
  return { name: module.slice(0, slash), subpath: `.${module.slice(slash)}` };
}

/** Where packages of this name lie, the one first that the package around a directory most likely means. */
export function homesOf(world: World, directory: string, name: string): string[] {
  const own = nearestPackage(world, directory);
  const link = own === undefined ? undefined : linksOf(world, own)[name];
  const linked = link?.startsWith('.') && own !== undefined ? join(own, link) : undefined;
  if (linked !== undefined && world.file(below(linked, MANIFESTS.own))?.manifest !== undefined) return [linked];
  return packagesNamed(world, directory, link === undefined || link.startsWith('.') ? name : link, MANIFESTS);
}

function linksOf(world: World, home: string): Readonly<Record<string, string>> {
  return (world.file(below(home, MANIFESTS.own))?.manifest?.['links'] ?? {}) as Readonly<Record<string, string>>;
}

/** Where the package lies that a directory belongs to. */
export function nearestPackage(world: World, directory: string): string | undefined {
  return upwards(directory).find((above) => world.file(below(above, MANIFESTS.own))?.manifest !== undefined);
}
