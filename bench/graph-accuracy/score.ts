import { CONFIDENCE, COUNTS_FROM } from '../../src/graph/graph.fixture.ts';
import type { Why } from '../../src/graph/graph.fixture.ts';

/** Lines and columns count from 0, columns in UTF-16 units, at the start of a name. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * `edge`: leads to a definition of the corpus. `local`: to a parameter, a local variable or a member of an unnamed object,
 * where no edge is expected and one is right only if it leads to `targets`. `outside`: out of the corpus. `unresolved`:
 * the judge does not know.
 */
export type Verdict = 'edge' | 'local' | 'outside' | 'unresolved';

/** A call as the judge sees it. All targets are equally right: overloads, merged declarations, a class and its constructor. */
export interface Site extends Place {
  readonly kind: 'call' | 'new' | 'decorator';
  readonly name: string;
  readonly verdict: Verdict;
  readonly targets: readonly Target[];
}

export interface Target extends Place {
  readonly kind: string;
}

/** A member that others may stand in for, and those of the corpus that do, as the judge sees it. */
export interface Member extends Place {
  readonly name: string;
  readonly targets: readonly Target[];
}

/** An edge of ours: where it stands and where the name of what it leads to stands. */
export interface Found extends Place {
  readonly target: Place;
  readonly why: Why;
}

export interface Judged {
  readonly why: Why;
  edges: number;
  right: number;
}

export interface Score {
  readonly sites: number;
  /** Calls the judge does not know the target of: they count neither way. */
  readonly unresolved: number;
  /** Calls that lead to a definition of the corpus. */
  readonly expected: number;
  /** Our edges that count and that the judge could judge. */
  readonly ours: number;
  readonly right: number;
  /** Of the expected ones: found by an edge that counts, and by any. */
  readonly found: number;
  readonly foundAtAll: number;
  readonly byWhy: readonly Judged[];
  readonly missed: readonly Miss[];
  readonly wrong: readonly Miss[];
}

export interface Miss {
  readonly site: Place & { readonly name: string };
  readonly kind: string;
  readonly expected: readonly Target[];
  readonly got: readonly Found[];
}

export function score(sites: readonly Site[], found: readonly Found[]): Score {
  const bySite = new Map<string, Found[]>();
  for (const edge of found) addTo(bySite, placeKey(edge), edge);
  const byWhy = new Map<Why, Judged>();
  const missed: Miss[] = [];
  const wrong: Miss[] = [];
  let [calls, unresolved, expected, ours, right, hit, hitAtAll] = [0, 0, 0, 0, 0, 0, 0];

  for (const site of sites) {
    const edges = bySite.get(placeKey(site)) ?? [];
    bySite.delete(placeKey(site));
    // A decorator that is only named is a call in effect, but no call site.
    const isCall = site.kind !== 'decorator';
    if (isCall) calls++;
    if (site.verdict === 'unresolved') {
      if (isCall) unresolved++;
      continue;
    }
    for (const edge of edges) {
      const isRight = isAmong(edge.target, site.targets);
      judge(byWhy, edge.why, isRight);
      if (CONFIDENCE[edge.why] < COUNTS_FROM) continue;
      ours++;
      if (isRight) right++;
      else wrong.push({ site, kind: `${edge.why}: ${reasonOf(site)}`, expected: site.targets, got: [edge] });
    }
    if (site.verdict !== 'edge' || !isCall) continue;
    expected++;
    const matching = edges.filter(({ target }) => isAmong(target, site.targets));
    if (matching.length > 0) hitAtAll++;
    if (matching.some(({ why }) => CONFIDENCE[why] >= COUNTS_FROM)) hit++;
    else missed.push({ site, kind: missKind(site, edges), expected: site.targets, got: edges });
  }
  // What is left stands where the judge sees no call.
  for (const edges of bySite.values()) {
    for (const edge of edges) {
      judge(byWhy, edge.why, false);
      if (CONFIDENCE[edge.why] < COUNTS_FROM) continue;
      ours++;
      const site = { file: edge.file, line: edge.line, column: edge.column, name: '' };
      wrong.push({ site, kind: `${edge.why}: no call here`, expected: [], got: [edge] });
    }
  }
  return {
    sites: calls,
    unresolved,
    expected,
    ours,
    right,
    found: hit,
    foundAtAll: hitAtAll,
    byWhy: inOrder(byWhy),
    missed,
    wrong,
  };
}

export function addScores(scores: readonly Score[]): Score {
  const byWhy = new Map<Why, Judged>();
  for (const part of scores.flatMap((one) => one.byWhy)) {
    const sum = byWhy.get(part.why) ?? { why: part.why, edges: 0, right: 0 };
    sum.edges += part.edges;
    sum.right += part.right;
    byWhy.set(part.why, sum);
  }
  const sum = (pick: (one: Score) => number) => scores.reduce((total, one) => total + pick(one), 0);
  return {
    sites: sum((one) => one.sites),
    unresolved: sum((one) => one.unresolved),
    expected: sum((one) => one.expected),
    ours: sum((one) => one.ours),
    right: sum((one) => one.right),
    found: sum((one) => one.found),
    foundAtAll: sum((one) => one.foundAtAll),
    byWhy: inOrder(byWhy),
    missed: [],
    wrong: [],
  };
}

export function placeKey({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** By line: a name is where both sides put it, but a judge may point at the start of a declaration. */
function isAmong(place: Place, targets: readonly Place[]): boolean {
  return targets.some(({ file, line }) => file === place.file && line === place.line);
}

function judge(byWhy: Map<Why, Judged>, why: Why, isRight: boolean): void {
  const sum = byWhy.get(why) ?? { why, edges: 0, right: 0 };
  sum.edges++;
  if (isRight) sum.right++;
  byWhy.set(why, sum);
}

function inOrder(byWhy: ReadonlyMap<Why, Judged>): Judged[] {
  return [...byWhy.values()].sort((a, b) => CONFIDENCE[b.why] - CONFIDENCE[a.why]);
}

function reasonOf(site: Site): string {
  if (site.verdict === 'edge') return `another ${site.targets[0]?.kind ?? ''}`.trimEnd();
  return site.verdict === 'outside' ? 'leads outside' : 'a local value';
}

function missKind(site: Site, edges: readonly Found[]): string {
  const kind = site.targets[0]?.kind ?? '';
  if (edges.some(({ target }) => isAmong(target, site.targets))) {
    return `${kind}: only ${edges.map(({ why }) => why)[0] ?? ''}`;
  }
  return edges.length > 0 ? `${kind}: led elsewhere` : `${kind}: no edge`;
}

function addTo<T>(map: Map<string, T[]>, key: string, entry: T): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}
