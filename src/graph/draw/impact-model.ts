import { sha256 } from '../../platform/hash.ts';
import { basename } from '../../platform/paths.ts';
import { doubtOf, edgesOf, groupLinks } from '../query/calls.ts';
import type { Direction, Group } from '../query/calls.ts';
import { nameOf } from '../query/describe-symbol.ts';
import { dispatchedTo } from '../query/dispatch.ts';
import { familyOf } from '../query/family.ts';
import type { Family } from '../query/family.ts';
import type { GraphReader, SymbolEntry } from '../query/graph-reader.ts';
import { askImpact } from '../query/impact.ts';
import { byText } from '../query/best-symbol.ts';

/** All that an impact picture shows, and nothing else: the same model is the same picture. */
export interface ImpactModel {
  readonly key: string;
  readonly name: string;
  readonly kind: SymbolEntry['kind'];
  readonly signature: string;
  readonly path: string;
  readonly line: number;
  readonly callers: ImpactSide;
  readonly callees: ImpactSide;
  /** Files that they call from; of a class or module, more than there are callers where those have several. */
  readonly callerFiles: number;
  /** Within two calls. */
  readonly files: number;
  readonly tests: number;
}

export interface ImpactSide {
  /** Distinct symbols; how many more are possible is not part of it. */
  readonly total: number;
  readonly possible: number;
  /** Distinct symbols that call other members for which this may stand in; where there are any. */
  readonly dispatched?: number;
  /** Sites that led nowhere: of this name for callers, in this file for callees. */
  readonly unresolved: number;
  readonly items: readonly ImpactItem[];
}

export interface ImpactItem {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  /** Of a caller, where it calls first; of a callee, where it is defined. */
  readonly line: number;
  readonly sites: number;
  readonly isTest: boolean;
  readonly isPossible: boolean;
  /** The member that it calls, for which what is shown may stand in. */
  readonly through?: string;
}

export const MOST_ITEMS = 8;
const DEPTH = 2;

export function impactModel(reader: GraphReader, id: number): ImpactModel {
  const symbol = reader.symbol(id);
  const { signature, kind, path, line, key } = symbol;
  const family = familyOf(reader, id);
  const { files, tests } = askImpact(reader, id, { depth: DEPTH, maxNodes: 0 });
  const callers = edgesOf(reader, family, 'callers');
  return {
    key,
    name: nameOf(symbol),
    kind,
    signature,
    path,
    line,
    callers: sideOf(reader, family, 'callers'),
    callees: sideOf(reader, family, 'callees'),
    callerFiles: new Set(callers.calls.map((link) => reader.symbol(link.symbol).path)).size,
    files: files.total,
    tests: tests.total,
  };
}

/** What is certain comes first; of what is possible, only those that are not certain as well. */
function sideOf(reader: GraphReader, family: Family, direction: Direction): ImpactSide {
  const edges = edgesOf(reader, family, direction);
  const certain = groupLinks(reader, family, edges.calls);
  const known = new Set(certain.map(({ symbol }) => symbol.id));
  const through = (direction === 'callers' ? throughOthers(reader, family) : []).filter(({ id }) => !known.has(id));
  for (const { id } of through) known.add(id);
  const possible = groupLinks(reader, family, edges.maybe).filter(({ symbol }) => !known.has(symbol.id));
  const items = [
    ...certain.slice(0, MOST_ITEMS).map((each) => itemOf(each, direction, false)),
    ...through.map(({ item }) => item),
    ...possible.map((each) => itemOf(each, direction, true)),
  ].slice(0, MOST_ITEMS);
  const { unresolved } = doubtOf(reader, family, edges);
  const dispatched = through.length === 0 ? {} : { dispatched: through.length };
  return { total: certain.length, possible: possible.length, ...dispatched, unresolved, items };
}

/** Callers of the members that it may be called as, each once. */
function throughOthers(reader: GraphReader, family: Family) {
  const found = new Map<number, { readonly id: number; readonly item: ImpactItem }>();
  for (const [member, links] of dispatchedTo(reader, family)) {
    const name = nameOf(reader.symbol(member));
    for (const group of groupLinks(reader, family, links)) {
      const { id } = group.symbol;
      if (!found.has(id)) found.set(id, { id, item: { ...itemOf(group, 'callers', true), through: name } });
    }
  }
  return [...found.values()];
}

function itemOf({ symbol, links }: Group, direction: Direction, isPossible: boolean): ImpactItem {
  const [first] = [...links].sort((a, b) => byText(a.path, b.path) || a.line - b.line);
  const at = direction === 'callers' && first !== undefined ? first : symbol;
  return {
    key: symbol.key,
    name: symbol.kind === 'module' ? basename(symbol.path) : nameOf(symbol),
    path: at.path,
    line: at.line,
    sites: links.length,
    isTest: symbol.role === 'test',
    isPossible,
  };
}

export function digestOf(model: object): string {
  return sha256(JSON.stringify(model));
}

/** What is kept of it as evidence. */
export function impactCounts({ callers, callees, files, tests }: ImpactModel): Readonly<Record<string, number>> {
  return {
    callers: callers.total,
    callees: callees.total,
    files,
    tests,
    possible: callers.possible + callees.possible,
    unresolved: callers.unresolved,
  };
}
