/** For each node the number of its strongly connected part; parts count from what is reached last. */
export function condense(count: number, targetsOf: (node: number) => readonly number[]): number[] {
  const part = Array.from({ length: count }, () => -1);
  const order = Array.from({ length: count }, () => -1);
  const low = Array.from({ length: count }, () => 0);
  const stack: number[] = [];
  let [next, parts] = [0, 0];
  for (let start = 0; start < count; start += 1) {
    if (order[start] !== -1) continue;
    // By hand instead of by calls: a chain of imports may be longer than the stack.
    const walk: { node: number; targets: readonly number[]; at: number }[] = [];
    enter(start);
    for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
      const target = top.targets[top.at];
      top.at += 1;
      if (target === undefined) leave(top.node);
      else if (order[target] === -1) enter(target);
      else if (part[target] === -1) low[top.node] = Math.min(low[top.node] as number, order[target] as number);
    }
    function enter(node: number): void {
      order[node] = low[node] = next;
      next += 1;
      stack.push(node);
      walk.push({ node, targets: targetsOf(node), at: 0 });
    }
    function leave(node: number): void {
      walk.pop();
      const above = walk.at(-1);
      if (above !== undefined) low[above.node] = Math.min(low[above.node] as number, low[node] as number);
      if (low[node] !== order[node]) return;
      let member: number | undefined;
      do {
        member = stack.pop() as number;
        part[member] = parts;
      } while (member !== node);
      parts += 1;
    }
  }
  return part;
}
