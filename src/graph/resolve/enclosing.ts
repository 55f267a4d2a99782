import type { Definition, FileFacts } from '../model/facts.ts';
import { baseType } from './base-types.ts';
import { baseDefinition } from './bases.ts';
import { definitionAt, tableOf } from './file-table.ts';
import { isClassLike } from './class-parts.ts';
import { rulesOf } from './language-rules.ts';
import { baseClass } from './members.ts';
import { objectOf } from './resolution.ts';
import type { Resolution } from './resolution.ts';
import { bothOf, UNKNOWN_TYPE } from './types.ts';
import type { Type } from './types.ts';
import type { Located } from './world.ts';

/** What `this` is at a place: an object of the class around it, or the class itself in what is static. */
export function enclosingObject(r: Resolution, file: FileFacts, at: number): Type {
  const member = memberAt(file, at);
  if (member === undefined) return UNKNOWN_TYPE;
  const { definition, container } = member;
  for (const { how, type } of definition.bases) if (how === 'adds') return r.type(r, file, type, r.root);
  const outer = file.definitions[container];
  if (outer === undefined) return UNKNOWN_TYPE;
  for (const { how, type } of outer.bases) if (how === 'adds') return r.type(r, file, type, r.root);
  const own: Type = { is: 'class', file, index: container, env: r.root };
  if (isClassLike(outer)) return definition.traits.includes('static') ? own : objectOf(r, file, container, []);
  return outer.type === undefined || outer.kind === 'type' ? own : r.type(r, file, outer.type, r.root);
}

/** What `super` is at a place: what the class around it extends. */
export function enclosingBase(r: Resolution, file: FileFacts, at: number): Type {
  const member = memberAt(file, at);
  const outer = member === undefined ? undefined : file.definitions[member.container];
  if (member === undefined || outer === undefined) return UNKNOWN_TYPE;
  const isStatic = member.definition.traits.includes('static');
  const bases: Type[] = [];
  for (const base of outer.bases) {
    if (base.how !== 'extends' && base.how !== 'embeds') continue;
    bases.push(isStatic ? baseClass(r, file, base, r.root) : baseType(r, file, base, r.root));
  }
  return bothOf(bases);
}

/** The definitions that the class around a place names as its bases. */
export function enclosingBases(r: Resolution, file: FileFacts, at: number): Located[] {
  const member = memberAt(file, at);
  const found: Located[] = [];
  for (const { how, type } of file.definitions[member?.container ?? -1]?.bases ?? []) {
    const base = how === 'extends' ? baseDefinition(r, file, type) : undefined;
    if (base !== undefined) found.push(base);
  }
  return found;
}

/** The member of a class, or of an object with a name, that a place lies in. */
function memberAt(file: FileFacts, at: number): { definition: Definition; container: number } | undefined {
  const { around } = tableOf(file);
  for (let index = definitionAt(file, at); index !== -1; index = around[index] ?? -1) {
    const definition = file.definitions[index] as Definition;
    const isMember = definition.container !== -1 && !definition.traits.includes('local');
    if (definition.bases.some(({ how }) => how === 'adds')) return { definition, container: definition.container };
    const isInNamespace = file.definitions[definition.container]?.kind === 'namespace';
    const isOfModule = rulesOf(file.language).modulesAreObjects && definition.kind === 'method';
    if (isMember && definition.kind !== 'class' && (!isInNamespace || isOfModule)) {
      return { definition, container: definition.container };
    }
    if (isClassLike(definition) && definition.kind !== 'namespace') return { definition, container: index };
  }
  return undefined;
}
