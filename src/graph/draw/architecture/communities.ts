/** Both directions, once for each two; weights are counts. */
export interface Tie {
  readonly one: number;
  readonly other: number;
  readonly weight: number;
}

const MOST_ROUNDS = 12;

/**
 * Groups of nodes that have more to do with each other than with the rest: nodes move to the neighbour that raises the
 * modularity most, then groups are taken as nodes, until nothing moves. Ties in rank go to the lower number.
 */
export function findCommunities(count: number, ties: readonly Tie[]): number[] {
  let of = Array.from({ length: count }, (_, node) => node);
  let [nodes, between] = [count, ties];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const moved = moveNodes(nodes, between);
    const numbers = new Map<number, number>();
    for (const community of moved) if (!numbers.has(community)) numbers.set(community, numbers.size);
    const compact = moved.map((community) => numbers.get(community) as number);
    of = of.map((node) => compact[node] as number);
    if (numbers.size === nodes) break;
    between = mergeTies(between, compact, numbers.size);
    nodes = numbers.size;
  }
  return of;
}

function moveNodes(count: number, ties: readonly Tie[]): number[] {
  const neighbours = Array.from({ length: count }, () => [] as (readonly [node: number, weight: number])[]);
  const degree = Array.from({ length: count }, () => 0);
  let total = 0;
  for (const { one, other, weight } of ties) {
    degree[one] = (degree[one] as number) + weight;
    degree[other] = (degree[other] as number) + weight;
    total += 2 * weight;
    if (one === other) continue;
    neighbours[one]?.push([other, weight]);
    neighbours[other]?.push([one, weight]);
  }
  const of = Array.from({ length: count }, (_, node) => node);
  const sum = [...degree];
  for (let round = 0, moves = 1; round < MOST_ROUNDS && moves > 0; round += 1) {
    moves = 0;
    for (let node = 0; node < count; node += 1) {
      const [own, weightOfNode] = [of[node] as number, degree[node] as number];
      const towards = new Map<number, number>();
      for (const [neighbour, weight] of neighbours[node] ?? []) {
        const community = of[neighbour] as number;
        towards.set(community, (towards.get(community) ?? 0) + weight);
      }
      sum[own] = (sum[own] as number) - weightOfNode;
      const gain = (community: number): number =>
        (towards.get(community) ?? 0) * total - (sum[community] as number) * weightOfNode;
      let best = own;
      for (const community of towards.keys()) {
        const more = gain(community) - gain(best);
        if (more > 0 || (more === 0 && community < best && best !== own)) best = community;
      }
      sum[best] = (sum[best] as number) + weightOfNode;
      if (best === own) continue;
      of[node] = best;
      moves += 1;
    }
  }
  return of;
}

function mergeTies(ties: readonly Tie[], of: readonly number[], count: number): Tie[] {
  const weights = new Map<number, number>();
  for (const { one, other, weight } of ties) {
    const [a, b] = [of[one] as number, of[other] as number];
    const key = Math.min(a, b) * count + Math.max(a, b);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  return [...weights].map(([key, weight]) => ({ one: Math.floor(key / count), other: key % count, weight }));
}
