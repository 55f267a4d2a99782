/**
 * A piece of code, reduced to what says which definition it leads to. Extractors of all languages translate into this, so
 * that resolution is one. The same name can mean a value or a type: fields called `type` are read in type space, the
 * others in value space, and `as` and `typeof` lead from one to the other.
 */
export type Expression =
  /** `at` is where it stands, which decides what it means. */
  | { readonly is: 'name'; readonly name: string; readonly at: number }
  /** The object whose method this is, whatever the language calls it: `this`, `self`, the receiver. */
  | { readonly is: 'this'; readonly at: number }
  | { readonly is: 'super'; readonly at: number }
  /** `a.b`, `a::b`, `a['b']`; in type space also `T['b']`. */
  | { readonly is: 'member'; readonly of: Expression; readonly name: string }
  /** One element by a computed key: `a[i]`. In type space: what `T[]` has in it. */
  | { readonly is: 'element'; readonly of: Expression }
  /** What a loop takes from it. */
  | { readonly is: 'each'; readonly of: Expression }
  /** Also of a class where calling makes an object, as in Python. */
  | {
      readonly is: 'call';
      readonly of: Expression;
      readonly args: readonly Expression[];
      readonly types?: readonly Expression[];
    }
  | {
      readonly is: 'new';
      readonly of: Expression;
      readonly args: readonly Expression[];
      readonly types?: readonly Expression[];
    }
  | { readonly is: 'await'; readonly of: Expression }
  /** The value `of` entered by a `with` block or its like. */
  | { readonly is: 'entered'; readonly of: Expression }
  /** One of several: `a ?? b`, `c ? a : b`, `A | B`. */
  | { readonly is: 'either'; readonly of: readonly Expression[] }
  /** All at once: `A & B`, `Object.assign(a, b)`, `{...a, b}`. */
  | { readonly is: 'both'; readonly of: readonly Expression[] }
  /** A literal list or tuple, or the type of one. */
  | { readonly is: 'tuple'; readonly of: readonly Expression[] }
  /** The nth part of a tuple or of several results. */
  | { readonly is: 'part'; readonly of: Expression; readonly n: number }
  /** A literal object, or the type of one. */
  | { readonly is: 'record'; readonly fields: readonly (readonly [name: string, value: Expression])[] }
  /** A function without a name, or the type of one. `values` are what it returns when no type says so. */
  | {
      readonly is: 'function';
      readonly parameters: readonly Parameter[];
      readonly generics?: readonly Generic[];
      readonly type?: Expression;
      readonly values?: readonly Expression[];
      readonly async?: boolean;
    }
  /**
   * What the place of the nth argument of a call expects; the call's own arguments may decide it, and `result`, which is
   * what the place of the call itself expects.
   */
  | { readonly is: 'expected'; readonly call: Expression; readonly n: number; readonly result?: Expression }
  /** What a function calls its nth parameter with. */
  | { readonly is: 'parameter'; readonly of: Expression; readonly n: number }
  /** `Foo<Bar>`; containers of the language as well: `Array<T>`, `list<T>`, `Vec<T>`. */
  | { readonly is: 'apply'; readonly of: Expression; readonly types: readonly Expression[] }
  /** A value of this type: a cast, `x as T`, a compound literal. */
  | { readonly is: 'as'; readonly type: Expression }
  /** In type space: the type of a value. */
  | { readonly is: 'typeof'; readonly value: Expression }
  /** A literal, by the name of its type in the language: `string`, `number`, `str`, `int`. `text` where it matters. */
  | { readonly is: 'literal'; readonly type: string; readonly text?: string }
  | { readonly is: 'unknown' };

export interface Parameter {
  /** Empty for a pattern. */
  readonly name: string;
  readonly type?: Expression;
  /** What it is without an argument. */
  readonly value?: Expression;
  readonly rest?: boolean;
  readonly optional?: boolean;
}

/** A type parameter. */
export interface Generic {
  readonly name: string;
  readonly bound?: Expression;
  readonly preset?: Expression;
}

export const UNKNOWN: Expression = { is: 'unknown' };

/** More than this is cut off by the extractors: what is deeper says little and costs much. */
export const MAX_DEPTH = 24;
