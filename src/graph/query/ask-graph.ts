import type { DefinitionKind } from '../model/facts.ts';
import type { Answer, ChoiceAnswer, MissingAnswer, CallsAnswer } from './answer.ts';
import type { Direction } from './calls.ts';
import { askContext, contextOf } from './context.ts';
import { describeSymbol, mention } from './describe-symbol.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { askImpact } from './impact.ts';
import { listFiles } from './list-files.ts';
import type { FilesOptions } from './list-files.ts';
import { nameSymbol } from './name-symbol.ts';
import type { NamingOptions } from './name-symbol.ts';
import { searchSymbols } from './search.ts';
import { dispatchOf, endsOf, namesakesOf, usesApart } from './called-as.ts';
import { doubtOf, edgesOf, groupLinks, show, USES_SHARE } from './calls.ts';
import { familyOf } from './family.ts';

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
