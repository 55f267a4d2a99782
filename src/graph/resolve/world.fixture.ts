import type { FileFacts } from '../model/facts.ts';
import type { Edge, FileLinks } from '../model/links.ts';
import { keysOf } from '../model/facts.ts';
import { createParser } from '../parse/parse-file.ts';
import { languageOf, languageOfShebang } from '../walk/known-languages.ts';
import { resolveFile } from './resolve-file.ts';
import type { Located, World } from './world.ts';

/** A world of sources that are written down in a test. */
export async function worldOf(sources: Readonly<Record<string, string>>): Promise<World> {
  const parser = createParser({ budgetMs: 60_000 });
  const files: FileFacts[] = [];
  for (const [path, text] of Object.entries(sources)) {
    const named = languageOf(path.slice(path.lastIndexOf('/') + 1));
    const language = named === 'unclear' ? languageOfShebang(text) : named;
    if (language === undefined) throw new Error(`no language for ${path}`);
    files.push(await parser.parse(path, language, new TextEncoder().encode(text)));
  }
  return worldOfFacts(files);
}

export function worldOfFacts(facts: readonly FileFacts[]): World {
  const files = facts.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const byName = new Map<string, Located[]>();
  const byDirectory = new Map<string, string[]>();
  for (const file of files) {
    for (const [index, { name }] of file.definitions.entries()) put(byName, name, { file, index });
    put(byDirectory, file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '', file.path);
  }
  return {
    file: (path) => byPath.get(path),
    named: (name) => byName.get(name) ?? [],
    directory: (path) => byDirectory.get(path) ?? [],
  };
}

function put<T>(map: Map<string, T[]>, key: string, entry: T): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

export function linksOf(world: World, path: string): FileLinks {
  const file = world.file(path);
  if (file === undefined) throw new Error(`no facts of ${path}`);
  return resolveFile(world, file);
}

/** Calls and instantiations of a file, one line each: `source -> path#key why`. */
export function callsOf(world: World, path: string): string[] {
  const { edges } = linksOf(world, path);
  const calls = edges.filter(({ kind }) => kind === 'calls' || kind === 'instantiates');
  return calls.map((edge) => showEdge(world, path, edge));
}

/** `source kind path#key why`, the kind left out for calls; the module itself is `.`. */
export function showEdge(world: World, path: string, { source, kind, target, path: to, why }: Edge): string {
  const own = world.file(path);
  const other = world.file(to);
  const from = own === undefined || source === -1 ? '.' : keysOf(own)[source];
  const key = other === undefined || target === -1 ? '.' : keysOf(other)[target];
  return `${from} ${kind === 'calls' || kind === 'instantiates' ? '->' : kind} ${to}#${key} ${why}`;
}
