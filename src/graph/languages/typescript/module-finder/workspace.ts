import { below, directoryOf, upwards } from '../../../model/paths.ts';
import type { World } from '../../../resolve/world.ts';

export function splitSpecifier(module: string): { readonly name: string; readonly subpath: string } {
  const slash = module.indexOf('/', module.startsWith('@') ? module.indexOf('/') + 1 : 0);
  if (slash <= 0) return { name: module, subpath: '.' };
  return { name: module.slice(0, slash), subpath: `.${module.slice(slash)}` };
}

/** Where the package of this name lies: the one a directory is itself part of, or another of the workspace. */
export function packageNamed(world: World, directory: string, name: string): string | undefined {
  const own = nearestPackage(world, directory);
  if (own !== undefined && world.file(below(own, 'package.json'))?.manifest?.['name'] === name) return own;
  for (const { file } of world.named(name)) {
    if (file.language === 'manifest' && file.path.endsWith('package.json')) return directoryOf(file.path);
  }
  return undefined;
}

/** Where the package lies that a directory belongs to. */
export function nearestPackage(world: World, directory: string): string | undefined {
  return upwards(directory).find((above) => world.file(below(above, 'package.json'))?.manifest !== undefined);
}
