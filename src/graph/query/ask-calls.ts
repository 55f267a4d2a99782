import type { CallsAnswer } from './answer.ts';
import { dispatchOf, endsOf, namesakesOf, usesApart } from './called-as.ts';
import { doubtOf, edgesOf, groupLinks, show, USES_SHARE } from './calls.ts';
import type { Direction } from './calls.ts';
import { describeSymbol, mention } from './describe-symbol.ts';
import { familyOf } from './family.ts';
import type { GraphReader } from './graph-reader.ts';

export interface CallsOptions {
  readonly limit: number;
  readonly possible?: boolean | undefined;
  readonly others?: readonly number[] | undefined;
}

/** Possible callers that are listed unasked. */
const FEW = 5;

/** Who calls a symbol, or what it calls, with every place. */
export function askCalls(reader: GraphReader, id: number, is: Direction, options: CallsOptions): CallsAnswer {
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
