import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createParser, resolveFile } from '../../src/graph/indexing.fixture.ts';
import { walkWorkspace } from '../../src/graph/graph.fixture.ts';
import type { FileFacts, Located, World } from '../../src/graph/indexing.fixture.ts';
import type { Edge } from '../../src/graph/graph.fixture.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import type { Named } from './oracle.ts';
import type { Found, Place } from './score.ts';

/** What our index says about a tree, in the judge's words. */
export interface Indexed {
  readonly files: number;
  readonly definitions: readonly Named[];
  readonly sites: readonly Named[];
  readonly edges: readonly Found[];
  /** Files with syntax our parser could not read, or that were left out. */
  readonly flagged: readonly string[];
  readonly seconds: { readonly parse: number; readonly resolve: number };
}

export async function indexCorpus(root: string): Promise<Indexed> {
  const parser = createParser();
  const files: FileFacts[] = [];
  const started = cpuSeconds();
  for (const { path, language } of walkWorkspace(nodeFiles, root)) {
    files.push(await parser.parse(path, language, readFileSync(join(root, path))));
  }
  const parsed = cpuSeconds();
  const world = worldOf(files);
  const definitions: Named[] = [];
  const sites: Named[] = [];
  const edges: Found[] = [];
  for (const file of files) {
    if (file.language === 'manifest') continue;
    for (const { name, kind, at } of file.definitions) definitions.push({ ...placeIn(file, at), name, kind });
    for (const { name, kind, at } of file.references) {
      if (kind === 'call' || kind === 'new') sites.push({ ...placeIn(file, at), name, kind });
    }
    const links = resolveFile(world, file);
    for (const edge of links.edges) addCall(world, file, edge, edges);
    for (const edge of links.possible) addCall(world, file, edge, edges);
  }
  return {
    files: files.filter(({ language }) => language !== 'manifest').length,
    definitions,
    sites,
    edges,
    flagged: files
      .filter(({ flags }) => flags.some((flag) => flag !== 'test'))
      .map(({ path, flags }) => `${path} ${flags.join(' ')}`),
    seconds: { parse: parsed - started, resolve: cpuSeconds() - parsed },
  };
}

function addCall(world: World, file: FileFacts, edge: Edge, edges: Found[]): void {
  if (edge.kind !== 'calls' && edge.kind !== 'instantiates') return;
  const home = world.file(edge.path);
  const target = home?.definitions[edge.target];
  if (home === undefined || target === undefined) return;
  edges.push({ ...placeIn(file, edge.at), target: placeIn(home, target.at), why: edge.why });
}

export function worldOf(files: readonly FileFacts[]): World {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const byName = new Map<string, Located[]>();
  const byDirectory = new Map<string, string[]>();
  for (const path of [...byPath.keys()].sort()) {
    const file = byPath.get(path);
    addTo(byDirectory, path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '', path);
    file?.definitions.forEach(({ name }, index) => addTo(byName, name, { file, index }));
  }
  return {
    file: (path) => byPath.get(path),
    named: (name) => byName.get(name) ?? [],
    directory: (path) => byDirectory.get(path) ?? [],
  };
}

function placeIn(file: FileFacts, at: number): Place {
  const { lines } = file;
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return { file: file.path, line: low, column: at - (lines[low] ?? 0) };
}

function addTo<T>(map: Map<string, T[]>, key: string, entry: T): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
