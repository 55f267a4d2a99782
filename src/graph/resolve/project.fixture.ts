import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts } from '../model/facts.ts';
import type { Edge } from '../model/links.ts';
import { languageOf } from '../walk/known-languages.ts';
import { linksOf, showEdge, worldOf } from './world.fixture.ts';
import type { World } from './world.ts';

export const PROJECTS = join(import.meta.dirname, '../../../test/graph');

export async function worldOfProject(name: string): Promise<World> {
  return worldOf(sourcesOf(join(PROJECTS, name)));
}

/** What is pinned for a project. */
export function pinnedEdges(name: string): string {
  return readFileSync(join(PROJECTS, name, 'edges.txt'), 'utf8');
}

/** All that a project's files lead to, file by file: edges with their line, `?` before what is possible, then what is unresolved. */
export function showProject(world: World, paths: readonly string[]): string {
  const lines: string[] = [];
  for (const path of paths) {
    const { edges, possible, unresolved } = linksOf(world, path);
    const file = world.file(path) as FileFacts;
    const show = (mark: string, edge: Edge): string => `${mark}${lineAt(file, edge.at)} ${showEdge(world, path, edge)}`;
    if (edges.length + possible.length + unresolved.length === 0) continue;
    lines.push(path, ...edges.map((edge) => show('  ', edge)), ...possible.map((edge) => show('  ? ', edge)));
    for (const [missing, count] of unresolved) lines.push(`  unresolved ${missing} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}

export function pathsOf(name: string): string[] {
  return Object.keys(sourcesOf(join(PROJECTS, name)));
}

function lineAt({ lines }: FileFacts, at: number): number {
  let line = 0;
  while (line < lines.length && (lines[line] ?? 0) <= at) line++;
  return line;
}

function sourcesOf(directory: string, below = ''): Record<string, string> {
  const sources: Record<string, string> = {};
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below + entry.name;
    if (entry.isDirectory()) Object.assign(sources, sourcesOf(join(directory, entry.name), `${path}/`));
    else if (languageOf(entry.name) !== undefined) sources[path] = readFileSync(join(directory, entry.name), 'utf8');
  }
  return sources;
}
