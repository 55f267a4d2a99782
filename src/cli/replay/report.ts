import type { LeftOut } from '../../replay/replay.ts';
import type { Difference, Tally } from '../../replay/tally.ts';

/** All that a replay found out. */
export interface Report {
  readonly tally: Tally;
  /** With other settings, and where they part. */
  readonly against?: Tally;
  readonly difference?: Difference;
  readonly rule: string | undefined;
  readonly leftOut: LeftOut;
  readonly failures: readonly string[];
}

/** As data, for programs. */
export function dataOf({ tally, against, difference, rule, leftOut, failures }: Report): unknown {
  return {
    ...tallyData(tally, rule),
    ...(against && { against: tallyData(against, rule) }),
    ...(difference && {
      difference: {
        events: difference.events,
        kinds: [...difference.kinds].map(([kind, { count, examples }]) => ({ kind, count, examples })),
      },
    }),
    leftOut,
    failures,
  };
}

function tallyData({ sessions, missing, rules, from, to, ...rest }: Tally, rule: string | undefined): object {
  const shown = [...rules].filter(([id]) => rule === undefined || id === rule);
  return {
    from: Number.isFinite(from) ? from : 0,
    to,
    sessions: sessions.size,
    ...rest,
    missing: Object.fromEntries(missing),
    rules: Object.fromEntries(shown),
  };
}
