import type { Expression } from '../model/expression.ts';
import type { Binding, FileFacts } from '../model/facts.ts';

/** What a name leads to. A name may mean several: an interface and a constant, overloads, a namespace merged with a class. */
export type Meaning =
  | { readonly is: 'definition'; readonly file: FileFacts; readonly index: number }
  | { readonly is: 'binding'; readonly file: FileFacts; readonly binding: Binding }
  /** A module or package: one file, or all files of a directory. */
  | { readonly is: 'module'; readonly files: readonly FileFacts[] }
  /** What has no name where it is: `export default make()`. */
  | { readonly is: 'value'; readonly file: FileFacts; readonly value: Expression }
  /** Known to lie outside the project. */
  | { readonly is: 'outside' };
