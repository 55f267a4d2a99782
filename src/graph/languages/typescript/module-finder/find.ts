import type { FileFacts } from '../../../model/facts.ts';
import { directoryOf, join } from '../../../model/paths.ts';
import type { World } from '../../../resolve/world.ts';
import type { ModuleFinder } from '../../module-finder.ts';
import { NODE_MODULES } from './node-modules.ts';
import { aliasTargets } from './compiler-config.ts';
import { fileAt } from './code-files.ts';
import { importsTargets, packageTargets } from './packages.ts';
import { packageNamed, splitSpecifier } from './workspace.ts';

const ASSET =
  /\.(css|scss|sass|less|styl|json|jsonc|json5|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|wasm|node|html|md|mdx|txt|vue|svelte|astro|ya?ml|graphql|gql|glsl|wgsl|vert|frag)(\?.*)?$/;

export const typescript: ModuleFinder = {
  find(world, from, module) {
    const directory = directoryOf(from.path);
    if (/^\.{0,2}(\/|$)/.test(module)) return relative(world, module.startsWith('/') ? '' : directory, module);
    for (const target of aliasTargets(world, directory, module)) {
      const found = fileAt(world, target);
      if (found !== undefined) return [found];
    }
    if (module.startsWith('#')) return byImports(world, directory, module);
    if (module.startsWith('node:') || NODE_MODULES.has(module)) return 'outside';
    return ofPackage(world, directory, module);
  },
};

function relative(world: World, base: string, module: string) {
  const path = join(base, module);
  const found = path === undefined ? undefined : fileAt(world, path);
  if (found !== undefined) return [found];
  return path === undefined || ASSET.test(module) ? 'outside' : 'missing';
}

function byImports(world: World, directory: string, module: string) {
  for (const target of importsTargets(world, directory, module)) {
    if ('package' in target) return ofPackage(world, directory, target.package);
    const found = fileAt(world, target.path);
    if (found !== undefined) return [found];
  }
  return 'missing';
}

function ofPackage(world: World, directory: string, module: string) {
  const { name, subpath } = splitSpecifier(module);
  const home = packageNamed(world, directory, name);
  if (home === undefined) return 'outside';
  const found = firstFile(world, packageTargets(world, home, subpath));
  if (found !== undefined) return [found];
  return ASSET.test(module) ? 'outside' : 'missing';
}

function firstFile(world: World, paths: Iterable<string>): FileFacts | undefined {
  for (const path of paths) {
    const found = fileAt(world, path);
    if (found !== undefined) return found;
  }
  return undefined;
}
