import type { Expression } from '../model/expression.ts';
import type { Base, Definition, FileFacts } from '../model/facts.ts';
import type { Why } from '../model/links.ts';
import { baseDefinition } from './bases.ts';
import { addEdge } from './collect.ts';
import type { Collector } from './collect.ts';
import { exportsNamed } from './exports.ts';
import { tableOf } from './file-table.ts';
import { isClassLike } from './class-parts.ts';
import { definitionOf, rulesOf } from './language-rules.ts';
import { membersOf } from './members.ts';
import { findModule } from './find-module.ts';
import type { Resolution } from './resolution.ts';
import { lookUp } from './scope.ts';
import type { Type } from './types.ts';

/** What follows from declarations: imports, re-exports, bases, and members that replace one of a base. */
export function linkStructure(r: Resolution, into: Collector): void {
  linkModules(r, into);
  const { addsMembers } = rulesOf(r.file.language);
  for (const [index, definition] of r.file.definitions.entries()) {
    if (definition.bases.length === 0) continue;
    r.steps = BUDGET;
    linkBases(r, index, definition, into);
    if (isClassLike(definition)) linkOverrides(r, index, definition, into);
    else if (addsMembers === 'overriding' && definition.kind === 'method')
      linkAddedOverride(r, index, definition, into);
  }
}

const BUDGET = 3000;

function linkModules(r: Resolution, into: Collector): void {
  const { file, world } = r;
  const imported = new Set<string>();
  for (const entry of file.imports) {
    const found = findModule(world, file, entry.module);
    if (typeof found === 'string') continue;
    for (const { path } of found) {
      if (path !== '' && !imported.has(path)) addEdge(into.edges, -1, 'imports', path, -1, entry.at, 'import');
      imported.add(path);
    }
  }
  for (const entry of file.exports) {
    if (entry.module === undefined) continue;
    const found = findModule(world, file, entry.module);
    if (typeof found === 'string') continue;
    for (const target of found) {
      // What the language itself brings is no file of the project.
      if (target.path === '') continue;
      const meanings = entry.local === '*' || entry.name === '*' ? [] : exportsNamed(world, target, entry.local);
      const definitions = meanings.filter((meaning) => meaning.is === 'definition');
      for (const { file: at, index } of definitions) {
        if (at.path !== '') addEdge(into.edges, -1, 'exports', at.path, index, entry.at, 'import');
      }
      if (definitions.length === 0) addEdge(into.edges, -1, 'exports', target.path, -1, entry.at, 'import');
    }
  }
}

function linkBases(r: Resolution, index: number, { bases }: Definition, into: Collector): void {
  for (const { how, type, at } of bases) {
    if (how === 'adds') continue;
    const base = baseDefinition(r, r.file, type);
    if (base === undefined || base.file.path === '') continue;
    const why = base.file === r.file ? 'scope' : whyOfBase(r, type);
    addEdge(into.edges, index, how === 'implements' ? 'implements' : 'extends', base.file.path, base.index, at, why);
  }
}

/** A base that nothing imports is there by its name. */
function whyOfBase(r: Resolution, type: Expression): Why {
  if (type.is !== 'name' || !rulesOf(r.file.language).includesFiles) return 'import';
  const { by } = lookUp(r, r.file, type.name, type.at, 'value');
  return by === 'package' || by === 'only' ? by : 'import';
}

function linkOverrides(r: Resolution, owner: number, { bases }: Definition, into: Collector): void {
  const { file } = r;
  const types = basesOf(r, file, bases);
  for (const [index = -1] of tableOf(file).children.get(owner)?.values() ?? []) {
    const member = file.definitions[index];
    if (member?.kind !== 'method') continue;
    // What is defined in another file overrides from there.
    if (member.traits.includes('declared') && definitionOf(r.world, { file, index }).file !== file) continue;
    linkOverride(r, index, member, types, into);
  }
}

/** A method that is written outside its class overrides what the bases of the class have. */
function linkAddedOverride(r: Resolution, index: number, member: Definition, into: Collector): void {
  const added = member.bases.find(({ how }) => how === 'adds');
  const owner = added && r.type(r, r.file, added.type, r.root);
  if (owner?.is !== 'object') return;
  linkOverride(r, index, member, basesOf(r, owner.file, owner.file.definitions[owner.index]?.bases ?? []), into);
}

function basesOf(r: Resolution, file: FileFacts, bases: readonly Base[]): Type[] {
  return bases.filter(({ how }) => how !== 'adds').map(({ type }) => r.type(r, file, type, r.root));
}

function linkOverride(
  r: Resolution,
  index: number,
  { name, at, visibility, traits }: Definition,
  types: readonly Type[],
  into: Collector,
): void {
  if (visibility === 'special' || traits.includes('static')) return;
  for (const type of types) {
    const found = type.is === 'object' ? membersOf(r, type, name)[0] : undefined;
    if (found?.file === undefined || found.file.path === '') continue;
    const target = definitionOf(r.world, { file: found.file, index: found.index });
    addEdge(into.edges, index, 'overrides', target.file.path, target.index, at, 'class');
    break;
  }
}
