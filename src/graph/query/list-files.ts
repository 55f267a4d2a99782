import { compileGlob, matchGlob } from '../../text/glob.ts';
import type { FileRow, FilesAnswer } from './answer.ts';
import { byText } from './best-symbol.ts';
import type { FileEntry, GraphReader } from './graph-reader.ts';

export interface FilesOptions {
  /** A file or directory below the root; the root itself by default. */
  readonly path?: string | undefined;
  readonly pattern?: string | undefined;
  readonly language?: string | undefined;
  readonly format?: 'tree' | 'flat' | undefined;
  /** Directories this many levels below `path` are listed as a whole. */
  readonly maxDepth?: number | undefined;
  readonly limit: number;
}

/** Indexed files with how many symbols each has. */
export function listFiles(reader: GraphReader, options: FilesOptions): FilesAnswer {
  const { pattern, language, format = 'tree', maxDepth, limit } = options;
  const path = (options.path ?? '').replace(/^(\.?\/)+|^\.$|\/+$/g, '');
  const glob = pattern === undefined ? undefined : compileGlob(pattern);
  const files = reader
    .files()
    .filter((file) => isBelow(file.path, path) && isOfLanguage(file, language))
    .filter((file) => glob === undefined || matchGlob(glob, file.path.split('/'), []))
    .toSorted((a, b) => byText(a.path, b.path));
  const isWhole = maxDepth === undefined && pattern === undefined && format === 'tree';
  const fitting = isWhole && files.length > limit ? deepestWithin(files, path, limit) : undefined;
  const depth = maxDepth ?? fitting;
  const rows = depth === undefined ? files.map(rowOf) : foldDeep(files, path, depth);
  return {
    is: 'files',
    path,
    ...(pattern === undefined ? {} : { pattern }),
    ...(language === undefined ? {} : { language }),
    format,
    ...(fitting === undefined ? {} : { depth: fitting }),
    rows: { total: rows.length, items: rows.slice(0, limit) },
    files: files.length,
    symbols: files.reduce((sum, { symbols }) => sum + symbols, 0),
    languages: Object.keys(reader.counts.languages)
      .filter((name) => name !== 'manifest')
      .sort(),
  };
}

function isBelow(file: string, path: string): boolean {
  return path === '' || file === path || file.startsWith(`${path}/`);
}

/** Manifests are read for what imports mean, and are no code. */
function isOfLanguage({ language }: FileEntry, wanted: string | undefined): boolean {
  return wanted === undefined ? language !== 'manifest' : language === wanted;
}

function rowOf({ path, language, symbols, flags }: FileEntry): FileRow {
  return { path, files: 1, symbols, language, flags };
}

/** All of a tree at one depth says more than the beginning of it. Undefined when even its top has more rows. */
function deepestWithin(files: readonly FileEntry[], path: string, limit: number): number | undefined {
  let depth = 0;
  while (foldDeep(files, path, depth + 1).length <= limit) depth += 1;
  return depth === 0 ? undefined : depth;
}

function foldDeep(files: readonly FileEntry[], path: string, maxDepth: number): FileRow[] {
  const skip = path === '' ? 0 : path.length + 1;
  const rows = new Map<string, FileRow>();
  for (const file of files) {
    const parts = file.path.slice(skip).split('/');
    if (parts.length <= maxDepth) {
      rows.set(file.path, rowOf(file));
      continue;
    }
    const dir = `${file.path.slice(0, skip)}${parts.slice(0, maxDepth).join('/')}/`;
    const row = rows.get(dir);
    rows.set(dir, { path: dir, files: (row?.files ?? 0) + 1, symbols: (row?.symbols ?? 0) + file.symbols });
  }
  return [...rows.values()];
}
