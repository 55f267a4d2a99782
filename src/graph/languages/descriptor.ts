/**
 * What every process may know of a language, by the `language.ts` of its folder. How it is read and resolved stands in
 * `extractor.ts` and `resolution.ts` beside it, which the indexing process alone loads. Lists are words with spaces between.
 */
export interface LanguageDescriptor {
  readonly name: string;
  /** Stands for it in stored data, and never for another one. */
  readonly code: number;
  /** Languages whose files can use each other's definitions have the same; without it, its name. */
  readonly family?: string;
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
  /** Paths of files that declare what others define. */
  readonly stubs?: RegExp;
  /** The signature of a method that is read as a value, not called. */
  readonly getter?: RegExp;
  /** What only its tests have in their text. */
  readonly testText?: RegExp;
  /** The name of a symbol, behind those that it lies in, where tests stand beside the code that they test. */
  readonly testScope?: RegExp;
  /** Whether definitions of one name in one place are declarations of one function. */
  readonly overloadsAreOne?: boolean;
  /** Where a name cannot be defined twice in one build, so that several definitions are variants of one. */
  readonly variants?: {
    readonly in: 'file' | 'directory';
    /** Functions differ by their parameters. */
    readonly bySignature?: true;
    /** Names of which there may be any number. */
    readonly repeated?: RegExp;
    /** The signature of methods that are one by their name; others may be of different traits. */
    readonly methods?: RegExp;
  };
  /** Whether a declaration and its definition may be in different files. */
  readonly declaresApart?: boolean;
  /** Whether the files of a directory are one module. */
  readonly packageIsDirectory?: boolean;
  /** Where methods stand apart from their type: the name of the type in the signature of a method. */
  readonly receiver?: RegExp;
  /** Where a type implements an interface by having its members. */
  readonly methodSets?: {
    /** The signature of such an interface. Without it every interface is one, and nothing else is overridden. */
    readonly contract?: RegExp;
    /** Names that only their own package sees. */
    readonly hidden?: RegExp;
    /** Whether two methods of one name can have the same types, by what stands behind their names. */
    haveSameTypes?(own: string, wanted: string, isAlias: (name: string) => boolean): boolean;
    /** The types that a signature says are part of this one: that of an interface, or of a field that is called like its type. */
    embedded?(signature: string): readonly string[];
    /** What stands behind the names of the methods of a type outside the project, by name; undefined where it is not known. */
    outside?(type: string): ReadonlyMap<string, string> | undefined;
    /** The signature of a type that is another name for one, and of one with type parameters. */
    readonly alias?: RegExp;
    readonly generic?: RegExp;
  };
}
