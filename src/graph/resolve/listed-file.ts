import type { FileFacts } from '../model/facts.ts';
import { directoryOf } from '../model/paths.ts';
import type { World } from './world.ts';

/**
 * A file, if it is there. Asks for the directory first: where many files are looked for in vain, as imports do, that is one
 * question to keep for all of them.
 */
export function listedFile(world: World, path: string): FileFacts | undefined {
  return world.directory(directoryOf(path)).includes(path) ? world.file(path) : undefined;
}
