export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
}

/** What a CycloneDX bill has that the release reads. */
export interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

export declare function nextVersion(current: string, wanted: string): string;
export declare function releaseChangelog(text: string, version: string, day: string): string;
export declare function packageOf(path: string): string | undefined;
export declare function billOfPackage(bill: Bill, shipped: ReadonlySet<string>): Bill;
