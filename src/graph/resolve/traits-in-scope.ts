import type { Definition, FileFacts } from '../model/facts.ts';
import { importMeanings, starMeanings } from './exports.ts';
import { moduleNames } from './module-names.ts';
import type { Located, World } from './world.ts';

/**
 * What the traits in scope offer to any type under this name, whether or not the place that implements them is known: a
 * method of a trait can be called only where the trait is in scope.
 */
export function offeredByTraits(world: World, file: FileFacts, name: string): Located[] {
  const found: Located[] = [];
  for (const located of world.named(name)) {
    const { container, kind } = located.file.definitions[located.index] as Definition;
    const owner = located.file.definitions[container];
    if (kind !== 'method' || owner?.kind !== 'trait' || located.file.language !== file.language) continue;
    if (located.file === file || isImported(world, file, owner.name, located.file, container)) found.push(located);
  }
  return found;
}

function isImported(world: World, file: FileFacts, trait: string, from: FileFacts, index: number): boolean {
  for (const entry of file.imports) {
    if (entry.name !== trait) continue;
    for (const meaning of importMeanings(world, file, entry)) {
      if (meaning.is === 'definition' && meaning.file === from && meaning.index === index) return true;
    }
  }
  if (moduleNames(file).stars.length === 0) return false;
  return starMeanings(world, file, trait).some(
    (meaning) => meaning.is === 'definition' && meaning.file === from && meaning.index === index,
  );
}
