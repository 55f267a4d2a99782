import type { FileFacts } from '../../model/facts.ts';
import { below, directoryOf } from '../../model/paths.ts';
import { javaBuiltIns } from './built-ins.ts';
import { moduleNames } from '../../resolve/module-names.ts';
import type { Located, World } from '../../resolve/world.ts';
import type { ModuleFinder } from '../module-finder.ts';

/**
 * A class by its full name, whatever directory its package lies in; the class around a nested one; or a package, which is
 * the directory of that name beside the file's own.
 */
export const java: ModuleFinder = {
  find(world, from, module) {
    for (let name = module; name.includes('.'); name = name.slice(0, name.lastIndexOf('.'))) {
      const found = classNamed(world, name);
      if (found !== undefined) return [found];
      // Packages are written in lower case, so that nothing above one can be a class.
      if (!/\.[A-Z]\w*$/.test(name)) break;
    }
    const files = packageFiles(world, from, module);
    if (files.length > 0) return files;
    const last = module.slice(module.lastIndexOf('.') + 1);
    if (module.startsWith('java.') && (!/^[A-Z]/.test(last) || moduleNames(javaBuiltIns.file).definitions.has(last))) {
      return [javaBuiltIns.file];
    }
    return isOwn(from, module) && mayBeMade(world, from, module) ? 'missing' : 'outside';
  },
};

/** A class that nobody has written is made by the build, beside others of its package; in a package of its own it is a library's. */
function mayBeMade(world: World, from: FileFacts, module: string): boolean {
  const inPackage = module.replace(/(?:\.[A-Z]\w*)+$/, '');
  return inPackage === module || packageFiles(world, from, inPackage).length > 0;
}

function classNamed(world: World, name: string): FileFacts | undefined {
  const dot = name.lastIndexOf('.');
  const [inPackage, simple] = [name.slice(0, dot), name.slice(dot + 1)];
  return packageMembers(world, inPackage, simple)[0]?.file;
}

/** The classes of a package that have this name. */
export function packageMembers(world: World, inPackage: string, name: string): Located[] {
  return world
    .named(name)
    .filter(
      ({ file, index }) =>
        file.language === 'java' && file.package === inPackage && file.definitions[index]?.container === -1,
    );
}

/** Source directories of tests mirror those of the program. */
function packageFiles(world: World, from: FileFacts, module: string): FileFacts[] {
  const directory = directoryOf(from.path);
  const own = (from.package ?? '').replaceAll('.', '/');
  if (!directory.endsWith(own)) return [];
  const root = directory.slice(0, directory.length - own.length).replace(/\/$/, '');
  const files: FileFacts[] = [];
  for (const place of new Set([root, root.replace(/\btest\b/, 'main'), root.replace(/\bmain\b/, 'test')])) {
    for (const path of world.directory(below(place, module.replaceAll('.', '/')))) {
      const file = world.file(path);
      if (file?.language === 'java') files.push(file);
    }
  }
  return files;
}

/** Packages of one owner share their first two names. */
function isOwn(from: FileFacts, module: string): boolean {
  const own = (from.package ?? '').split('.');
  const other = module.split('.');
  return own.length > 1 && own[0] === other[0] && own[1] === other[1];
}
