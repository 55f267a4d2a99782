import type { Definition } from '../facts.ts';
import { baseDefinition } from './bases.ts';
import { addEdge } from './collect.ts';
import type { Collector } from './collect.ts';
import { exportsNamed } from './exports.ts';
import { tableOf } from './file-table.ts';
import { isClassLike } from './class-parts.ts';
import { membersOf } from './members.ts';
import { findModule } from './modules/find-module.ts';
import type { Resolution } from './resolution.ts';

/** What follows from declarations: imports, re-exports, bases, and members that replace one of a base. */
export function linkStructure(r: Resolution, into: Collector): void {
  linkModules(r, into);
  for (const [index, definition] of r.file.definitions.entries()) {
    if (definition.bases.length === 0) continue;
    r.steps = BUDGET;
    linkBases(r, index, definition, into);
    if (isClassLike(definition)) linkOverrides(r, index, definition, into);
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
      const meanings = entry.local === '*' || entry.name === '*' ? [] : exportsNamed(world, target, entry.local);
      const definitions = meanings.filter((meaning) => meaning.is === 'definition');
      for (const { file: at, index } of definitions) {
        addEdge(into.edges, -1, 'exports', at.path, index, entry.at, 'import');
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
    const why = base.file === r.file ? 'scope' : 'import';
    addEdge(into.edges, index, how === 'implements' ? 'implements' : 'extends', base.file.path, base.index, at, why);
  }
}

function linkOverrides(r: Resolution, owner: number, { bases }: Definition, into: Collector): void {
  const { file } = r;
  const types = bases.filter(({ how }) => how !== 'adds').map(({ type }) => r.type(r, file, type, r.root));
  for (const [index = -1] of tableOf(file).children.get(owner)?.values() ?? []) {
    const member = file.definitions[index];
    if (member?.kind !== 'method') continue;
    if (member.visibility === 'special' || member.traits.includes('static')) continue;
    for (const type of types) {
      const found = type.is === 'object' ? membersOf(r, type, member.name)[0] : undefined;
      if (found?.file === undefined || found.file.path === '') continue;
      addEdge(into.edges, index, 'overrides', found.file.path, found.index, member.at, 'class');
      break;
    }
  }
}
