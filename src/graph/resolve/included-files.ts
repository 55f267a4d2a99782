import type { FileFacts } from '../model/facts.ts';
import { findModule } from './find-module.ts';
import type { World } from './world.ts';

/** More files than one includes by itself; what comes after is found by its name alone. */
const MOST_FILES = 1000;

const known = new WeakMap<World, Map<FileFacts, ReadonlySet<FileFacts>>>();

/**
 * The files that a file includes, requires or sources, with all that these include: whoever includes a file has
 * everything it has. Where in the file that stands does not matter, for a function that sources another does it for all.
 */
export function includedFiles(world: World, file: FileFacts): ReadonlySet<FileFacts> {
  let answers = known.get(world);
  if (answers === undefined) known.set(world, (answers = new Map()));
  let found = answers.get(file);
  if (found === undefined) answers.set(file, (found = collect(world, file)));
  return found;
}

/** Nearest first. A set goes on to what was added to it meanwhile, and includes nothing twice. */
function collect(world: World, file: FileFacts): ReadonlySet<FileFacts> {
  const found = new Set([file]);
  for (const one of found) {
    for (const { module } of one.imports) {
      const next = findModule(world, one, module);
      if (typeof next === 'string') continue;
      for (const target of next) if (found.size < MOST_FILES) found.add(target);
    }
  }
  return found;
}
