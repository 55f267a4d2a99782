/**
 * What every process may know of a language, by the `language.ts` of its folder. How it is read and resolved stands in
 * `extractor.ts` and `resolution.ts` beside it, which the indexing process alone loads. Lists are words with spaces between.
 */
export interface LanguageDescriptor {
  readonly name: string;
  /** Stands for it in stored data, and never for another one. */
  readonly code: number;
  /** Endings of its files, with the dot. Those in capitals mean it only when written so. */
  readonly endings: string;
  /** An ending that another language has as well, and what only that one has. */
  readonly byText?: { readonly ending: string; readonly text: RegExp; readonly language: string };
  /** Whole names of its files. */
  readonly files?: string;
  /** Programs that read it, as the first line of a script names them. */
  readonly programs?: string;
  /** Whole names of the files that say what a package is called and where its parts lie, and a pattern for further ones. */
  readonly manifests?: string;
  readonly manifestPattern?: RegExp;
  /** Paths of its tests. */
  readonly tests: RegExp;
  /** Whether definitions of one name in one place are declarations of one function. */
  readonly overloadsAreOne?: boolean;
  /** Whether a declaration and its definition may be in different files. */
  readonly declaresApart?: boolean;
  /** Whether the files of a directory are one module. */
  readonly packageIsDirectory?: boolean;
  /** Where methods stand apart from their type: the name of the type in the signature of a method. */
  readonly receiver?: RegExp;
}
