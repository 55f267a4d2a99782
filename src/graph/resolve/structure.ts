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
import { overloadLike } from './overloads.ts';
import { findModule } from './find-module.ts';
import type { Resolution } from './resolution.ts';
import { lookUp } from './scope.ts';
import type { Type } from './types.ts';
import type { Located } from './world.ts';

/** What follows from declarations: imports, re-exports, bases, and members that replace one of a base. */
export function linkStructure(r: Resolution, into: Collector): void {
  linkModules(r, into);
  const { addsMembers } = rulesOf(r.file.language);
  for (const [index, definition] of r.file.definitions.entries()) {
    if (definition.bases.length === 0) continue;
    r.steps = BUDGET;
    linkBases(r, index, definition, into);
    if (isClassLike(definition) || isConstantClass(r, definition)) linkOverrides(r, index, definition, into);
    else if (addsMembers === 'overriding' && definition.kind === 'method')
      linkAddedOverride(r, index, definition, into);
  }
}

const BUDGET = 3000;

/** A constant of an enum may have methods of its own. */
function isConstantClass({ file }: Resolution, { kind }: Definition): boolean {
  return kind === 'constant' && rulesOf(file.language).methodsApart;
}

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
  const { fieldsOverride } = rulesOf(file.language);
  const isOne = !hasOverloads(file);
  for (const same of tableOf(file).children.get(owner)?.values() ?? []) {
    for (const index of isOne ? same.slice(0, 1) : same) {
      const member = file.definitions[index] as Definition;
      if (member.kind !== 'method' && (member.kind !== 'field' || !fieldsOverride)) continue;
      // What is defined in another file overrides from there.
      if (member.traits.includes('declared') && definitionOf(r.world, { file, index }).file !== file) continue;
      linkOverride(r, index, member, types, into);
    }
  }
}

/** Where methods of one name differ by their parameters, each overrides one of its own. */
function hasOverloads({ language }: FileFacts): boolean {
  const rules = rulesOf(language);
  return rules.methodsApart || rules.hasOverloads;
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

function linkOverride(r: Resolution, index: number, member: Definition, types: readonly Type[], into: Collector): void {
  if (member.visibility === 'special' || member.traits.includes('static')) return;
  for (const found of overriddenBy(r, member, types)) {
    if (!isVirtual(r, member, found)) continue;
    const target = definitionOf(r.world, found);
    addEdge(into.edges, index, 'overrides', target.file.path, target.index, member.at, 'class');
  }
}

/** The member of each base that this one replaces. */
function overriddenBy(r: Resolution, member: Definition, types: readonly Type[]): Located[] {
  const { name, kind, parameters } = member;
  const differByTypes = rulesOf(r.file.language).suits !== undefined && kind === 'method';
  return types.flatMap((type) => {
    if (differByTypes) {
      const same = type.is === 'object' && type.file.path !== '' ? overloadLike(r, type, member) : undefined;
      return same === undefined || same.file.path === '' ? [] : [same];
    }
    const found = type.is === 'object' ? membersOf(r, type, name) : [];
    for (const one of found) {
      if (one.file === undefined || one.file.path === '') continue;
      const base = one.file.definitions[one.index] as Definition;
      if (kind === 'field' && !isCalled(base)) continue;
      if (!hasOverloads(one.file) || base.parameters.length === parameters.length) return [one];
    }
    return [];
  });
}

/** Fields that only hold data stand in for nothing. */
function isCalled({ kind, traits }: Definition): boolean {
  return (kind === 'method' && !traits.includes('getter')) || traits.includes('callable');
}

/** Where members are replaced only if they say so: this one, the one above, or one that that replaces. */
function isVirtual(r: Resolution, { signature }: Definition, base: Located, depth = 0): boolean {
  const { virtual } = rulesOf(base.file.language);
  const above = base.file.definitions[base.index] as Definition;
  if (virtual === undefined || virtual.test(signature) || virtual.test(above.signature)) return true;
  const owner = base.file.definitions[above.container];
  if (owner === undefined || depth > DEEPEST) return false;
  return overriddenBy(r, above, basesOf(r, base.file, owner.bases)).some((next) =>
    isVirtual(r, above, next, depth + 1),
  );
}

const DEEPEST = 8;
