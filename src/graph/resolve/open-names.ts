import type { Expression } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import { rulesOf } from './language-rules.ts';
import type { Located, World } from './world.ts';

/** Definitions of one name, by what they are written in: `shop.Box` for `put`, empty for the outer level. */
type ByPlace = ReadonlyMap<string, readonly Located[]>;

/** Follows from the list alone, which a world keeps for as long as it holds. */
const known = new WeakMap<readonly Located[], ByPlace>();
const NONE: readonly Located[] = [];

/**
 * What namespaces have of a name, and classes where those can be opened in any file again, so that their whole name alone
 * says what belongs together.
 */
export function namedIn(world: World, file: FileFacts, place: string, name: string): readonly Located[] {
  const all = world.named(name);
  let places = known.get(all);
  if (places === undefined) known.set(all, (places = arrange(all)));
  const found = places.get(place) ?? NONE;
  return found.every((one) => isAkin(one.file, file)) ? found : found.filter((one) => isAkin(one.file, file));
}

/** Languages whose files can use each other's definitions. */
export function isAkin(a: FileFacts, b: FileFacts): boolean {
  return a.language === b.language || rulesOf(a.language).family === rulesOf(b.language).family;
}

function arrange(all: readonly Located[]): ByPlace {
  const places = new Map<string, Located[]>();
  for (const located of all) {
    const place = placeOf(located.file, located.index);
    if (place === undefined) continue;
    const entries = places.get(place);
    if (entries === undefined) places.set(place, [located]);
    else entries.push(located);
  }
  return places;
}

/** The whole name of what a definition is written in or for; undefined for what only a function sees. */
export function placeOf(file: FileFacts, index: number): string | undefined {
  const definition = file.definitions[index];
  if (definition === undefined || definition.traits.includes('local')) return undefined;
  if (rulesOf(file.language).functionsAreGlobal) return '';
  const outer = definition.container === -1 ? '' : wholeName(file, definition.container);
  const added = addedTo(definition);
  if (outer === undefined || added === undefined) return outer;
  return outer === '' ? added : `${outer}.${added}`;
}

/** A definition's own name with all that it is written in. */
export function wholeName(file: FileFacts, index: number): string | undefined {
  const place = placeOf(file, index);
  const name = file.definitions[index]?.name ?? '';
  if (place === undefined) return undefined;
  return place === '' ? name : `${place}.${name}`;
}

/** `shop.Box` of `void shop::Box::put()`. */
export function addedTo({ bases }: Definition): string | undefined {
  for (const { how, type } of bases) if (how === 'adds') return dotted(type);
  return undefined;
}

function dotted(type: Expression): string | undefined {
  if (type.is === 'apply') return dotted(type.of);
  if (type.is === 'name') return type.name;
  const outer = type.is === 'member' ? dotted(type.of) : undefined;
  return type.is === 'member' && outer !== undefined ? `${outer}.${type.name}` : undefined;
}
