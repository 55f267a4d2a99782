type PieceKind = 'text' | 'call';

interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  readonly bytes: number;
}

/** The body of an entry: its beginning and its end stay whole, what does not fit between them is left out. */
export interface Body {
  add(kind: PieceKind, text: string): void;
  text(): string;
}

/** Blank lines between two pieces. */
const GAP = 2;
const NOTICE = 200;

export function createBody(most: number): Body {
  const half = Math.floor((most - NOTICE) / 2);
  const head: Piece[] = [];
  const tail: Piece[] = [];
  let [inHead, inTail, gone, first] = [0, 0, 0, 0];
  const encoder = new TextEncoder();
  return {
    add(kind, text) {
      const piece = { kind, text, bytes: encoder.encode(text).length + GAP };
      if (tail.length === 0 && gone === 0 && inHead + piece.bytes <= half) {
        head.push(piece);
        inHead += piece.bytes;
        return;
      }
      tail.push(piece);
      inTail += piece.bytes;
      for (; inTail > half && first < tail.length; first += 1) {
        inTail -= tail[first]?.bytes ?? 0;
        gone += 1;
      }
      // The list is made shorter now and then, not for every piece.
      if (first > 1_000) {
        tail.splice(0, first);
        first = 0;
      }
    },
    text() {
      const middle: Piece[] =
        gone === 0
          ? []
          : [{ kind: 'text', text: `*${gone} parts are left out here; the transcript has them.*`, bytes: 0 }];
      return join([...head, ...middle, ...tail.slice(first)]);
    },
  };
}

function join(pieces: readonly Piece[]): string {
  return pieces
    .map(
      ({ kind, text }, at) =>
        (at === 0 ? '' : kind === 'call' && pieces[at - 1]?.kind === 'call' ? '\n' : '\n\n') + text,
    )
    .join('');
}
