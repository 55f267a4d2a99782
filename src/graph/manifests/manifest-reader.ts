/** How the manifests of one language are read; its `manifests.ts` says it. */
export interface ManifestReader {
  /** What resolution needs, by the name of the file; undefined for a file that says nothing to it. */
  read(name: string, text: string): Readonly<Record<string, unknown>> | undefined;
  /** Where that has the name of the package. */
  readonly nameKey: string;
  /** Where it has what the code of the package is called instead. */
  readonly otherNamesKey?: string;
  /** What a package depends on, by the name of the file. */
  readonly needs: Readonly<Record<string, (text: string) => PackageNeeds>>;
}

/** What a manifest calls its package, and what that says it depends on. Names are of one kind of manifest each. */
export interface PackageNeeds {
  readonly name: string | undefined;
  /** Words that may be names of packages: most are of packages from elsewhere. */
  readonly names: readonly string[];
  /** Relative to the manifest. */
  readonly paths: readonly string[];
}
