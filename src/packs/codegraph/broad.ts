import { resolve } from 'node:path';
import type { Event, ToolCall } from '../../event/event.ts';
import { admitsAll, admitsAllBelow, fixedPart, hasWildcard } from './search.ts';
import type { Look, Search } from './search.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import { judgeContent, judgeGit, split } from './broad-content.ts';
import { MOST_STATS } from './broad-found.ts';
import type { Found, Tests } from './broad-found.ts';
import { judgeFd, judgeFind, judgeLs, judgeTree } from './broad-listing.ts';
import { CONTENT_PROGRAMS, SEARCH_WORDS, FACT_READERS, READERS } from './broad-programs.ts';
import type { ContentProgram } from './broad-programs.ts';
import { readOptions } from '../../shell/options.ts';

/**
 * What becomes of the files that a listing names: a program that searches them makes it a search of content, a filter
 * says which names are wanted, one that measures or counts them asks for no code, and one that changes them makes it no
 * search at all.
 */
function withUse(listing: Found, lister: ShellCommand, all: readonly ShellCommand[]): Found | undefined {
  const patterns = [...listing.patterns];
  let facts = listing.facts === true;
  for (const one of all.slice(lister.number + 1)) {
    const program = CONTENT_PROGRAMS.get(one.program);
    if (isFed(one, lister, all)) {
      if (!READERS.has(one.program)) return undefined;
      if (program) return { ...listing, patterns: patternsIn(one, program), listing: false };
      facts ||= FACT_READERS.has(one.program);
    } else if (comesFrom(one, lister, all)) {
      facts ||= isCount(one);
      if (program) patterns.push(...filterIn(one, program));
    }
  }
  return facts ? { ...listing, patterns, facts } : { ...listing, patterns };
}

/** `wc`, `uniq -c`, `grep -c`: how many there are, not which. */
function isCount({ program, words }: ShellCommand): boolean {
  return (
    program === 'wc' || (/^(?:uniq|[efr]?grep|rg)$/.test(program) && readOptions(words.slice(1)).has('-c', '--count'))
  );
}

/** Its arguments are what the lister found. */
function isFed(command: ShellCommand, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  const step = command.road[lister.road.length];
  if (step !== undefined && /^f(?:ind -(?:exec|ok)|d -)/.test(step) && isNextTo(command, lister, all)) return true;
  return command.words.some(({ from }) => from.some((number) => reaches(number, lister, all)));
}

/** Everything between the two is run by the lister as well. */
function isNextTo(command: ShellCommand, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  return all.slice(lister.number + 1, command.number).every(({ road }) => road.length > lister.road.length);
}

function comesFrom({ input }: ShellCommand, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  return input?.kind === 'pipe' && reaches(input.from, lister, all);
}

function reaches(number: number, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  for (let at = number; at > lister.number;) {
    const input = all[at]?.input;
    if (input?.kind !== 'pipe' || input.from >= at) return false;
    at = input.from;
    if (at === lister.number) return true;
  }
  return number === lister.number;
}

function patternsIn({ words }: ShellCommand, program: ContentProgram): readonly string[] {
  return split(program, readOptions(words.slice(1), program.options)).patterns;
}

function filterIn({ words }: ShellCommand, program: ContentProgram): readonly string[] {
  const options = readOptions(words.slice(1), program.options);
  return options.has('-v', '--invert-match') ? [] : split(program, options).patterns;
}

/** Where text is run as commands and still counts: one such level, as people write it. */
const SHELL_CODE = /^(?:ba|da|z|k)?sh -\w*c$/;

/** The first broad search of a command line; undefined when there is none, or when the line cannot be read. */
function broadInShell(
  command: string,
  look: Look,
  place: { readonly cwd: string; readonly home: string; readonly root: string },
): Search | undefined {
  if (!SEARCH_WORDS.test(command)) return undefined;
  const { commands, unclear } = readShell(command, place);
  if (unclear.some(({ why }) => why !== 'computed')) return undefined;
  const tests = { look, left: MOST_STATS };
  for (const one of commands) {
    if (!isTyped(one.road)) continue;
    const found = judge(one, commands, tests);
    const used = found?.listing === true ? withUse(found, one, commands) : found;
    if (used) return { tool: 'shell', ...used };
  }
  return undefined;
}

/** Not text that happens to be run: a heredoc, code of another language, more than one shell inside another. */
function isTyped(road: readonly string[]): boolean {
  let levels = 0;
  for (const step of road) {
    if (step === 'xargs' || SHELL_CODE.test(step)) levels += 1;
    else if (step !== '$( )' && step !== '<( )') return false;
  }
  return levels <= 1;
}

function judge(command: ShellCommand, all: readonly ShellCommand[], tests: Tests): Found | undefined {
  const { program, dir } = command;
  if (dir === undefined) return undefined;
  const judged = { command, all, dir, tests };
  const content = CONTENT_PROGRAMS.get(program);
  if (content) return judgeContent(content, judged);
  switch (program) {
    case 'git':
      return judgeGit(judged);
    case 'find':
      return judgeFind(judged);
    case 'fd':
    case 'fdfind':
      return judgeFd(judged);
    case 'ls':
      return judgeLs(judged);
    case 'tree':
      return judgeTree(judged);
    default:
      return undefined;
  }
}

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
