import type { Expression, Generic, Parameter } from './expression.ts';
import type { CodeLanguage } from '../languages/index.generated.ts';

/** What parsing one file produces, and the only thing that is kept of it. Edges are derived from the facts of all files. */
export interface FileFacts {
  /** Below the root, with forward slashes. */
  readonly path: string;
  readonly language: Language;
  readonly flags: readonly FileFlag[];
  /** Offset of the first character of each line. All offsets count UTF-16 units of the decoded text. */
  readonly lines: readonly number[];
  /** In order of appearance: a container stands before what it contains. */
  readonly definitions: readonly Definition[];
  /** By place. */
  readonly references: readonly Reference[];
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
  readonly bindings: readonly Binding[];
  /** What the file calls its own package or module, where the language has a word for that: `package store;`. */
  readonly package?: string;
  /** Of what was not read: words that it has, or calls that are lost in it. A file of which nothing is known has `*`. */
  readonly lost?: readonly string[];
  /** The part of a manifest that resolution needs; only `manifest` files have one. */
  readonly manifest?: Manifest;
}

export type Language = CodeLanguage | 'manifest';

/**
 * `sample` and `product`: the settings say that it is one. `damaged`: the parser met code it could not read, and facts
 * around it may be missing. `cut`: only the beginning was read. Those from `too-large` to `unreadable` say why there are no
 * facts.
 */
export type FileFlag =
  | 'test'
  | 'generated'
  | 'vendored'
  | 'damaged'
  | 'too-large'
  | 'minified'
  | 'binary'
  | 'not-utf8'
  | 'slow'
  | 'unreadable'
  | 'cut'
  | 'sample'
  | 'product';

export type DefinitionKind =
  | 'namespace'
  | 'class'
  | 'struct'
  | 'interface'
  | 'trait'
  | 'enum'
  | 'type'
  | 'function'
  | 'method'
  | 'field'
  | 'variable'
  | 'constant';

export interface Definition {
  readonly name: string;
  readonly kind: DefinitionKind;
  /** Index of the enclosing definition, -1 for the module. */
  readonly container: number;
  /** Of the whole definition, decorators and doc comment left out. */
  readonly start: number;
  readonly end: number;
  /** Where the name stands. */
  readonly at: number;
  /** At most 200 characters, on one line. */
  readonly signature: string;
  readonly exported: boolean;
  readonly visibility: Visibility;
  /** First line of the doc comment. */
  readonly doc?: string;
  readonly traits: readonly Trait[];
  readonly bases: readonly Base[];
  readonly generics: readonly Generic[];
  /** Of functions and methods; without the receiver (`self`), which `this` stands for. */
  readonly parameters: readonly Parameter[];
  /** As declared: what a function returns, what a variable or field is, what a type alias stands for. In type space. */
  readonly type?: Expression;
  /** Without a declared type: the values a function returns or yields, or what a variable is set to first. In value space. */
  readonly values: readonly Expression[];
}

/** `special`: called by the language, as constructors, `__init__` and operators are. */
export type Visibility = 'public' | 'private' | 'special';

/**
 * `declared`: without a body, as an overload, a member of an interface or a prototype. `callable`: a variable or field
 * that holds a function. `wrapped`: a decorator may have changed what it is. `local`: visible inside its container alone,
 * as a function inside a function is, while a member is reached through its container. `test`: there for tests, with all in it,
 * whatever its file is there for. `unbound`: a function that says what `this` is, so that it is called as a member of something.
 */
export type Trait =
  | 'static'
  | 'abstract'
  | 'async'
  | 'generator'
  | 'getter'
  | 'setter'
  | 'constructor'
  | 'declared'
  | 'callable'
  | 'wrapped'
  | 'local'
  | 'optional'
  | 'test'
  | 'unbound';

export interface Base {
  /** `adds`: what is written elsewhere for a type, as a Rust `impl` block or a Go receiver; the definition itself is the target. */
  readonly how: 'extends' | 'implements' | 'embeds' | 'adds';
  /** In type space, except that classes may extend a value: `class A extends mixin(B)`. */
  readonly type: Expression;
  readonly at: number;
}

/**
 * `implements`: a function stands where a member of a type is wanted, as in `{ save }` for a `Store`, or an object of a type with
 * one method. The receiver is that member or that type. The name is that of the function; one without a name belongs to what
 * is around it.
 */
export interface Reference {
  /** Index of the innermost named definition around it, -1 for the module. */
  readonly within: number;
  readonly name: string;
  readonly kind: 'call' | 'new' | 'type' | 'reference' | 'decorator' | 'implements';
  /** What stands before the name: `a.b` in `a.b.name()`. In value space. */
  readonly receiver?: Expression;
  /** Where the name stands. */
  readonly at: number;
  /** How many arguments a call has, as far as that is plain: no spread among them. */
  readonly args?: number;
  /** The arguments themselves, where functions of one name differ by their types. */
  readonly given?: readonly Expression[];
}

export interface Import {
  /** What it is called here; empty for an import that binds nothing. `*` brings in all names of the module. */
  readonly local: string;
  /** As written; dots of a relative Python import included. */
  readonly module: string;
  /** What the module calls it; `*` is the module itself, `default` its default export. */
  readonly name: string;
  readonly kind: 'value' | 'type' | 'effect' | 'star' | 'dynamic';
  /** The definition in whose body it stands, -1 for the module. */
  readonly within: number;
  readonly at: number;
}

export interface Export {
  /** `*` for all names of `module`, `=` for what replaces the module as a whole (`export =`, `module.exports =`). */
  readonly name: string;
  /** What it is called in this file, or in `module`; `*` is the module itself. */
  readonly local: string;
  /** Re-exported from there. */
  readonly module?: string;
  /** What is exported when it has no name of its own: `export default make()`. */
  readonly value?: Expression;
  readonly at: number;
}

/** A name that is no definition: a parameter, a local variable, a loop variable, what a pattern takes apart. */
export interface Binding {
  readonly name: string;
  /** Index of the innermost named definition around it, -1 for the module. */
  readonly within: number;
  /** Where the name means this: the block, function or comprehension it belongs to. */
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly type?: Expression;
  readonly value?: Expression;
}

/** Reduced to what import resolution asks for; the shape depends on the file's name. */
export type Manifest = Readonly<Record<string, unknown>>;

/** `Container.name` from the outside in, `~n` for the nth of equal ones after the first, in order of appearance. */
export function keysOf({ definitions }: Pick<FileFacts, 'definitions'>): string[] {
  const keys: string[] = [];
  const seen = new Map<string, number>();
  for (const definition of definitions) {
    const { name, container } = definition;
    const outer = keys[container] ?? addedTo(definition);
    const key = outer === undefined ? name : `${outer}.${name}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    keys.push(count === 1 ? key : `${key}~${count}`);
  }
  return keys;
}

/** The name of the type in another file that a member is written for. */
function addedTo({ bases }: Definition): string | undefined {
  let type = bases.find(({ how }) => how === 'adds')?.type;
  if (type?.is === 'apply') type = type.of;
  return type?.is === 'name' || type?.is === 'member' ? type.name : undefined;
}
