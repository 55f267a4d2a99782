import { resolve } from 'node:path';
import type { Event, ToolCall } from '../../event/event.ts';
import { broadInShell } from './broad-shell.ts';
import type { Look, Search } from './search.ts';
import { admitsAll, admitsAllBelow, fixedPart, hasWildcard } from './search.ts';

/**
 * The search that a call is, if it may touch many files; judged by its arguments alone, in constant time. It stats one path
 * for a search tool and at most four for a shell command, and neither lists nor opens anything.
 */
export function broadSearch(
  event: Event,
  look: Look,
  place: { readonly home: string; readonly root: string },
): Search | undefined {
  const { tool, cwd } = event;
  switch (tool?.kind) {
    case 'search':
      return broadContent(tool, cwd, look);
    case 'glob':
      return broadNames(tool, cwd);
    case 'shell':
      return tool.command === undefined ? undefined : broadInShell(tool.command, look, { cwd, ...place });
    default:
      return undefined;
  }
}

function broadContent({ paths, query, input }: ToolCall, cwd: string, look: Look): Search | undefined {
  const [path] = paths;
  if (path !== undefined && look.stat(path)?.kind === 'file') return undefined;
  const { glob, type } = input;
  return {
    tool: 'search',
    patterns: query === undefined ? [] : [query],
    places: [path ?? cwd],
    globs: typeof glob === 'string' ? splitGlobs(glob) : [],
    types: typeof type === 'string' && type !== '' ? [type] : [],
    listing: false,
  };
}

/** `*.ts, *.{js,jsx}`: blanks and commas part globs, but not inside braces. */
function splitGlobs(text: string): readonly string[] {
  const globs = text.match(/(?:\{[^{}]*\}|[^\s,])+/g) ?? [];
  return globs.filter((glob) => !glob.startsWith('!') && !admitsAll(glob));
}

function broadNames({ paths, query }: ToolCall, cwd: string): Search | undefined {
  if (query === undefined || !hasWildcard(query)) return undefined;
  return {
    tool: 'glob',
    patterns: [],
    places: [resolve(paths[0] ?? cwd, fixedPart(query))],
    globs: admitsAllBelow(query) ? [] : [query],
    types: [],
    listing: true,
  };
}
