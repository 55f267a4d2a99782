import { kindOf } from './flat-tree.ts';
import type { FlatTreeFill } from './flat-tree.ts';

/** The memory that the parser works in; another buffer each time it has grown. */
export interface ParserMemory {
  readonly buffer: ArrayBuffer;
}

/** Reads a tree where the parser left it. */
export interface TreeMemory {
  /** `address` is that of the tree. Throws when it finds more than `limit` parts, which no real tree has. */
  read(address: number, limit: number, into: FlatTreeFill): void;
}

/*
 * Asking the parser for one node after the other costs as much as parsing. Its trees lie in memory that we own, so they
 * are read there. How they lie is known for one version of web-tree-sitter alone (all numbers are bytes, wasm is 32 bit):
 * whoever uses this compares it with what the parser itself answers first.
 */
const LANGUAGE = {
  symbols: 4,
  aliases: 8,
  productions: 28,
  aliasWidth: 36,
  fieldSlices: 64,
  fieldEntries: 68,
  metadata: 72,
  publicSymbols: 76,
  aliasSequences: 84,
} as const;
const SLOT_SIZE = 8;
/** Symbols that belong to no grammar: errors. */
const NO_GRAMMAR = 0xfffe;

/** One level of the way down: the next child, the end of the children, and what those need to know of their parent. */
const NEXT = 0;
const LAST = 1;
const ORDINAL = 2;
const PRODUCTION = 3;
const FIELD = 4;
const NODE = 5;
const PARENT = 6;
const END = 7;
const FRAME = 8;

export function readLanguage(memory: ParserMemory, language: number): TreeMemory {
  const { aliases, aliasWidth, fields, fieldWidth, publicSymbols, named } = readTables(memory, language);
  let halves = new Uint16Array(memory.buffer);
  let words = new Uint32Array(memory.buffer);
  let stack = new Int32Array(FRAME * 256);
  const publicOf = (symbol: number): number => (symbol >= NO_GRAMMAR ? symbol : (publicSymbols[symbol] as number));

  const read = (address: number, limit: number, into: FlatTreeFill): void => {
    if (words.buffer !== memory.buffer) {
      halves = new Uint16Array(memory.buffer);
      words = new Uint32Array(memory.buffer);
    }
    // Bytes from the start, two for each UTF-16 unit.
    let position = 0;
    let left = limit;
    let depth = 0;
    stack.fill(0, 0, FRAME);
    stack[NEXT] = address;
    stack[LAST] = address + SLOT_SIZE;
    stack[NODE] = -1;
    stack[PARENT] = -1;
    while (depth >= 0) {
      const frame = depth * FRAME;
      const slot = stack[frame + NEXT] as number;
      if (slot === stack[frame + LAST]) {
        position = stack[frame + END] as number;
        const node = stack[frame + NODE] as number;
        if (node >= 0) into.close(node);
        depth -= 1;
        continue;
      }
      if (left-- <= 0) throw new Error('the memory of the parser holds no tree');
      stack[frame + NEXT] = slot + SLOT_SIZE;
      const word = words[slot >>> 2] as number;
      const inline = (word & 1) !== 0;
      const bits = inline ? word >>> 1 : (halves[(word + 44) >>> 1] as number);
      let alias = 0;
      let field = 0;
      // Comments and the like stand anywhere and are nothing to their parent.
      if ((bits & 4) === 0) {
        const ordinal = stack[frame + ORDINAL] as number;
        stack[frame + ORDINAL] = ordinal + 1;
        const production = stack[frame + PRODUCTION] as number;
        if (production > 0 && ordinal < aliasWidth) alias = aliases[production * aliasWidth + ordinal] as number;
        if (ordinal < fieldWidth) field = fields[production * fieldWidth + ordinal] as number;
        // A node that is not seen hands on what it is to its own parent.
        if (field === 0) field = stack[frame + FIELD] as number;
      }
      const seen = alias !== 0 || (bits & 1) !== 0;
      const parent = stack[frame + PARENT] as number;
      if (inline) {
        const size = words[(slot >>> 2) + 1] as number;
        const start = position + ((size >>> 16) & 0xff);
        position = start + (size >>> 24);
        if (seen) {
          const symbol = alias === 0 ? (word >>> 8) & 0xff : alias;
          const isNamed = alias === 0 ? (bits & 2) !== 0 : named[alias] !== 0;
          const kind = kindOf(publicOf(symbol), field, isNamed, (bits & 16) !== 0);
          into.close(into.open(kind, start >> 1, position >> 1, parent));
        }
        continue;
      }
      const at = word >>> 2;
      const start = position + (words[at + 1] as number);
      const end = start + (words[at + 4] as number);
      const children = words[at + 9] as number;
      let node = -1;
      if (seen) {
        const symbol = alias === 0 ? (halves[(word + 40) >>> 1] as number) : alias;
        const isNamed = alias === 0 ? (bits & 2) !== 0 : named[alias] !== 0;
        const kind = kindOf(publicOf(symbol), field, isNamed, (bits & 512) !== 0);
        node = into.open(kind, start >> 1, end >> 1, parent);
      }
      if (children === 0) {
        position = end;
        if (node >= 0) into.close(node);
        continue;
      }
      depth += 1;
      const inner = depth * FRAME;
      if (inner + FRAME > stack.length) {
        const more = new Int32Array(stack.length * 2);
        more.set(stack);
        stack = more;
      }
      // The children lie right before their parent, and the first one has the blanks before it.
      stack[inner + NEXT] = word - children * SLOT_SIZE;
      stack[inner + LAST] = word;
      stack[inner + ORDINAL] = 0;
      stack[inner + PRODUCTION] = halves[(word + 66) >>> 1] as number;
      stack[inner + FIELD] = seen ? 0 : field;
      stack[inner + NODE] = node;
      stack[inner + PARENT] = seen ? node : parent;
      stack[inner + END] = end;
    }
  };

  return {
    read(address, limit, into) {
      read(address, limit, into);
      const root = words[address >>> 2] as number;
      into.finish((root & 1) === 0 && words[(root >>> 2) + 8] !== 0);
    },
  };
}

interface Tables {
  /** For each production and child: what it is called there instead. */
  readonly aliases: Uint16Array;
  readonly aliasWidth: number;
  /** For each production and child: what it is to its parent. */
  readonly fields: Uint16Array;
  readonly fieldWidth: number;
  readonly publicSymbols: Uint16Array;
  readonly named: Uint8Array;
}

/** Copied, so that they are at hand whatever happens to the memory. */
function readTables(memory: ParserMemory, language: number): Tables {
  const view = new DataView(memory.buffer);
  const word = (at: number): number => view.getUint32(at, true);
  const half = (at: number): number => view.getUint16(at, true);
  const symbolCount = word(language + LANGUAGE.symbols) + word(language + LANGUAGE.aliases);
  const productionCount = word(language + LANGUAGE.productions);
  const aliasWidth = half(language + LANGUAGE.aliasWidth);
  if (symbolCount >= NO_GRAMMAR || productionCount > 0xffff)
    throw new Error('the memory of the parser holds no grammar');
  const copyHalves = (at: number, count: number): Uint16Array =>
    Uint16Array.from({ length: count }, (_, n) => half(at + n * 2));
  const metadata = word(language + LANGUAGE.metadata);
  const slices = word(language + LANGUAGE.fieldSlices);
  const entries = word(language + LANGUAGE.fieldEntries);

  const found: [place: number, child: number, field: number][] = [];
  for (let production = 0; production < productionCount; production++) {
    const first = half(slices + production * 4);
    const count = half(slices + production * 4 + 2);
    for (let n = first; n < first + count; n++) {
      const entry = entries + n * 4;
      const isInherited = view.getUint8(entry + 3) !== 0;
      if (!isInherited) found.push([production, view.getUint8(entry + 2), half(entry)]);
    }
  }
  const fieldWidth = found.reduce((width, [, child]) => Math.max(width, child + 1), 0);
  const fields = new Uint16Array(productionCount * fieldWidth);
  for (const [production, child, field] of found) {
    const place = production * fieldWidth + child;
    if (fields[place] === 0) fields[place] = field;
  }
  return {
    aliases: copyHalves(word(language + LANGUAGE.aliasSequences), productionCount * aliasWidth),
    aliasWidth,
    fields,
    fieldWidth,
    publicSymbols: copyHalves(word(language + LANGUAGE.publicSymbols), symbolCount),
    named: Uint8Array.from({ length: symbolCount }, (_, symbol) => view.getUint8(metadata + symbol * 3 + 1)),
  };
}
