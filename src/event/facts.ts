import type { Effect } from './effect.ts';

/** Undefined: not found out in time, or not to be found out; a rule then passes and asks again at a later event. */
export type Fact<T> = T | undefined | Promise<T | undefined>;

/** In use, of how many. */
export interface Amount {
  readonly used: number;
  readonly total: number;
}

/** What a machine was found to have and to use; what could not be read is absent. */
export interface ResourceSample {
  readonly memory?: Amount;
  /** Share of the last ten seconds in which some, or all, work waited for memory; percent. */
  readonly pressure?: { readonly some: number; readonly full: number };
  readonly swap?: Amount;
  readonly disk?: Amount;
  readonly load?: { readonly average: number; readonly cpus: number };
}

export interface Commits {
  readonly count: number;
  /** The subject of the newest one. */
  readonly newest: string;
}

export interface LastCommit {
  readonly sha: string;
  /** To the second. */
  readonly at: number;
}

/** Of what no commit has changed. */
export const NEVER: LastCommit = { sha: '', at: 0 };

/** The versions of the parts of this installation; a part that was not found, or whose version cannot be read, is absent. */
export interface Releases {
  /** What answers events; `dev` when it was built from a working copy of its sources. */
  readonly engine: string;
  /** What the person's shell would run. */
  readonly installed?: string;
  /** What the agent's hooks were registered by. */
  readonly registered?: string;
}

/**
 * What can be lost: files with changes that no commit has; files that git does not know, that it ignores, or that lie in no
 * repository; commits that nothing else leads to; commits that others have and that are replaced; stashes; repositories.
 */
export type LostWhat =
  | 'changed'
  | 'untracked'
  | 'ignored'
  | 'unversioned'
  | 'commits'
  | 'shared'
  | 'stashes'
  | 'repositories';

export interface Lost {
  readonly what: LostWhat;
  readonly count: number;
  /** The first of them by name, or for commits that are shared the branch that has them. */
  readonly names: readonly string[];
}

/** What a look at the disk found, or why there was none, in words that follow a colon. */
export type Look =
  | {
      readonly lost: readonly Lost[];
      /** No more than that: the call takes some of it. */
      readonly isAtMost?: boolean;
      /** What a remote has was known when it was last asked. */
      readonly isOfRemote?: boolean;
    }
  | { readonly unseen: string };

export type Walk<T> = Generator<void, T, void>;

/**
 * What is found out in the background and kept for a while. An event waits for it a few dozen milliseconds at most; asking
 * without awaiting the answer has it ready for a later event.
 */
export interface RuleFacts {
  /** Commits after a time in the repository that holds `dir`, of those that touch one of `paths` where any are named. */
  commits(dir: string, since: number, paths?: readonly string[]): Fact<Commits>;
  /** The last commit that changed a path; `NEVER` when none did, as where there is no repository. */
  lastCommit(dir: string, path: string): Fact<LastCommit>;
  resources(dir: string): Fact<ResourceSample>;
  /** Whether something is mounted at a directory; of a URL as `smb://host/share`, whether that share is mounted anywhere. */
  isMounted(place: string): Fact<boolean>;
  /** For how many days the key of the webhook of the project at `root` has been in use. */
  keyAgeDays(root: string, keyPath?: string): Fact<number | 'none'>;
  /** As seen by a person who works in `root`, with this search path for programs. */
  /**
   * What a walk through many files finds. It yields after each of them, so that other events are answered meanwhile; what it
   * found counts as long as `stamp` says that nothing has changed.
   */
  walk<T>(name: string, stamp: string, steps: () => Walk<T>): Fact<T>;
  releases(root: string, searchPath?: string): Fact<Releases>;
  /** What each effect would take away that nothing here brings back. Never kept: a file may change at any time. */
  losses(effects: readonly Effect[]): Fact<readonly Look[]>;
}

const unknown = (): undefined => undefined;

/** For an engine that has no time to find out anything. */
export const NO_FACTS: RuleFacts = {
  commits: unknown,
  lastCommit: unknown,
  resources: unknown,
  isMounted: unknown,
  keyAgeDays: unknown,
  walk: unknown,
  releases: unknown,
  losses: unknown,
};
