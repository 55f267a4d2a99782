import type { Commit } from './objects.ts';

const WANTED = 1;
const UNWANTED = 2;
/** Reading a commit takes some ten microseconds. */
const MOST_COMMITS = 400;
/** So many are looked at when all seems to be known, for clocks that went backwards. */
const MOST_AFTER = 50;

/**
 * How many commits `from` leads to and none of `others` does; undefined when that takes too long or a commit is missing.
 * Newest first, as git does it: clocks that went backwards can make it too many, never too few.
 */
export function countOnly(
  commitOf: (sha: string) => Commit | undefined,
  from: string,
  others: readonly string[],
): number | undefined {
  if (others.includes(from)) return 0;
  const marks = new Map<string, number>();
  const queue: { readonly sha: string; readonly at: number }[] = [];
  let read = 0;
  const mark = (sha: string, flags: number): boolean => {
    const before = marks.get(sha) ?? 0;
    if ((before | flags) === before) return true;
    marks.set(sha, before | flags);
    const commit = commitOf(sha);
    if (!commit || (read += 1) > MOST_COMMITS) return false;
    queue.push({ sha, at: commit.at });
    return true;
  };
  if (!mark(from, WANTED)) return undefined;
  // A tag may lead to what is no commit.
  for (const sha of new Set(others)) if (commitOf(sha) && !mark(sha, UNWANTED)) return undefined;
  const isOpen = (): boolean => {
    let oldest = Infinity;
    for (const [sha, flags] of marks) if (flags === WANTED) oldest = Math.min(oldest, commitOf(sha)?.at ?? 0);
    // Whatever is as young as a commit that counts may still lead to it.
    return queue.some(({ sha, at }) => marks.get(sha) === WANTED || at >= oldest);
  };
  let after = 0;
  while (queue.length > 0) {
    if (!isOpen()) after += 1;
    if (after > MOST_AFTER) break;
    let newest = 0;
    for (let at = 1; at < queue.length; at += 1) if ((queue[at]?.at ?? 0) > (queue[newest]?.at ?? 0)) newest = at;
    const sha = queue.splice(newest, 1)[0]?.sha ?? '';
    for (const parent of commitOf(sha)?.parents ?? []) if (!mark(parent, marks.get(sha) ?? 0)) return undefined;
  }
  return [...marks.values()].filter((flags) => flags === WANTED).length;
}
