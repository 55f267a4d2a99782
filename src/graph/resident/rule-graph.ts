import type { CodeLocation, RuleGraph, RuleSymbol } from '../../engine/rule.ts';
import { createImpactOf, locationOf } from '../query/card-facts.ts';
import { definitionOf } from '../query/declared.ts';
import { counts, isCall } from '../query/family.ts';
import { likelyFiles } from '../query/likely-files.ts';
import type { GraphReader } from '../query/graph-reader.ts';

/** Callers beyond this many are counted in a note, never listed. */
const MAX_CALLERS = 500;

/** How far a graph is behind what is known to have changed. */
export interface Currency {
  isCurrent(): boolean;
  /** Only some files of the root are in it. */
  hasPartialScope?(): boolean;
  whenCurrent: RuleGraph['whenCurrent'];
  recheck?: RuleGraph['recheck'];
}

/** What rules see of an open graph. */
export function createRuleGraph(reader: GraphReader, currency: Currency): RuleGraph {
  const { root } = reader;
  const impactOf = createImpactOf(reader);
  return {
    get state() {
      return currency.isCurrent() ? 'stable' : 'initialised';
    },
    get hasPartialScope() {
      return currency.hasPartialScope?.() === true;
    },
    symbol(name) {
      const known = reader.named(name).filter((each) => !reader.symbol(each).isLocal);
      const [id, ...more] = new Set(known.map((each) => definitionOf(reader, each)));
      return id === undefined || more.length > 0 ? undefined : describe(reader, id);
    },
    impactOf(path, lines) {
      return path.startsWith(`${root}/`) ? impactOf(path.slice(root.length + 1), lines) : undefined;
    },
    isTest: (path) =>
      path.startsWith(`${root}/`) && reader.file(path.slice(root.length + 1))?.flags.includes('test') === true,
    filesBelow(dir, max) {
      if (dir !== root && !dir.startsWith(`${root}/`)) return [];
      return likelyFiles(reader, dir.slice(root.length + 1), max).map((below) => `${root}/${below}`);
    },
    whenCurrent: currency.whenCurrent,
    recheck: (path) => currency.recheck?.(path),
  };
}

function describe(reader: GraphReader, id: number): RuleSymbol {
  const symbol = reader.symbol(id);
  const seen = new Set<number>();
  const callers: CodeLocation[] = [];
  for (const link of reader.incoming(id)) {
    if (!isCall(link.kind) || !counts(link) || seen.has(link.symbol)) continue;
    seen.add(link.symbol);
    callers.push({ name: reader.symbol(link.symbol).name, ...locationOf(reader, link) });
    if (callers.length === MAX_CALLERS) break;
  }
  return { name: symbol.name, ...locationOf(reader, symbol), callers };
}
