/** Figures over their limit; a figure without a limit is over it. `limits` and `figures`: name → number. */
export function findRisen(limits, figures) {
  return Object.entries(figures)
    .filter(([name, figure]) => figure > (limits[name] ?? 0))
    .map(([name, figure]) => ({ name, figure, limit: limits[name] ?? 0 }));
}

export function findFallen(limits, figures) {
  return Object.entries(figures)
    .filter(([name, figure]) => figure < (limits[name] ?? 0))
    .map(([name, figure]) => ({ name, figure, limit: limits[name] }));
}

/** The kept limits with what fell. A room that is gone has none. */
export function lower(kept, figures) {
  const fallen = findFallen(kept.limits, figures).map(({ name, figure }) => [name, figure]);
  return { ...kept, limits: { ...kept.limits, ...Object.fromEntries(fallen) } };
}

/** `asked`: `core=+300`, by so much, or `core.bytes=512000`, to so much. Throws a sentence for what cannot be. */
export function raise(kept, asked, why) {
  if (!why?.trim()) throw new Error('say why: --why "…"');
  const limits = { ...kept.limits };
  let raised = [...(kept.raised ?? [])];
  for (const each of asked) {
    const { name, plus, number } = /^(?<name>[^=]+)=(?<plus>\+?)(?<number>\d+)$/.exec(each)?.groups ?? {};
    if (!(name in limits))
      throw new Error(`no figure in "${each}": FIGURE=NUMBER, of ${Object.keys(limits).join(', ')}`);
    const by = plus ? Number(number) : Number(number) - limits[name];
    if (by <= 0) throw new Error(`${name} may be ${limits[name]} already; FIGURE=+NUMBER adds`);
    limits[name] += by;
    const earlier = raised.find((entry) => entry.figure === name && entry.why === why);
    raised = [...raised.filter((entry) => entry !== earlier), { figure: name, by: by + (earlier?.by ?? 0), why }];
  }
  return { ...kept, limits, raised };
}
