import { visitorKeys } from 'oxc-parser';
import type { Node } from 'oxc-parser';
import type { Expression } from '../../model/expression.ts';
import type { Binding, DefinitionKind, Reference, Trait } from '../../model/facts.ts';
import { addBinding, addDefinition, firstLine, headOf } from '../facts-draft.ts';
import type { DefinitionDraft, FactsDraft } from '../facts-draft.ts';
import type { Translator } from './expressions.ts';
import type { NodeOf, Open } from './types.ts';

/** One walk over a file. What concerns the place where it is changes on the way and is put back by whoever changed it. */
export interface Walk {
  readonly text: string;
  readonly isJavaScript: boolean;
  readonly draft: FactsDraft;
  readonly t: Translator;
  /** What the file imports or defines on its outer level or in a namespace. */
  readonly names: Set<string>;
  /** Variables that have no value yet; the first assignment says what they are. */
  readonly unset: Map<string, Open<Binding> | DefinitionDraft>;
  /** Local lists that start empty, with the types of what was put into them so far. */
  readonly growing: Map<string, Growing>;
  /** Whether `this` was met since this was last cleared. */
  sawThis: boolean;
  /** Members of a class that `this.x =` may add to or has added, by class and name. */
  readonly members: Map<number, Map<string, DefinitionDraft | undefined>>;
  /** Names that stand where a member is wanted. */
  readonly standIns: Reference[];
  visit(node: Node): void;
  visitType(node: Node): void;
  /** Visits a value whose place expects something. */
  visitExpecting(node: Node, expected: Expression): void;
  /** Innermost named definition. */
  within: number;
  /** The function that a definition was made of, and which is none of its own. */
  made: Node | undefined;
  /** The block whose variables live here, and the function for `var`. */
  block: Range;
  body: Range;
  /** Inside a function or block, where variables are no definitions. */
  isLocal: boolean;
  /** Inside `declare namespace` or `declare module`, where everything is exported. */
  isAmbient: boolean;
  /** The class that `this` is an object of, -1 for none. */
  thisClass: number;
  /** What a function expression in a `return` here is expected to be. */
  returns: Expression | undefined;
  /** Values of the generator whose body this is. */
  yields: Expression[] | undefined;
  /** The `export` around the declaration that is visited next. */
  outer: Node | undefined;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Decorators stand before what they decorate but are no part of it. */
export interface Decorated {
  readonly start: number;
  readonly decorators?: readonly Range[] | undefined;
}

export interface DeclarationSpan {
  readonly name: string;
  readonly at: number;
  /** Where it begins with all that belongs to it, and where it ends. */
  readonly start: number;
  readonly end: number;
  /** Where its doc comment ends, if it has one. */
  readonly from: number;
  readonly exported: boolean;
}

/** Where a declaration stands, with the `export` around it. */
export function spanOf(walk: Walk, node: Node & Decorated, name: string, at: number, end = node.end): DeclarationSpan {
  const { outer } = walk;
  walk.outer = undefined;
  let start = outer?.start ?? node.start;
  let from = Math.min(start, node.start);
  const last = node.decorators?.at(-1);
  const first = node.decorators?.[0];
  if (last && first) {
    from = Math.min(from, first.start);
    if (last.end > start) start = skipSpace(walk.text, last.end);
  }
  return { name, at, start, end: Math.max(end, outer?.end ?? 0), from, exported: outer !== undefined };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (text.charCodeAt(at) <= 32) at++;
    if (text.startsWith('//', at)) at = text.indexOf('\n', at);
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 2;
    else return at;
    if (at < 2) return from;
  }
}

/** Adds a definition; `head` is where its signature ends. */
export function define(
  walk: Walk,
  kind: DefinitionKind,
  span: DeclarationSpan,
  head: number,
  traits: Trait[],
): DefinitionDraft {
  const { draft, text } = walk;
  const definition = addDefinition(draft, span.name, kind, walk.within, span.start, span.end, span.at);
  definition.signature = headOf(text, span.start, head).replace(/\s*(?:=>|[={;,])$/, '');
  const doc = docBefore(text, span.from);
  if (doc !== undefined) definition.doc = doc;
  definition.traits = traits;
  definition.exported = !walk.isLocal && (span.exported || walk.isAmbient);
  if (span.name.startsWith('#')) definition.visibility = 'private';
  return definition;
}

/** What is declared in a function or block is seen there alone: the binding at the same place says where that is. */
export function markLocal(walk: Walk, definition: DefinitionDraft, range: Range): void {
  definition.traits = [...definition.traits, 'local'];
  bind(walk, definition.name, definition.at, range, undefined, undefined);
}

export function bind(
  walk: Walk,
  name: string,
  at: number,
  range: Range,
  type: Expression | undefined,
  value: Expression | undefined,
): Open<Binding> {
  addBinding(walk.draft, name, walk.within, range.start, range.end, at, type, value);
  return walk.draft.bindings[walk.draft.bindings.length - 1] as Open<Binding>;
}

export interface Growing {
  readonly binding: Open<Binding>;
  readonly types: Expression[];
}

/** What to do with each type of node; others are passed through. */
export type Visits = { readonly [K in Node['type']]?: (walk: Walk, node: NodeOf<K>) => void };

export function visitChildren(node: Node, visit: (node: Node) => void): void {
  const keys = visitorKeys[node.type];
  if (keys === undefined) return;
  for (let n = 0; n < keys.length; n++) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[keys[n] as string];
    if (child === null || child === undefined) continue;
    if (Array.isArray(child)) {
      for (const one of child) if (one !== null) visit(one);
    } else visit(child);
  }
}

/** The index of what was defined last. */
export function lastIndex(walk: Walk): number {
  return walk.draft.definitions.length - 1;
}

export function refer(walk: Walk, name: string, kind: Reference['kind'], at: number): Open<Reference> {
  const reference: Open<Reference> = { within: walk.within, name, kind, at };
  walk.draft.references.push(reference);
  return reference;
}

function docBefore(text: string, from: number): string | undefined {
  let end = from;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  if (!text.endsWith('*/', end)) return undefined;
  const start = text.lastIndexOf('/*', end - 2);
  if (start === -1 || text[start + 2] !== '*' || start + 4 > end) return undefined;
  const words = firstLine(text.slice(start + 3, end - 2), (line) => line.replace(/^\s*\*?\s*/, ''));
  return words?.startsWith('@') === true ? undefined : words;
}
