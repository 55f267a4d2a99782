import type { SourceModule } from '../source-graph.mjs';

export declare function createReach(
  modules: ReadonlyMap<string, SourceModule>,
  texts: ReadonlyMap<string, string>,
): { byImport(file: string): readonly string[]; byBuild(file: string): readonly string[] };
