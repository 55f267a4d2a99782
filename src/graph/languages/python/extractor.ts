import type { Expression } from '../../model/expression.ts';
import type { Reference } from '../../model/facts.ts';
import { parserLimitFor } from '../../parse/budget.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import { loadGrammar } from '../../parse/tree-sitter.ts';
import { finishDraft, startDraft } from '../facts-draft.ts';
import type { Extracted, Extractor } from '../language.ts';
import type { PythonFile } from './file.ts';
import { blankOpenBrackets } from './repair.ts';
import { createScope } from './scopes.ts';
import { readSymbols } from './symbols.ts';
import { createVisits, walk } from './walk.ts';

const NOTHING: Extracted = { definitions: [], references: [], imports: [], exports: [], bindings: [], damaged: true };

/** What is imported from them says something about the code, and nobody asks who uses it. */
const ABOUT_TYPES = new Set(['typing', 'typing_extensions', '__future__']);

/** Reads a text for the grammar; `original` is what signatures are taken from. Nothing is found when it takes too long. */
export type ReadPython = (text: string, original: string) => Extracted;

export async function createExtractor(): Promise<Extractor> {
  const read = await createPythonReader();
  return { extract: ({ text }) => read(text, text) };
}

export async function createPythonReader(): Promise<ReadPython> {
  const grammar = await loadGrammar('python');
  const symbols = readSymbols(grammar);
  const visits = createVisits(symbols);
  let marks = new Uint8Array(16_384);

  const readOnce: ReadPython = (text, original) => {
    const tree = grammar.parse(text, parserLimitFor(text.length));
    if (tree === undefined) return NOTHING;
    if (marks.length < tree.count) marks = new Uint8Array(tree.count * 2);
    else marks.fill(0, 0, tree.count);
    const file = startFile(tree, original, marks, symbols);
    walk(file, visits);
    return finish(file);
  };

  return (text, original) => {
    const found = readOnce(text, original);
    const repaired = found.damaged ? blankOpenBrackets(text) : text;
    if (repaired === text) return found;
    const other = readOnce(repaired, original);
    // What swallows a statement takes it for a call, so definitions say more.
    return other.definitions.length > found.definitions.length ? { ...other, damaged: true } : found;
  };
}

function startFile(tree: FlatTree, text: string, marks: Uint8Array, symbols: PythonFile['symbols']): PythonFile {
  return {
    tree,
    text,
    symbols,
    draft: startDraft(),
    scopes: [createScope('module', -1, tree.count, 0, tree.text.length)],
    expressions: new Map(),
    marks,
    candidates: [],
    typeVariables: new Map(),
    generics: undefined,
  };
}

function finish(file: PythonFile): Extracted {
  const { draft, tree, candidates } = file;
  const listed = draft.exports.length === 0 ? undefined : new Set(draft.exports.map(({ name }) => name));
  const known = new Set<string>();
  for (const definition of draft.definitions) {
    const { name, container, visibility, traits } = definition;
    if (container === -1) {
      known.add(name);
      definition.exported = listed === undefined ? !name.startsWith('_') : listed.has(name);
    } else {
      const outer = draft.definitions[container]?.exported === true;
      definition.exported = outer && visibility !== 'private' && !traits.includes('local');
    }
    if (visibility === 'public' && name.startsWith('_'))
      definition.visibility = /^__\w+__$/.test(name) ? 'special' : 'private';
  }
  for (const { local, module, within } of draft.imports)
    if (within === -1 && !ABOUT_TYPES.has(module)) known.add(local);
  for (const candidate of candidates) if (counts(candidate, known)) draft.candidates.push(candidate);
  return finishDraft(draft, tree.damaged, () => true);
}

/** Whether the first name of what is referred to is one of the module's. */
function counts({ receiver, name }: Reference, known: ReadonlySet<string>): boolean {
  let first: Expression | undefined = receiver;
  while (first?.is === 'member') first = first.of;
  if (first === undefined) return known.has(name);
  return first.is === 'this' || (first.is === 'name' && known.has(first.name));
}
