/** The candidate that a mistyped word most likely means, or undefined when none is close. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const allowed = word.length < 5 ? 1 : 2;
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** `; did you mean …?`, or nothing. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = nearestWord(word, candidates);
  return near === undefined ? '' : `; did you mean \`${near}\`?`;
}

/** Counts insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] as number;
}
