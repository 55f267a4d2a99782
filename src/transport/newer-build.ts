interface Stamp {
  readonly version: readonly number[];
  readonly builtAt: number;
  readonly sources: string;
}

/** Whether a build replaces another: made of other sources, and of a later version or, within one version, later. */
export function isNewer(theirs: string, ours: string): boolean {
  if (theirs === ours) return false;
  const [a, b] = [parse(theirs), parse(ours)];
  if (!a || !b || a.sources === b.sources) return false;
  for (const [at, part] of a.version.entries()) {
    const other = b.version[at] ?? 0;
    if (part !== other) return part > other;
  }
  return a.builtAt > b.builtAt;
}

function parse(stamp: string): Stamp | undefined {
  const found = /^(\d+(?:\.\d+)*)[^+]*\+(\d+)\.(\w+)$/.exec(stamp);
  const [, version = '', builtAt = '', sources = ''] = found ?? [];
  return found ? { version: version.split('.').map(Number), builtAt: Number(builtAt), sources } : undefined;
}
