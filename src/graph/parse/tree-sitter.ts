import { Language, Parser } from 'web-tree-sitter';
import type { Tree } from 'web-tree-sitter';
import { systemClock } from '../../platform/clock.ts';
import { readWasm } from '../../platform/grammars.ts';
import { createFlatTree, kindOf } from './flat-tree.ts';
import type { FlatTree, FlatTreeFill } from './flat-tree.ts';
import { SAMPLES } from '../languages/samples.generated.ts';
import { readLanguage } from './tree-memory.ts';
import type { ParserMemory } from './tree-memory.ts';

export type GrammarName = keyof typeof SAMPLES;

/** Turns text of one language into a tree. */
export interface Grammar {
  /** Trees are read from memory, not node by node, which takes half as long again. */
  readonly readsMemory: boolean;
  /** The number of a kind of node, or of a keyword or operator (`token`), or of what a node is to its parent. Throws when there is none. */
  symbol(type: string): number;
  token(text: string): number;
  field(name: string): number;
  /** Good until the next call, of any grammar. Undefined when it took longer than it may. */
  parse(text: string, budgetMs?: number): FlatTree | undefined;
}

/** How a tree is read once it is parsed. */
type Read = (tree: Tree, into: FlatTreeFill) => void;

const loaded = new Map<GrammarName, Promise<Grammar>>();
let started: Promise<Started> | undefined;

interface Started {
  readonly parser: Parser;
  readonly memory: ParserMemory;
  /** One for all grammars, as there is one parser. */
  readonly fill: FlatTreeFill;
}

/** Loads a grammar once; the parser itself comes with the first. */
export function loadGrammar(name: GrammarName): Promise<Grammar> {
  let grammar = loaded.get(name);
  if (!grammar) {
    grammar = load(name);
    loaded.set(name, grammar);
  }
  return grammar;
}

async function load(name: GrammarName): Promise<Grammar> {
  started ??= start();
  const { parser, memory, fill } = await started;
  const language = await Language.load(readWasm(`tree-sitter-${name}`));
  return createGrammar(language, parser, fill, chooseRead(SAMPLES[name], language, parser, memory));
}

async function start(): Promise<Started> {
  // What the parser would make for itself, but known to us.
  const memory = createMemory({ initial: 512, maximum: 32_768 });
  await Parser.init({ wasmMemory: memory, wasmBinary: readWasm('web-tree-sitter') });
  return { parser: new Parser(), memory, fill: createFlatTree() };
}

/** Every Node has this; the types of the language alone do not say so. */
function createMemory(pages: { readonly initial: number; readonly maximum: number }): ParserMemory {
  const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (size: typeof pages) => ParserMemory } })
    .WebAssembly;
  return new Memory(pages);
}

/** Reading from memory where that gives what the parser itself says of a sample; else node by node, which is slower. */
export function chooseRead(sample: string, language: Language, parser: Parser, memory: ParserMemory): Read {
  const tree = parseAs(language, parser, sample);
  if (!tree) return readByCursor;
  try {
    const [expected, found] = [createFlatTree(), createFlatTree()];
    expected.begin(sample);
    readByCursor(tree, expected);
    const read = readFromMemory(language, memory);
    found.begin(sample);
    read(tree, found);
    return isSame(expected.tree, found.tree) ? read : readByCursor;
  } catch {
    return readByCursor;
  } finally {
    tree.delete();
  }
}

export function createGrammar(language: Language, parser: Parser, fill: FlatTreeFill, read: Read): Grammar {
  const idOf = (type: string, isNamed: boolean): number => {
    const id = language.idForNodeType(type, isNamed);
    if (id === null) throw new Error(`${language.name ?? 'the grammar'} has no ${type}`);
    return id;
  };
  return {
    readsMemory: read !== readByCursor,
    symbol: (type) => idOf(type, true),
    token: (text) => idOf(text, false),
    field(name) {
      const id = language.fieldIdForName(name);
      if (id === null) throw new Error(`${language.name ?? 'the grammar'} has no field ${name}`);
      return id;
    },
    parse(text, budgetMs) {
      const tree = parseAs(language, parser, text, budgetMs);
      if (!tree) return undefined;
      try {
        fill.begin(text);
        read(tree, fill);
        return fill.tree;
      } finally {
        tree.delete();
      }
    },
  };
}

function parseAs(language: Language, parser: Parser, text: string, budgetMs?: number): Tree | undefined {
  if (parser.language !== language) parser.setLanguage(language);
  if (budgetMs === undefined) return parser.parse(text) ?? undefined;
  const until = systemClock.micros() + budgetMs * 1_000;
  // It asks every few nodes, which is more often than the clock is worth.
  let asked = 0;
  const progressCallback = (): boolean => (++asked & 63) === 0 && systemClock.micros() > until;
  const tree = parser.parse(text, null, { progressCallback });
  // Else it would go on with this text when given the next.
  if (!tree) parser.reset();
  return tree ?? undefined;
}

function readFromMemory(language: Language, memory: ParserMemory): Read {
  const languageMemory = readLanguage(memory, addressOf(language));
  return (tree, into) => languageMemory.read(addressOf(tree), 64 + into.tree.text.length * 16, into);
}

/** Private to web-tree-sitter, like all that is read there. */
function addressOf(thing: object): number {
  return (thing as { readonly 0: number })[0];
}

export function readByCursor(tree: Tree, into: FlatTreeFill): void {
  const cursor = tree.walk();
  const open: number[] = [];
  try {
    for (;;) {
      const kind = kindOf(cursor.nodeTypeId, cursor.currentFieldId, cursor.nodeIsNamed, cursor.nodeIsMissing);
      open.push(into.open(kind, cursor.startIndex, cursor.endIndex, open.at(-1) ?? -1));
      if (cursor.gotoFirstChild()) continue;
      for (;;) {
        into.close(open.pop() ?? 0);
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) {
          into.finish(tree.rootNode.hasError);
          return;
        }
      }
    }
  } finally {
    cursor.delete();
  }
}

export function isSame(one: FlatTree, other: FlatTree): boolean {
  if (one.count !== other.count || one.damaged !== other.damaged) return false;
  for (let node = 0; node < one.count; node++) {
    if (
      one.symbol(node) !== other.symbol(node) ||
      one.start(node) !== other.start(node) ||
      one.end(node) !== other.end(node) ||
      one.after(node) !== other.after(node) ||
      one.parent(node) !== other.parent(node) ||
      one.field(node) !== other.field(node) ||
      one.isNamed(node) !== other.isNamed(node) ||
      one.isMissing(node) !== other.isMissing(node)
    ) {
      return false;
    }
  }
  return true;
}
