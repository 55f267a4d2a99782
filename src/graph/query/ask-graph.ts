import type { DefinitionKind } from '../model/facts.ts';
import type {
  Answer,
  ChoiceAnswer,
  MissingAnswer,
  CallsAnswer,
  ContextAnswer,
  ContextBlock,
  FileRow,
  FilesAnswer,
} from './answer.ts';
import { doubtOf, edgesOf, groupLinks, show, USES_SHARE } from './calls.ts';
import type { Direction } from './calls.ts';
import { describeSymbol, mention } from './describe-symbol.ts';
import type { GraphReader, SymbolEntry, FileEntry } from './graph-reader.ts';
import { askImpact } from './impact.ts';
import { nameSymbol } from './name-symbol.ts';
import type { NamingOptions } from './name-symbol.ts';
import { searchSymbols, rankSymbols } from './search.ts';
import { dispatchOf, endsOf, namesakesOf, usesApart } from './called-as.ts';
import { familyOf } from './family.ts';
import { blockText } from './render-context.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import { byText } from './best-symbol.ts';

interface FilesOptions {
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
function listFiles(reader: GraphReader, options: FilesOptions): FilesAnswer {
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

interface ContextOptions {
  readonly maxChars: number;
  /** Text of a file below the root as it is now. */
  read(path: string): string | undefined;
}

const MOST_SYMBOLS = 12;
const MOST_EACH = 5;
const MOST_TESTS = 3;
const TEST_DEPTH = 3;
/** Kept for what is said beside the symbols themselves. */
const MARGIN = 260;

/** The code that words are about, with what is around it: symbols that fit them, best first, each whole or not at all. */
function askContext(reader: GraphReader, query: string, options: ContextOptions): ContextAnswer {
  const { items } = rankSymbols(reader, query, { limit: 3 * MOST_SYMBOLS });
  const found = items.filter(({ symbol }) => symbol.kind !== 'module' && !symbol.isLocal);
  const symbols = withoutInner(
    reader,
    found.map(({ symbol }) => symbol),
  );
  return contextOf(reader, { query, unclear: [] }, symbols, options);
}

function contextOf(
  reader: GraphReader,
  asked: Pick<ContextAnswer, 'query' | 'symbols' | 'unclear'>,
  symbols: readonly SymbolEntry[],
  { maxChars, read }: ContextOptions,
): ContextAnswer {
  const blocks: ContextBlock[] = [];
  const leftOut: { symbol: ReturnType<typeof mention>; chars: number }[] = [];
  let room = maxChars - MARGIN;
  for (const symbol of symbols.slice(0, MOST_SYMBOLS)) {
    const block = blockOf(reader, symbol, read);
    const chars = blockText(block).length + 2;
    if (chars <= room) {
      blocks.push(block);
      room -= chars;
    } else leftOut.push({ symbol: mention(symbol), chars });
  }
  return { is: 'context', ...asked, blocks, leftOut };
}

/** A method of a class that is shown anyway would be shown twice. */
function withoutInner(reader: GraphReader, symbols: readonly SymbolEntry[]): SymbolEntry[] {
  const shown = new Set<number>();
  return symbols.filter(({ id, container }) => {
    for (let outer = container; outer !== undefined; outer = reader.symbol(outer).container)
      if (shown.has(outer)) return false;
    shown.add(id);
    return true;
  });
}

function blockOf(reader: GraphReader, symbol: SymbolEntry, read: ContextOptions['read']): ContextBlock {
  const family = familyOf(reader, symbol.id);
  const incoming = edgesOf(reader, family, 'callers');
  const outgoing = edgesOf(reader, family, 'callees');
  const callers = groupLinks(reader, family, incoming.calls);
  const { tests, overrides, implementations } = askImpact(reader, symbol.id, {
    depth: TEST_DEPTH,
    maxNodes: MOST_TESTS,
  });
  const lines = read(symbol.path)?.split(/\r\n|\n|\r/) ?? [];
  return {
    symbol: describeSymbol(reader, symbol.id),
    firstLine: symbol.firstLine,
    source: lines.slice(symbol.firstLine - 1, symbol.lastLine),
    callers: show(callers, MOST_EACH),
    callees: show(groupLinks(reader, family, outgoing.calls), MOST_EACH),
    calleeDoubt: doubtOf(reader, family, outgoing),
    tests,
    overrides,
    ...(implementations && { implementations }),
    ...doubtOf(reader, family, incoming),
  };
}

interface CallsOptions {
  readonly limit: number;
  readonly possible?: boolean | undefined;
  readonly others?: readonly number[] | undefined;
}

/** Possible callers that are listed unasked. */
const FEW = 5;

/** Who calls a symbol, or what it calls, with every place. */
function askCalls(reader: GraphReader, id: number, is: Direction, options: CallsOptions): CallsAnswer {
  const { limit, possible = false, others = [] } = options;
  const family = familyOf(reader, id);
  const edges = edgesOf(reader, family, is);
  const calls = groupLinks(reader, family, edges.calls);
  const uses = is === 'callers' ? usesApart(reader, family, edges.uses) : edges.uses;
  return {
    is,
    symbol: describeSymbol(reader, id),
    others: others.map((other) => mention(reader.symbol(other))),
    calls: show(calls, limit),
    sites: calls.reduce((sum, { links }) => sum + links.length, 0),
    uses: show(groupLinks(reader, family, uses), Math.ceil(limit / USES_SHARE)),
    ...doubtOf(reader, family, edges),
    ...(possible || (is === 'callers' && edges.maybe.length > 0)
      ? { maybe: show(groupLinks(reader, family, edges.maybe), possible ? limit : Math.min(limit, FEW)) }
      : {}),
    ...(is === 'callers'
      ? dispatchOf(reader, family, limit)
      : endsOf(
          reader,
          edges.calls.map(({ symbol }) => symbol),
          limit,
        )),
    namesakes: is === 'callers' ? namesakesOf(reader, family, calls.length) : [],
  };
}

/** A question to the graph, from the command line or from a tool. */
export type Ask =
  | {
      readonly action: 'search';
      readonly query: string;
      readonly kinds?: readonly (DefinitionKind | 'module')[] | undefined;
      readonly limit?: number | undefined;
    }
  | ({
      readonly action: Direction;
      readonly symbol: string;
      readonly limit?: number | undefined;
      readonly possible?: boolean | undefined;
    } & NamingOptions)
  | ({
      readonly action: 'impact';
      readonly symbol: string;
      readonly depth?: number | undefined;
      readonly maxNodes?: number | undefined;
    } & NamingOptions)
  | {
      readonly action: 'context';
      readonly query?: string | undefined;
      readonly symbols?: readonly string[] | undefined;
      readonly maxChars: number;
    }
  | ({ readonly action: 'files'; readonly limit?: number | undefined } & Omit<FilesOptions, 'limit'>);

export const MOST_DEPTH = 5;
const DEFAULTS = { search: 10, calls: 20, depth: 2, maxNodes: 20, files: 200, choice: 20 } as const;

/** `read` gives the text of a file below the root as it is now. */
export function askGraph(reader: GraphReader, ask: Ask, read: (path: string) => string | undefined): Answer {
  switch (ask.action) {
    case 'search':
      return searchSymbols(reader, ask.query, { kinds: ask.kinds, limit: ask.limit ?? DEFAULTS.search });
    case 'callers':
    case 'callees':
      return about(reader, ask.symbol, ask, (id, others) =>
        askCalls(reader, id, ask.action, { limit: ask.limit ?? DEFAULTS.calls, possible: ask.possible, others }),
      );
    case 'impact':
      return about(reader, ask.symbol, ask, (id, others) =>
        askImpact(reader, id, {
          depth: Math.min(MOST_DEPTH, Math.max(1, ask.depth ?? DEFAULTS.depth)),
          maxNodes: ask.maxNodes ?? DEFAULTS.maxNodes,
          others,
        }),
      );
    case 'context':
      return askForContext(reader, ask, read);
    case 'files':
      return listFiles(reader, { ...ask, limit: ask.limit ?? DEFAULTS.files });
  }
}

function askForContext(
  reader: GraphReader,
  { query = '', symbols = [], maxChars }: Extract<Ask, { action: 'context' }>,
  read: (path: string) => string | undefined,
): Answer {
  if (symbols.length === 0) return askContext(reader, query, { maxChars, read });
  const found: SymbolEntry[] = [];
  const unclear: (ChoiceAnswer | MissingAnswer)[] = [];
  for (const wanted of symbols) {
    const answer = about(reader, wanted, {}, (id) => reader.symbol(id));
    if (!('is' in answer)) found.push(answer);
    else unclear.push(answer);
  }
  return contextOf(reader, { query: symbols.join(', '), symbols, unclear }, found, { maxChars, read });
}

function about<Found>(
  reader: GraphReader,
  wanted: string,
  options: NamingOptions,
  answer: (id: number, others: readonly number[]) => Found,
): Found | ChoiceAnswer | MissingAnswer {
  const naming = nameSymbol(reader, wanted, options);
  if (naming.is === 'one') return answer(naming.id, naming.others);
  if (naming.is === 'several')
    return {
      is: 'choice',
      wanted,
      candidates: {
        total: naming.ids.length,
        items: naming.ids.slice(0, DEFAULTS.choice).map((id) => describeSymbol(reader, id)),
      },
    };
  return {
    is: 'missing',
    wanted,
    ...(options.file === undefined ? {} : { file: options.file }),
    similar: naming.similar.map((id) => mention(reader.symbol(id))),
    unresolved: reader.unresolved(wanted),
  };
}
