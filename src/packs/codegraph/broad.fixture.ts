import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolKind } from '../../event/event.ts';
import { nodeFiles } from '../../platform/files.ts';
import { event } from '../../roots/event.fixture.ts';
import { broadSearch } from './broad.ts';
import type { Search } from './search.ts';

/** A directory with some files, and the searches that calls in it are. */
export interface Tree {
  readonly root: string;
  search(
    kind: ToolKind,
    input: Readonly<Record<string, unknown>>,
    paths?: readonly string[],
    cwd?: string,
  ): { readonly found: Search | undefined; readonly stats: readonly string[] };
  shell(command: string, cwd?: string): Search | undefined;
  /** What was found in the words of a test: paths from the root, empty parts left out. */
  told(found: Search | undefined): Record<string, unknown> | undefined;
  close(): void;
}

export function openTree(): Tree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-broad-')));
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  for (const name of ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'src/a.ts', 'src/b.ts', 'README.md'])
    writeFileSync(join(root, name), '');

  const search: Tree['search'] = (kind, input, paths = [], cwd = root) => {
    const stats: string[] = [];
    const look = {
      stat(path: string) {
        stats.push(path);
        return nodeFiles.stat(path);
      },
    };
    const { pattern, command } = input;
    const tool = {
      kind,
      name: kind,
      input,
      hasInput: true,
      paths,
      edits: [],
      ...(typeof pattern === 'string' ? { query: pattern } : {}),
      ...(typeof command === 'string' ? { command } : {}),
    };
    return { found: broadSearch(event(cwd, { name: 'tool.before', tool }), look, { home: '/home/dev', root }), stats };
  };

  return {
    root,
    search,
    shell: (command, cwd) => search('shell', { command }, [], cwd).found,
    told(found) {
      if (!found) return undefined;
      const { patterns, places, globs, types, listing, facts } = found;
      const inside = (place: string) =>
        place === root ? '.' : place.startsWith(`${root}/`) ? place.slice(root.length + 1) : place;
      return {
        place: places.map(inside).join(' '),
        ...(patterns.length > 0 ? { patterns } : {}),
        ...(globs.length > 0 ? { globs } : {}),
        ...(types.length > 0 ? { types } : {}),
        ...(listing ? { listing } : {}),
        ...(facts ? { facts } : {}),
      };
    },
    close: () => rmSync(root, { recursive: true }),
  };
}
