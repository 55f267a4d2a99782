import type { FileFacts } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import type { World } from '../../resolve/world.ts';
import type { ModuleFinder } from '../module-finder.ts';

/** A module's directory, and what its import paths start with. */
interface GoModule {
  readonly directory: string;
  readonly prefix: string;
}

/** Import paths by `go.mod`, its `replace` lines and `go.work`; a package is all files of its directory but the tests. */
export const go: ModuleFinder = {
  find(world, from, module) {
    const own = moduleAround(world, directoryOf(from.path));
    if (own === undefined) return withoutModule(world, module);
    for (const { directory, prefix } of [own, ...replaced(world, own), ...workspace(world, own.directory)]) {
      const rest = restOf(module, prefix);
      if (rest === undefined) continue;
      const files = packageIn(world, rest === '' ? directory : below(directory, rest));
      if (files.length > 0) return files;
      // A module of the project may lie in another one's directory; this one lacks the package.
      if (directory === own.directory && prefix === own.prefix) return 'missing';
    }
    return 'outside';
  },
};

function moduleAround(world: World, directory: string): GoModule | undefined {
  for (const at of upwards(directory)) {
    const prefix = world.file(below(at, 'go.mod'))?.manifest?.['module'];
    if (typeof prefix === 'string') return { directory: at, prefix };
  }
  return undefined;
}

function replaced(world: World, { directory }: GoModule): GoModule[] {
  const replace = world.file(below(directory, 'go.mod'))?.manifest?.['replace'];
  const found: GoModule[] = [];
  if (typeof replace !== 'object' || replace === null) return found;
  for (const [prefix, to] of Object.entries(replace)) {
    const at = typeof to === 'string' ? join(directory, to) : undefined;
    if (at !== undefined) found.push({ directory: at, prefix });
  }
  return found;
}

function workspace(world: World, directory: string): GoModule[] {
  const found: GoModule[] = [];
  for (const around of upwards(directory)) {
    const use = world.file(below(around, 'go.work'))?.manifest?.['use'];
    if (!Array.isArray(use)) continue;
    for (const entry of use) {
      const at = typeof entry === 'string' ? join(around, entry) : undefined;
      const prefix = at === undefined ? undefined : world.file(below(at, 'go.mod'))?.manifest?.['module'];
      if (at !== undefined && typeof prefix === 'string') found.push({ directory: at, prefix });
    }
    break;
  }
  return found;
}

/** Undefined when the import is not below the prefix. */
function restOf(module: string, prefix: string): string | undefined {
  if (module === prefix) return '';
  return module.startsWith(`${prefix}/`) ? module.slice(prefix.length + 1) : undefined;
}

function packageIn(world: World, directory: string): FileFacts[] {
  const files: FileFacts[] = [];
  for (const path of world.directory(directory)) {
    if (!path.endsWith('.go') || path.endsWith('_test.go')) continue;
    const file = world.file(path);
    if (file !== undefined) files.push(file);
  }
  return files;
}

/** A tree below `GOPATH` has no `go.mod`: a path of host, owner and name leads to its root. */
function withoutModule(world: World, module: string): readonly FileFacts[] | 'outside' {
  const segments = module.split('/');
  if (segments.length < 3 || segments[0]?.includes('.') !== true) return 'outside';
  const files = packageIn(world, segments.slice(3).join('/'));
  return files.length > 0 ? files : 'outside';
}
