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
  const get = (node: number, what: number): number => nodes[node * STRIDE + what] as number;
  const isNamed = (node: number): boolean => (get(node, KIND) & NAMED) !== 0;
  const firstChild = (node: number): number => (get(node, AFTER) > node + 1 ? node + 1 : -1);
  const nextSibling = (node: number): number => {
    const next = get(node, AFTER);
    return next < count && get(next, PARENT) === get(node, PARENT) ? next : -1;
  };
  const nextNamed = (node: number): number => {
    let at = nextSibling(node);
    while (at !== -1 && !isNamed(at)) at = nextSibling(at);
    return at;
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
    symbol: (node) => get(node, KIND) & 0xffff,
    start: (node) => get(node, START),
    end: (node) => get(node, END),
    after: (node) => get(node, AFTER),
    parent: (node) => get(node, PARENT),
    field: (node) => (get(node, KIND) >> 16) & 0xfff,
    isNamed,
    isMissing: (node) => (get(node, KIND) & MISSING) !== 0,
    firstChild,
    nextSibling,
    firstNamed(node) {
      const first = firstChild(node);
      return first === -1 || isNamed(first) ? first : nextNamed(first);
    },
    nextNamed,
    child(node, field) {
      const after = get(node, AFTER);
      for (let at = node + 1; at < after; at = get(at, AFTER)) if (((get(at, KIND) >> 16) & 0xfff) === field) return at;
      return -1;
    },
    childOf(node, symbol) {
      const after = get(node, AFTER);
      for (let at = node + 1; at < after; at = get(at, AFTER)) if ((get(at, KIND) & 0xffff) === symbol) return at;
      return -1;
    },
    textOf: (node) => text.slice(get(node, START), get(node, END)),
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
