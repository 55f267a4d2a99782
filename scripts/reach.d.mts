/** Parts of the product, and the tests in test/process/ that start it to see them. */
export declare const STARTED: Readonly<Record<string, readonly string[]>>;

/**
 * The tests that `changed` reaches, of `texts`: every file of code by its path, with what is in it. Paths are from the
 * root, with slashes. A changed file need not be there any more.
 */
export declare function testsReached(texts: ReadonlyMap<string, string>, changed: readonly string[]): string[];

/** Every file of code below `root` that git knows or would know, with its text. */
export declare function readTexts(root: string): Map<string, string>;

/** What differs from `base`, and files that git does not know yet. Without `base`: from where HEAD left main. */
export declare function changedSince(
  root: string,
  base?: string,
): { readonly base: string; readonly changed: readonly string[] };
