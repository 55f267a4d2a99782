/** Longer than tabs take to ask after the same news; what else may have changed meanwhile is shown so much later. */
const KEPT_MS = 1_000;

interface Kept {
  readonly at: number;
  readonly newest: number;
  readonly answer: Promise<unknown>;
}

/** One answer for all tabs that ask for the same after the same news. */
export function createSharedAnswers(
  newest: () => number,
  now: () => number,
): (question: string, find: () => Promise<unknown>) => Promise<unknown> {
  const kept = new Map<string, Kept>();
  return (question, find) => {
    const [at, row] = [now(), newest()];
    for (const [other, { at: then }] of kept) if (at - then >= KEPT_MS) kept.delete(other);
    const known = kept.get(question);
    if (known?.newest === row) return known.answer;
    const answer = find();
    kept.set(question, { at, newest: row, answer });
    // What failed is tried again.
    answer.catch(() => kept.get(question)?.answer === answer && kept.delete(question));
    return answer;
  };
}
