import type { ImpactAnswer, Mention } from './answer.ts';
import { byText } from './best-symbol.ts';
import { doubtOf, edgesOf, groupLinks, onePerPlace, show, sortGroups, USES_SHARE } from './calls.ts';
import { dispatchOf, namesakesOf, usesApart } from './called-as.ts';
import { describeSymbol, mention } from './describe-symbol.ts';
import { callsThrough, standsFor } from './dispatch.ts';
import { callsInto, familyOf, lifted } from './family.ts';
import type { Family } from './family.ts';
import type { GraphReader, Link } from './graph-reader.ts';

export interface ImpactOptions {
  /** How many calls away, from 1 to 5. */
  readonly depth: number;
  /** Callers that are named, over all distances; callees likewise. */
  readonly maxNodes: number;
  readonly others?: readonly number[] | undefined;
}

/** What half the project depends on is not followed to its end. */
const MOST_SYMBOLS = 2_000;
const MOST_LINKS = 20_000;

/** What a change to a symbol may touch: who calls it, who calls those, and which tests are among them. */
export function askImpact(reader: GraphReader, id: number, options: ImpactOptions): ImpactAnswer {
  const { depth, maxNodes, others = [] } = options;
  const family = familyOf(reader, id);
  const { reached, complete } = walkUp(reader, family, depth);
  const levels = levelsOf(reader, family, reached);
  const incoming = edgesOf(reader, family, 'callers');
  const outgoing = edgesOf(reader, family, 'callees');
  const tests = [...reached.keys()].filter((each) => reader.symbol(each).role === 'test');
  let room = maxNodes;
  return {
    is: 'impact',
    symbol: describeSymbol(reader, id),
    others: others.map((other) => mention(reader.symbol(other))),
    depth,
    levels: levels.map((groups, at) => {
      const callers = show(groups, room);
      room -= callers.items.length;
      return { distance: at + 1, callers };
    }),
    callees: show(groupLinks(reader, family, outgoing.calls), maxNodes),
    calleeDoubt: doubtOf(reader, family, outgoing),
    uses: show(groupLinks(reader, family, usesApart(reader, family, incoming.uses)), Math.ceil(maxNodes / USES_SHARE)),
    files: filesOf(reader, family, reached, maxNodes),
    tests: testsOf(reader, tests, maxNodes),
    ...doubtOf(reader, family, incoming),
    ...dispatchOf(reader, family, maxNodes),
    ...shownBeyond(reader, family, walkBeyond(reader, family, reached, depth), maxNodes),
    namesakes: namesakesOf(reader, family, reached.size),
    complete,
  };
}

interface Reached {
  readonly distance: number;
  readonly links: Link[];
}

/** Callers by their least distance; cycles end where they meet what is known. */
function walkUp(
  reader: GraphReader,
  { ids }: Family,
  depth: number,
): { readonly reached: ReadonlyMap<number, Reached>; readonly complete: boolean } {
  const reached = new Map<number, Reached>();
  let links = 0;
  let level: Iterable<number> = ids;
  for (let distance = 1; distance <= depth; distance += 1) {
    const next: number[] = [];
    for (const id of level) {
      for (const link of callsInto(reader, id)) {
        links += 1;
        if (ids.has(link.symbol)) continue;
        const known = reached.get(link.symbol);
        if (known === undefined) {
          if (reached.size >= MOST_SYMBOLS) return { reached, complete: false };
          reached.set(link.symbol, { distance, links: [link] });
          next.push(link.symbol);
        } else if (known.distance === distance) known.links.push(link);
      }
      if (links > MOST_LINKS) return { reached, complete: false };
    }
    if (next.length === 0) break;
    level = next;
  }
  return { reached, complete: true };
}

/** Of more that is reached through other members, the first so many count. */
const MOST_BEYOND = 500;

/** What the same walk reaches when it also follows calls of members that those on the way stand in for. */
function walkBeyond(
  reader: GraphReader,
  { ids }: Family,
  certain: ReadonlyMap<number, Reached>,
  depth: number,
): ReadonlyMap<number, Reached> {
  const beyond = new Map<number, Reached>();
  const levels: number[][] = [[...ids]];
  for (const [id, { distance }] of certain) (levels[distance] ??= []).push(id);
  for (let distance = 1; distance <= depth; distance += 1) {
    for (const id of levels[distance - 1] ?? []) {
      const links: Link[] = standsFor(reader, id).flatMap((member) => callsThrough(reader, member, id));
      if (beyond.has(id)) links.push(...callsInto(reader, id));
      for (const link of links) {
        if (ids.has(link.symbol) || certain.has(link.symbol)) continue;
        const known = beyond.get(link.symbol);
        if (known === undefined) {
          if (beyond.size >= MOST_BEYOND) return beyond;
          beyond.set(link.symbol, { distance, links: [link] });
          (levels[distance] ??= []).push(link.symbol);
        } else if (known.distance === distance) known.links.push(link);
      }
    }
  }
  return beyond;
}

function shownBeyond(reader: GraphReader, family: Family, beyond: ReadonlyMap<number, Reached>, limit: number) {
  if (beyond.size === 0) return {};
  const groups = levelsOf(reader, family, beyond).flat();
  const tests = [...beyond.keys()].filter((each) => reader.symbol(each).role === 'test');
  const files = new Set([...beyond.keys()].map((each) => reader.symbol(each).path)).size;
  const callers = show(groups, Math.ceil(limit / USES_SHARE));
  return { dispatched: { callers, tests: testsOf(reader, tests, limit), files } };
}

function levelsOf(reader: GraphReader, family: Family, reached: ReadonlyMap<number, Reached>) {
  const nearest = new Map<number, Reached>();
  for (const [id, { distance, links }] of reached) {
    const other = lifted(reader, id, family.level);
    const known = nearest.get(other);
    // Those that were reached first come first, so that what is known is never farther.
    if (known === undefined) nearest.set(other, { distance, links: [...links] });
    else if (known.distance === distance) for (const link of links) known.links.push(link);
  }
  const levels: { symbol: ReturnType<GraphReader['symbol']>; links: readonly Link[] }[][] = [];
  for (const [id, { distance, links }] of nearest)
    (levels[distance - 1] ??= []).push({ symbol: reader.symbol(id), links: onePerPlace(links) });
  const { path } = reader.symbol(family.head);
  // A distance may have no caller of its own, where all of them belong to something nearer.
  return Array.from(levels.keys(), (at) => sortGroups(levels[at] ?? [], path));
}

function filesOf(reader: GraphReader, family: Family, reached: ReadonlyMap<number, Reached>, limit: number) {
  const counted = new Map<string, number>([[reader.symbol(family.head).path, 1]]);
  for (const id of reached.keys()) {
    const { path } = reader.symbol(id);
    counted.set(path, (counted.get(path) ?? 0) + 1);
  }
  const files = [...counted].map(([path, symbols]) => ({ path, symbols }));
  files.sort((a, b) => b.symbols - a.symbols || byText(a.path, b.path));
  return { total: files.length, items: files.slice(0, limit) };
}

function testsOf(reader: GraphReader, ids: readonly number[], limit: number) {
  const tests: Mention[] = ids.map((id) => mention(reader.symbol(id))).sort((a, b) => byText(a.key, b.key));
  return { total: tests.length, items: tests.slice(0, limit) };
}
