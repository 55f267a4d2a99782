import type { Releases, ResourceSample } from '../event/facts.ts';
import { isMounted } from './mounts.ts';
import { readResources } from './resources.ts';
import { runGit } from './run-git.ts';

/** Where slow facts come from. Each answers undefined for what cannot be found out. */
export interface FactSources {
  /** What a git command that only reads prints in a directory; it is ended when it takes longer than `limitMs`. */
  git(dir: string, args: readonly string[], limitMs?: number): Promise<string | undefined>;
  resources(dir: string): Promise<ResourceSample | undefined>;
  isMounted(path: string): Promise<boolean | undefined>;
  /** Instead of what the files of packages and agents say. */
  releases?(root: string, searchPath: string | undefined): Promise<Releases | undefined>;
}

export const machineSources: FactSources = {
  git: runGit,
  resources: (dir) => readResources(dir),
  isMounted: (path) => isMounted(path),
};
