/** A record about the chain itself. It comes first in the next request, and takes a number as decisions do. */
export type Opening =
  /** So many decisions were deleted before they could be sent. */
  | { readonly kind: 'lost'; readonly count: number; readonly total: number; readonly at: number }
  /** So many of these records the receiver did not take. */
  | {
      readonly kind: 'refused';
      readonly count: number;
      readonly from: number;
      readonly to: number;
      readonly at: number;
    }
  /** These may have arrived or not; what they told comes again, or is counted as lost. */
  | { readonly kind: 'resumed'; readonly from: number; readonly to: number; readonly at: number };

export interface ChainMoved {
  /** The number of the last record that arrived, and the head of the chain after it; empty before the first. */
  readonly sequence: number;
  readonly head: string;
  readonly openings: readonly Opening[];
}

/** Where the chain stands. What was sent and not acknowledged may have arrived, so it is repeated as it was or not at all. */
export interface Chain extends ChainMoved {
  /** The last record that may have arrived, and the head after it. */
  readonly tried: number;
  readonly triedHead: string;
  /** It was never written down. */
  readonly isNew?: true;
}

/** Records that were numbered before there was a chain are not in it. */
export function chainIn(text: string | null, numbered: number): Chain {
  if (text !== null) return JSON.parse(text) as Chain;
  return { sequence: numbered, head: '', openings: [], tried: numbered, triedHead: '', isNew: true };
}

export function resumed({ sequence, tried, triedHead, openings }: Chain, at: number): Chain {
  return {
    ...{ sequence: tried, head: triedHead, tried, triedHead },
    openings: [{ kind: 'resumed', from: sequence + 1, to: tried, at }, ...openings.filter(isKept)],
  };
}

/** How many are lost is looked at anew each time. */
const isKept = ({ kind }: Opening) => kind !== 'lost';

/** What comes first in the next request, where nothing is to be repeated. */
export function openingsOf({ openings }: Chain, { lost, told }: Losses, at: number): readonly Opening[] {
  const loss: Opening = { kind: 'lost', count: lost - told, total: lost, at };
  return [...openings.filter(isKept), ...(lost > told ? [loss] : [])];
}

interface Losses {
  readonly lost: number;
  readonly told: number;
}

/** After a request of which the receiver left some out: nobody knows which, so what was said of the chain is said again. */
export function openingsAfter(
  sent: readonly Opening[],
  { count, from, to, at }: Omit<Extract<Opening, { kind: 'refused' }>, 'kind'>,
): readonly Opening[] {
  const before = sent.filter((one) => one.kind === 'refused');
  return [
    ...sent.filter(({ kind }) => kind === 'resumed'),
    {
      kind: 'refused',
      count: before.reduce((sum, one) => sum + one.count, count),
      from: before.reduce((least, one) => Math.min(least, one.from), from),
      ...{ to, at },
    },
  ];
}
