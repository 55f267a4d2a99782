import type { FileFacts } from '../model/facts.ts';
import type { ModuleFinder } from '../languages/module-finder.ts';
import { rulesOf } from './language-rules.ts';
import type { World } from './world.ts';

export type Found = ReturnType<ModuleFinder['find']>;

const answers = new WeakMap<World, Map<FileFacts, Map<string, Found>>>();

/**
 * What an import of `module` in `from` leads to. Answers are kept with the world that gave them: a watched world lives for
 * one file's resolution and has noted the questions already, so the same import costs one lookup however often it is met.
 */
export function findModule(world: World, from: FileFacts, module: string): Found {
  let known = answers.get(world);
  if (known === undefined) answers.set(world, (known = new Map()));
  let ofFile = known.get(from);
  if (ofFile === undefined) known.set(from, (ofFile = new Map()));
  let found = ofFile.get(module);
  if (found === undefined) ofFile.set(module, (found = rulesOf(from.language).modules.find(world, from, module)));
  return found;
}
