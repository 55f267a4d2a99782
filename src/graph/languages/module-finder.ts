import type { FileFacts } from '../model/facts.ts';
import type { World } from '../resolve/world.ts';

/** How one language gets from what an import says to files. Pure: all it knows comes from the world. */
export interface ModuleFinder {
  /** `outside`: a package that is not part of the project. `missing`: should be in the project and is not. */
  find(world: World, from: FileFacts, module: string): readonly FileFacts[] | 'outside' | 'missing';
}
