import { NO_FACTS } from '../event/facts.ts';
import type { Look, RuleFacts } from '../event/facts.ts';
import type { KeepResult } from '../event/keeping.ts';
import type { RuleFiles } from '../engine/rule.ts';

/**
 * What may have been at a place that nothing tells of. A decision that comes out the same in each of these worlds does not
 * depend on it; where it does, it is not known.
 */
export const WORLDS = ['nothing', 'file', 'dir'] as const;
export type World = (typeof WORLDS)[number];

/** One thing that nothing tells, and of which file, program or variable. */
export interface Missing {
  readonly what: string;
  readonly of?: string;
}

/** What a decision asked for that no transcript tells. */
export interface Asked {
  readonly missing: readonly Missing[];
  /** Whether trying every world settles it; false where contents would be needed. */
  readonly isTryable: boolean;
  /** All of it is what more the call may do, which can only make a decision stricter. */
  readonly isMore: boolean;
}

export interface Past {
  readonly files: RuleFiles;
  readonly facts: RuleFacts;
  keep(): Promise<KeepResult>;
  /** What a file held that a call runs or brings along: what the call would do beside. */
  contents(path: string): undefined;
  /** Anything else that only somebody who was there knows. */
  miss(what: string, of?: string): void;
  enter(world: World, known: Known): void;
  leave(): Asked;
}

/** What is told of the disk as an event found it. */
export interface Known {
  /** Directories that are there because the agent stands in them. */
  readonly dirs: readonly string[];
  /** What files held, by path; null for one that was not there. */
  readonly texts: ReadonlyMap<string, string | null>;
}

const NOTHING_KNOWN: Known = { dirs: [], texts: new Map() };
/** An event that asks for more is told apart by these. */
const MOST_MISSING = 12;
const LOST: Look = { lost: [{ what: 'untracked', count: 1, names: [] }] };

/** Takes the place of all that rules look at outside of the event. Nothing of it reads what is there today. */
export function createPast(): Past {
  let world: World = 'nothing';
  let known = NOTHING_KNOWN;
  let missing = new Map<string, Missing>();
  let isTryable = true;
  let isMore = true;

  const note = (what: string, of?: string): void => {
    if (missing.size < MOST_MISSING) missing.set(`${what} ${of}`, of === undefined ? { what } : { what, of });
  };
  const may = (what: string, of?: string): void => {
    note(what, of);
    isMore = false;
  };
  const miss = (what: string, of?: string): void => {
    may(what, of);
    isTryable = false;
  };
  const isKnownDir = (path: string) => known.dirs.some((dir) => dir === path || dir.startsWith(`${path}/`));
  const held = (path: string) => known.texts.get(path);

  const files: RuleFiles = {
    stat(path) {
      if (isKnownDir(path)) return { kind: 'dir', size: 0, mtimeMs: 0 };
      const text = held(path);
      if (text === null) return undefined;
      if (text !== undefined) return { kind: 'file', size: text.length, mtimeMs: 0 };
      may('whether a file was there', path);
      return world === 'nothing' ? undefined : { kind: world, size: 0, mtimeMs: 0 };
    },
    lstat: (path) => files.stat(path),
    realpath(path) {
      if (isKnownDir(path) || typeof held(path) === 'string') return path;
      may('whether a file was there', path);
      return world === 'nothing' ? undefined : path;
    },
    readText(path, most) {
      const text = held(path);
      if (text === undefined) miss('what a file held', path);
      return text?.slice(0, most) ?? undefined;
    },
    readRange(path) {
      miss('what a file held', path);
      return undefined;
    },
    list(dir) {
      miss('what a directory held', dir);
      return [];
    },
  };
  const ask = (what: string) => () => {
    miss(what);
    return undefined;
  };
  const facts: RuleFacts = {
    ...NO_FACTS,
    commits: ask('the commits of the repository'),
    lastCommit: ask('the commits of the repository'),
    resources: ask('how busy the machine was'),
    isMounted: ask('what was mounted'),
    keyAgeDays: ask('the age of a key'),
    walk: ask('the files of the project'),
    releases: ask('which versions were installed'),
    losses(effects) {
      may('what no commit had of what the call takes away');
      return effects.map(() => (world === 'nothing' ? { lost: [] } : LOST));
    },
  };
  return {
    files,
    facts,
    async keep() {
      may('what there was to copy');
      return world === 'nothing' ? { nothing: true } : { keepable: { names: [], files: 0, bytes: 0 } };
    },
    contents(path) {
      note('what a script held', path);
      isTryable = false;
      return undefined;
    },
    miss,
    enter(entered, told) {
      world = entered;
      known = told;
      missing = new Map();
      isTryable = true;
      isMore = true;
    },
    leave: () => ({ missing: [...missing.values()], isTryable, isMore }),
  };
}
