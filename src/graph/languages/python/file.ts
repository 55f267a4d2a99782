import type { Expression, Generic } from '../../model/expression.ts';
import type { Reference } from '../../model/facts.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import { addReference } from '../facts-draft.ts';
import type { FactsDraft } from '../facts-draft.ts';
import type { PythonSymbols } from './symbols.ts';
import { readTypeText } from './types.ts';

/** What is known of a file while it is walked from its start to its end. */
export interface PythonFile {
  readonly tree: FlatTree;
  /** As it is in the file; the tree may be of a text that was prepared for the grammar. */
  readonly text: string;
  readonly symbols: PythonSymbols;
  readonly draft: FactsDraft;
  /** The innermost is the last. */
  readonly scopes: Scope[];
  /** By node, so that what is read twice is one object. */
  readonly expressions: Map<number, Expression>;
  /** Nodes that only name something: no references. */
  readonly marks: Uint8Array;
  /** Values and types that count if the module defines or imports their first name. */
  readonly candidates: Reference[];
  readonly typeVariables: Map<string, Generic>;
  /** Where type variables are noted while the head of a definition is read. */
  generics: Generic[] | undefined;
}

export interface Scope {
  /** `expression`: a lambda or comprehension. */
  readonly is: 'module' | 'class' | 'function' | 'expression';
  /** Index of the innermost definition, -1 for the module. */
  readonly definition: number;
  /** The first node after it. */
  readonly after: number;
  readonly from: number;
  readonly to: number;
  /** What the method calls its object or class. */
  readonly self: string | undefined;
  /** Of a function: all places that set a local name. */
  readonly set: Map<string, Setting[]>;
  /** Of a module or class: definitions by name, the first of each. */
  readonly members: Map<string, number>;
  /** Names that belong to the module or to an outer function. */
  readonly elsewhere: Map<string, 'global' | 'nonlocal'>;
  readonly returns: Expression[];
  readonly yields: Expression[];
  isGenerator: boolean;
}

/** One place that sets a local variable. */
export interface Setting {
  readonly at: number;
  /** The statement that does it; -1 for a parameter. */
  readonly node: number;
  /** From here on the variable has this value. */
  readonly from: number;
  readonly type: Expression | undefined;
  readonly value: Expression | undefined;
}

export function currentScope(file: PythonFile): Scope {
  return file.scopes[file.scopes.length - 1] as Scope;
}

/** The innermost scope that statements belong to. */
export function statementScope(file: PythonFile): Scope {
  const { scopes } = file;
  let n = scopes.length - 1;
  while (n > 0 && scopes[n]?.is === 'expression') n--;
  return scopes[n] as Scope;
}

/** The scope of the class whose method calls its object by this name; undefined when the name means something else. */
export function classOfSelf(file: PythonFile, name: string): Scope | undefined {
  const { scopes } = file;
  for (let n = scopes.length - 1; n > 0; n--) {
    const scope = scopes[n] as Scope;
    if (scope.self === name) return scopes[n - 1];
    if (scope.is !== 'class' && scope.set.has(name)) return undefined;
  }
  return undefined;
}

/** The type that an annotation node says; its names become references the first time. */
export function typeAt(file: PythonFile, node: number): Expression {
  const known = file.expressions.get(node);
  if (known !== undefined) return known;
  const { definition } = currentScope(file);
  const type = readTypeText(file.tree.text, file.tree.start(node), file.tree.end(node), (name, at, receiver) => {
    const variable = receiver === undefined ? file.typeVariables.get(name) : undefined;
    if (variable !== undefined) {
      if (file.generics !== undefined && !file.generics.includes(variable)) file.generics.push(variable);
      return;
    }
    addReference(file.candidates, definition, name, 'type', at, receiver);
  });
  file.expressions.set(node, type);
  return type;
}

const SILENT = (): void => undefined;

/** The type that a value names: a class, or several in brackets. */
export function classNamed(file: PythonFile, node: number): Expression {
  const { tree } = file;
  const type = readTypeText(tree.text, tree.start(node), tree.end(node), SILENT);
  return type.is === 'tuple' ? { is: 'either', of: type.of } : type;
}

export function mark(file: PythonFile, node: number): void {
  if (node !== -1) file.marks[node] = 1;
}

/** Children that are code: neither punctuation nor comments. */
export function firstPart({ tree, symbols }: PythonFile, node: number): number {
  return code(tree, symbols, tree.firstNamed(node));
}

export function nextPart({ tree, symbols }: PythonFile, node: number): number {
  return code(tree, symbols, tree.nextNamed(node));
}

function code(tree: FlatTree, { is }: PythonSymbols, node: number): number {
  let at = node;
  while (at !== -1 && (tree.symbol(at) === is.comment || tree.symbol(at) === is.line_continuation)) {
    at = tree.nextNamed(at);
  }
  return at;
}
