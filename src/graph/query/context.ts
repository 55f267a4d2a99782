import type { ContextAnswer, ContextBlock } from './answer.ts';
import { doubtOf, edgesOf, groupLinks, show } from './calls.ts';
import { describeSymbol, mention } from './describe-symbol.ts';
import { familyOf } from './family.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { askImpact } from './impact.ts';
import { blockText } from './render-context.ts';
import { rankSymbols } from './search.ts';

export interface ContextOptions {
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
export function askContext(reader: GraphReader, query: string, options: ContextOptions): ContextAnswer {
  const { items } = rankSymbols(reader, query, { limit: 3 * MOST_SYMBOLS });
  const found = items.filter(({ symbol }) => symbol.kind !== 'module' && !symbol.isLocal);
  const symbols = withoutInner(
    reader,
    found.map(({ symbol }) => symbol),
  );
  return contextOf(reader, { query, unclear: [] }, symbols, options);
}

export function contextOf(
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
