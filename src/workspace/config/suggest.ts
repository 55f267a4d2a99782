/** The known word that `word` most likely was meant to be. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly word: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = countEdits(word.toLowerCase(), candidate.toLowerCase());
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { word: candidate, edits };
  }
  return best?.word;
}

export function didYouMean(word: string, known: readonly string[]): string {
  const found = suggest(word, known);
  return found === undefined ? '' : `; did you mean "${found}"?`;
}

/** Insertions, deletions, replacements and swapped neighbours; long words are never compared, they are no typos. */
function countEdits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(before, j - 2) + 1);
      row.push(edits);
    }
    before = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
