import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Base, Binding, Definition, DefinitionKind, Export, Import, Reference, Trait } from '../model/facts.ts';
import type { FlatTree } from '../parse/flat-tree.ts';
import type { Extracted } from './language.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };
export type DefinitionDraft = Draft<Definition>;

/** The facts of one file while its tree is walked. */
export interface FactsDraft {
  readonly definitions: DefinitionDraft[];
  readonly references: Reference[];
  readonly imports: Import[];
  readonly exports: Export[];
  readonly bindings: Binding[];
  /** Type names and values that count as references only if nothing local is meant; decided when all is known. */
  readonly candidates: Reference[];
  package: string | undefined;
}

const NO_TRAITS: readonly Trait[] = [];
const NO_BASES: readonly Base[] = [];
const NO_GENERICS: readonly Generic[] = [];
const NO_PARAMETERS: readonly Parameter[] = [];
const NO_VALUES: readonly Expression[] = [];
export const SIGNATURE = 200;
const DOC = 160;

export function startDraft(): FactsDraft {
  return {
    definitions: [],
    references: [],
    imports: [],
    exports: [],
    bindings: [],
    candidates: [],
    package: undefined,
  };
}

/** Adds a definition that has nothing yet but a name and a place; its index is that of the last one. */
export function addDefinition(
  draft: FactsDraft,
  name: string,
  kind: DefinitionKind,
  container: number,
  start: number,
  end: number,
  at: number,
): DefinitionDraft {
  const definition: DefinitionDraft = {
    name,
    kind,
    container,
    start,
    end,
    at,
    signature: '',
    exported: false,
    visibility: 'public',
    traits: NO_TRAITS,
    bases: NO_BASES,
    generics: NO_GENERICS,
    parameters: NO_PARAMETERS,
    values: NO_VALUES,
  };
  draft.definitions.push(definition);
  return definition;
}

export function addReference(
  list: Reference[],
  within: number,
  name: string,
  kind: Reference['kind'],
  at: number,
  receiver?: Expression,
  args?: number,
  given?: readonly Expression[],
): void {
  const reference: Draft<Reference> = { within, name, kind, at };
  if (receiver !== undefined) reference.receiver = receiver;
  if (args !== undefined) reference.args = args;
  if (given !== undefined) reference.given = given;
  list.push(reference);
}

export function addBinding(
  draft: FactsDraft,
  name: string,
  within: number,
  from: number,
  to: number,
  at: number,
  type?: Expression,
  value?: Expression,
): void {
  const binding: Draft<Binding> = { name, within, from, to, at };
  if (type !== undefined) binding.type = type;
  if (value !== undefined) binding.value = value;
  draft.bindings.push(binding);
}

export function finishDraft(draft: FactsDraft, damaged: boolean, counts: (candidate: Reference) => boolean): Extracted {
  const { definitions, references, imports, exports, bindings, candidates } = draft;
  const local = new Map<string, Binding[]>();
  for (const binding of bindings) {
    const known = local.get(binding.name);
    if (known === undefined) local.set(binding.name, [binding]);
    else known.push(binding);
  }
  for (const candidate of candidates) {
    if (candidate.receiver === undefined && isLocal(candidate, local.get(candidate.name), definitions)) continue;
    if (counts(candidate)) references.push(candidate);
  }
  references.sort((a, b) => a.at - b.at);
  const found = { definitions, references, imports, exports, bindings, damaged };
  return draft.package === undefined ? found : { ...found, package: draft.package };
}

function isLocal(
  { at, name, kind, within }: Reference,
  bindings: readonly Binding[] | undefined,
  definitions: readonly Definition[],
): boolean {
  if (bindings !== undefined && kind !== 'type') {
    for (const { from, to } of bindings) if (from <= at && at < to) return true;
  }
  for (let index = within; index !== -1; index = definitions[index]?.container ?? -1) {
    for (const generic of definitions[index]?.generics ?? NO_GENERICS) if (generic.name === name) return true;
  }
  return false;
}

/** The text of a head on one line. */
export function headOf(text: string, start: number, end: number): string {
  const head = text.slice(start, Math.min(end, start + 4 * SIGNATURE));
  return head.replace(/\s+/g, ' ').trim().slice(0, SIGNATURE);
}

/** Remembers the comment that stands right before what is met next. */
export interface Comments {
  note(start: number, end: number): void;
  /** Something that may stand between a comment and what it is about. */
  pass(start: number, end: number): void;
  /** First line of the comment that ends right before `start`. */
  before(start: number): string | undefined;
}

/** `isDoc` says which comments document something; others are passed over. */
export function watchComments(tree: FlatTree, isDoc: (text: string, start: number) => boolean): Comments {
  const { text } = tree;
  let first = -1;
  let last = -1;
  return {
    note(start, end) {
      if (!isDoc(text, start)) return;
      if (last === -1 || !isNear(text, last, start)) first = start;
      last = end;
    },
    pass(start, end) {
      if (last !== -1 && isNear(text, last, start)) last = end;
    },
    before(start) {
      if (last === -1 || last > start || !isNear(text, last, start)) return undefined;
      return firstLine(text.slice(first, last), withoutMarks);
    },
  };
}

/** Nothing but space with at most one line break lies between. */
function isNear(text: string, from: number, to: number): boolean {
  let breaks = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) breaks++;
    else if (code !== 32 && code !== 9 && code !== 13) return false;
  }
  // A line comment may own its line break.
  return breaks <= 1;
}

/** The first line that says something; `bare` takes away what is no word of it. */
export function firstLine(text: string, bare: (line: string) => string = (line) => line): string | undefined {
  for (const line of text.split('\n', 20)) {
    const words = bare(line).trim();
    if (words !== '') return words.slice(0, DOC);
  }
  return undefined;
}

function withoutMarks(line: string): string {
  return line.replace(/^\s*(?:\/\/[/!]?|\/\*[*!]?|\*(?!\/))?/, '').replace(/\*\/\s*$/, '');
}
