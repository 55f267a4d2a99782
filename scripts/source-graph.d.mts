export interface SourceModule {
  readonly path: string;
  readonly imports: readonly { readonly target: string; readonly isType: boolean; readonly names: readonly string[] }[];
}

export declare function readModule(path: string, text: string): SourceModule;
