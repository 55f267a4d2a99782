/**
 * A syntax tree as numbers: nodes in order of appearance, a parent before its children. Node 0 is the whole file, -1 stands
 * for "none". The tree is filled anew by every parse, so nothing of it may be kept; offsets count UTF-16 units.
 */
export interface FlatTree {
  readonly text: string;
  readonly count: number;
  /** Something in the text did not fit the grammar. */
  readonly damaged: boolean;
  symbol(node: number): number;
  start(node: number): number;
  end(node: number): number;
  /** The first node after all that lies below this one; `count` at the end. */
  after(node: number): number;
  parent(node: number): number;
  /** What the node is to its parent, by the numbers of `Grammar.field`; 0 for nothing in particular. */
  field(node: number): number;
  /** Operators, brackets and keywords are not named. */
  isNamed(node: number): boolean;
  /** Put in by the parser where the text lacks something; it has no width. */
  isMissing(node: number): boolean;
  firstChild(node: number): number;
  nextSibling(node: number): number;
  firstNamed(node: number): number;
  nextNamed(node: number): number;
  /** The first child that is this to the node. */
  child(node: number, field: number): number;
  /** The first child with this symbol. */
  childOf(node: number, symbol: number): number;
  textOf(node: number): string;
}

/** Filled by whoever reads a tree. */
export interface FlatTreeFill {
  readonly tree: FlatTree;
  begin(text: string): void;
  /** Its children follow, then `close`. */
  open(kind: number, start: number, end: number, parent: number): number;
  close(node: number): void;
  finish(damaged: boolean): void;
}

/** The symbol of what the parser could make nothing of. */
export const ERROR_SYMBOL = 0xffff;

const FIELD = 0xfff << 16;
const NAMED = 1 << 28;
const MISSING = 1 << 29;
const KIND = 0;
const START = 1;
const END = 2;
const AFTER = 3;
const PARENT = 4;
const STRIDE = 5;

export function kindOf(symbol: number, field: number, named: boolean, missing: boolean): number {
  return symbol | (field << 16) | (named ? NAMED : 0) | (missing ? MISSING : 0);
}

/** One object for all files: its arrays grow to the largest one and stay. */
export function createFlatTree(): FlatTreeFill {
  let nodes = new Int32Array(STRIDE * 16_384);
  let text = '';
  let count = 0;
  let damaged = false;
  // Each reads the array by itself: most of a file is walked before the engine has compiled anything.
  const nextSibling = (node: number): number => {
    const at = node * STRIDE;
    const next = nodes[at + AFTER] as number;
    return next < count && nodes[next * STRIDE + PARENT] === nodes[at + PARENT] ? next : -1;
  };
  const nextNamed = (node: number): number => {
    const parent = nodes[node * STRIDE + PARENT];
    let next = nodes[node * STRIDE + AFTER] as number;
    while (next < count) {
      const at = next * STRIDE;
      if (nodes[at + PARENT] !== parent) return -1;
      if (((nodes[at] as number) & NAMED) !== 0) return next;
      next = nodes[at + AFTER] as number;
    }
    return -1;
  };
  const tree: FlatTree = {
    get text() {
      return text;
    },
    get count() {
      return count;
    },
    get damaged() {
      return damaged;
    },
    symbol: (node) => (nodes[node * STRIDE] as number) & 0xffff,
    start: (node) => nodes[node * STRIDE + START] as number,
    end: (node) => nodes[node * STRIDE + END] as number,
    after: (node) => nodes[node * STRIDE + AFTER] as number,
    parent: (node) => nodes[node * STRIDE + PARENT] as number,
    field: (node) => ((nodes[node * STRIDE] as number) >> 16) & 0xfff,
    isNamed: (node) => ((nodes[node * STRIDE] as number) & NAMED) !== 0,
    isMissing: (node) => ((nodes[node * STRIDE] as number) & MISSING) !== 0,
    firstChild: (node) => ((nodes[node * STRIDE + AFTER] as number) > node + 1 ? node + 1 : -1),
    nextSibling,
    firstNamed(node) {
      const first = node + 1;
      if ((nodes[node * STRIDE + AFTER] as number) <= first) return -1;
      return ((nodes[first * STRIDE] as number) & NAMED) !== 0 ? first : nextNamed(first);
    },
    nextNamed,
    child(node, field) {
      const after = nodes[node * STRIDE + AFTER] as number;
      const wanted = field << 16;
      for (let at = node + 1; at < after; at = nodes[at * STRIDE + AFTER] as number) {
        if (((nodes[at * STRIDE] as number) & FIELD) === wanted) return at;
      }
      return -1;
    },
    childOf(node, symbol) {
      const after = nodes[node * STRIDE + AFTER] as number;
      for (let at = node + 1; at < after; at = nodes[at * STRIDE + AFTER] as number) {
        if (((nodes[at * STRIDE] as number) & 0xffff) === symbol) return at;
      }
      return -1;
    },
    textOf: (node) => text.slice(nodes[node * STRIDE + START], nodes[node * STRIDE + END]),
  };
  return {
    tree,
    begin(source) {
      text = source;
      count = 0;
      damaged = false;
    },
    open(kind, start, end, parent) {
      const at = count * STRIDE;
      if (at + STRIDE > nodes.length) {
        const more = new Int32Array(nodes.length * 2);
        more.set(nodes);
        nodes = more;
      }
      nodes[at + KIND] = kind;
      nodes[at + START] = start;
      nodes[at + END] = end;
      nodes[at + PARENT] = parent;
      return count++;
    },
    close(node) {
      nodes[node * STRIDE + AFTER] = count;
    },
    finish(isDamaged) {
      damaged = isDamaged;
    },
  };
}
