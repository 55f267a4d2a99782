const PLACES = {
  production: 'in production',
  test: 'in tests',
  sample: 'in samples and docs',
  generated: 'in generated code',
  vendored: 'in vendored code',
} as const;

type Counts = Readonly<Partial<Record<keyof typeof PLACES, number>>>;

/** `12 callers in production, 30 in tests`: every number says of what it is. Without a noun the first has none. */
export function byRole(counts: Counts, nouns?: readonly [one: string, many: string]): string {
  const parts = (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((role) => {
    const count = counts[role] ?? 0;
    return count > 0 ? [{ count, place: PLACES[role] }] : [];
  });
  return parts
    .map(({ count, place }, at) => {
      const noun = at > 0 || nouns === undefined ? '' : ` ${count === 1 ? nouns[0] : nouns[1]}`;
      return `${count}${noun} ${place}`;
    })
    .join(', ');
}
