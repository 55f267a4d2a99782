import type { Repository } from '../git/repository.ts';
import type { Picks } from '../losses/picked.ts';
import type { Fate } from './manifest.ts';

/** A path to keep. */
export interface PlannedPath {
  readonly path: string;
  readonly fate: Fate;
  /** Should nothing be there, that is noted. */
  readonly absent?: true;
  /** The entry alone, whatever lies below it. */
  readonly alone?: true;
  /** Below it only what this picks, by the path from there. */
  readonly picked?: Picks;
}

/** What of a repository is to be kept beside its files. */
export interface PlannedRepository {
  readonly repository: Repository;
  /** Whole names of refs; `HEAD` stands for itself. */
  readonly refs: readonly string[];
  /** Paths of reflogs. */
  readonly logs: readonly string[];
  readonly index: boolean;
  /** What is packed: all that these lead to and the others do not. */
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  /** Objects that are packed by themselves. */
  readonly objects: readonly string[];
}

export interface Plan {
  readonly paths: readonly PlannedPath[];
  readonly repositories: readonly PlannedRepository[];
}

export const NOTHING: Plan = { paths: [], repositories: [] };
