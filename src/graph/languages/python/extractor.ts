import type { Expression } from '../../model/expression.ts';
import type { Reference } from '../../model/facts.ts';
import { parserLimitFor } from '../../parse/budget.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import { loadGrammar } from '../../parse/tree-sitter.ts';
import { finishDraft, startDraft } from '../facts-draft.ts';
import type { Extracted, Extractor } from '../language.ts';
import type { PythonFile } from './file.ts';
import { createScope } from './scopes.ts';
import { readSymbols } from './symbols.ts';
import { createVisits, walk } from './walk.ts';

/** With these a statement starts, and nothing inside brackets does. */
const STATEMENT =
  /[ \t]*(?:(?:async[ \t]+)?(?:def|class)[ \t]+\w|(?:return|import|with|try|while|raise|assert|pass|break|continue|del|global|nonlocal)\b|from[ \t]+\S+[ \t]+import\b)/y;

/**
 * A bracket that is never closed would swallow all that follows. Where a statement starts inside one, the brackets that
 * are still open are blanked, so that the parser sees the statement; everything keeps its place.
 */
function blankOpenBrackets(text: string): string {
  const open: number[] = [];
  const blanked: number[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '(':
      case '[':
      case '{':
        open.push(at);
        break;
      case ')':
      case ']':
      case '}':
        open.pop();
        break;
      case '#':
        at = endOfLine(text, at) - 1;
        break;
      case '"':
      case "'":
        at = endOfString(text, at);
        break;
      case '\n':
        STATEMENT.lastIndex = at + 1;
        if (open.length > 0 && STATEMENT.test(text)) blanked.push(...open.splice(0));
        break;
      default:
    }
  }
  if (blanked.length === 0) return text;
  let repaired = '';
  let from = 0;
  for (const at of blanked) {
    repaired += `${text.slice(from, at)} `;
    from = at + 1;
  }
  return repaired + text.slice(from);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Where the last quote is; a string on one line ends with it at the latest. */
function endOfString(text: string, at: number): number {
  const quote = text[at] ?? '';
  const isLong = text.startsWith(quote.repeat(3), at);
  for (let next = at + (isLong ? 3 : 1); next < text.length; next++) {
    const char = text[next];
    if (char === '\\') next++;
    else if (isLong && text.startsWith(quote.repeat(3), next)) return next + 2;
    else if (!isLong && char === quote) return next;
    else if (!isLong && char === '\n') return next - 1;
  }
  return text.length;
}

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
