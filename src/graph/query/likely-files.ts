import { byRole } from '../model/role.ts';
import { byText } from './best-symbol.ts';
import type { FileEntry, GraphReader } from './graph-reader.ts';

/** Files that are weighed; of a directory with more, those nearest to it. Of each, so many symbols. */
const MOST_WEIGHED = 40;
const MOST_SYMBOLS = 20;

/** Code below a directory that a reader would most likely want: what others lead to most, nothing that only tests. */
export function likelyFiles(reader: GraphReader, directory: string, max: number): string[] {
  const inside = directory === '' ? '' : `${directory}/`;
  const depthOf = ({ path }: FileEntry) => path.split('/').length;
  return reader
    .files()
    .filter(({ path, language, symbols }) => path.startsWith(inside) && language !== 'manifest' && symbols > 0)
    .toSorted((a, b) => byRole(a.role, b.role) || depthOf(a) - depthOf(b) || byText(a.path, b.path))
    .slice(0, MOST_WEIGHED)
    .map((file) => ({ file, weight: weightOf(reader, file) }))
    .sort((a, b) => byRole(a.file.role, b.file.role) || b.weight - a.weight || byText(a.file.path, b.file.path))
    .slice(0, max)
    .map(({ file }) => file.path);
}

/** Other files that lead into this one. */
function weightOf(reader: GraphReader, { path, module }: FileEntry): number {
  const sources = new Set<string>();
  for (const id of [module, ...reader.symbolsOf(path).slice(0, MOST_SYMBOLS)])
    for (const link of reader.incoming(id)) if (link.path !== path) sources.add(link.path);
  return sources.size;
}
