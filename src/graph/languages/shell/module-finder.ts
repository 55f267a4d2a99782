import type { FileFacts } from '../../model/facts.ts';
import { directoryOf, join, upwards } from '../../model/paths.ts';
import type { World } from '../../resolve/world.ts';
import { listedFile } from '../../resolve/listed-file.ts';
import type { ModuleFinder } from '../module-finder.ts';

/**
 * A sourced path is relative to where the script is run, which is mostly its own directory or one around it. `$/` stands for
 * a directory that only a run would tell.
 */
export const shell: ModuleFinder = {
  find(world, from, module) {
    if (module.startsWith('/') || module.startsWith('~')) return 'outside';
    const isUnsure = module.startsWith('$/');
    const path = isUnsure ? module.slice(2) : module;
    for (const around of upwards(directoryOf(from.path))) {
      const found = fileAt(world, around, path);
      if (found && found !== from) return [found];
    }
    return isUnsure ? 'outside' : 'missing';
  },
};

function fileAt(world: World, directory: string, module: string): FileFacts | undefined {
  const path = join(directory, module);
  const file = path === undefined ? undefined : listedFile(world, path);
  return file?.language === 'shell' ? file : undefined;
}
