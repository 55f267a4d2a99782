import { visitorKeys } from 'oxc-parser';
import type { Node } from 'oxc-parser';

/** Part of a text that may be read by itself. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/** Statements or members of a text, with places from its start; undefined when it has mistakes. */
export type Parse = (text: string) => Node[] | undefined;

/** Words that begin a line but go on with what stands before. */
const GOES_ON = /^(?:else|catch|finally|extends|implements|from|as|satisfies|of|in|instanceof)\b/;

/** Cuts before each line that is indented by exactly this and may begin something. */
export function cut(text: string, { from, to }: Piece, indent: string): Piece[] {
  const pieces: Piece[] = [];
  let start = from;
  for (let line = from; line < to;) {
    const at = line + indent.length;
    if (line > start && text.startsWith(indent, line) && begins(text, at)) {
      pieces.push({ from: start, to: line });
      start = line;
    }
    const next = text.indexOf('\n', line);
    line = next === -1 ? to : next + 1;
  }
  pieces.push({ from: start, to });
  return pieces;
}

function begins(text: string, at: number): boolean {
  return /[\w$#@*[]/.test(text.charAt(at)) && !GOES_ON.test(text.slice(at, at + 12));
}

/**
 * Reads as much as possible at once: halves what has mistakes until only the pieces that have them are left, which are
 * handed to `damaged`. What was cut in a wrong place, as inside a text of several lines, is put together again.
 */
export function readPieces(
  text: string,
  pieces: readonly Piece[],
  parse: Parse,
  damaged: (piece: Piece) => readonly Node[],
): Node[] {
  const found: { readonly piece: Piece; readonly nodes: Node[] | undefined }[] = [];
  const read = (low: number, high: number): void => {
    const first = pieces[low];
    const last = pieces[high - 1];
    if (!first || !last) return;
    const piece = { from: first.from, to: last.to };
    const nodes = parseAt(text, piece, parse);
    if (nodes || high - low === 1) {
      found.push({ piece, nodes });
      return;
    }
    const middle = (low + high) >> 1;
    read(low, middle);
    read(middle, high);
  };
  read(0, pieces.length);
  const all: Node[] = [];
  for (let n = 0; n < found.length; n++) {
    const one = found[n];
    if (!one) break;
    let last = n;
    while (!one.nodes && found[last + 1] && !found[last + 1]?.nodes) last++;
    const whole = { from: one.piece.from, to: found[last]?.piece.to ?? one.piece.to };
    const together = last > n ? parseAt(text, whole, parse) : undefined;
    if (together) {
      all.push(...together);
      n = last;
    } else all.push(...(one.nodes ?? damaged(one.piece)));
  }
  return all;
}

function parseAt(text: string, { from, to }: Piece, parse: Parse): Node[] | undefined {
  const nodes = parse(text.slice(from, to));
  if (nodes && from !== 0) for (const node of nodes) shift(node, from);
  return nodes;
}

/** Moves a node and all that is in it. */
export function shift(node: Node, by: number): void {
  node.start += by;
  node.end += by;
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key];
    if (Array.isArray(child)) {
      for (const one of child) if (one) shift(one, by);
    } else if (child) shift(child, by);
  }
}
