import { NEVER } from '../event/facts.ts';
import type { RuleFacts, Walk, Commits, LastCommit } from '../event/facts.ts';
import { headStamp } from '../git/head.ts';
import { findRepository } from '../git/repository.ts';
import type { FactSources } from '../platform/fact-sources.ts';
import type { Files } from '../platform/files.ts';
import type { lookForLosses } from '../losses/losses.ts';
import type { HomePlace } from './home-facts.ts';
import { createKeeper } from './keep.ts';
import type { KeeperOptions, Keeping } from './keep.ts';

type Git = FactSources['git'];

/** Paths count from `dir` and are names, not patterns. */
async function countCommits(
  git: Git,
  dir: string,
  since: number,
  paths: readonly string[],
): Promise<Commits | undefined> {
  const chosen = [`--max-age=${Math.floor(since / 1_000) + 1}`, 'HEAD', '--', ...paths];
  const counted = await git(dir, ['rev-list', '--count', ...chosen]);
  const count = Number.parseInt(counted ?? '', 10);
  if (Number.isNaN(count)) return undefined;
  // Most often there is none, and nothing more to ask.
  const newest = count === 0 ? '' : await git(dir, ['log', '-1', '--format=%s', ...chosen]);
  return newest === undefined ? undefined : { count, newest: newest.trimEnd() };
}

async function lastCommitOf(git: Git, dir: string, path: string): Promise<LastCommit | undefined> {
  const text = await git(dir, ['log', '-1', '--format=%ct %H', 'HEAD', '--', path]);
  const [seconds = '', sha = ''] = text?.trim().split(' ') ?? [];
  if (text === undefined) return undefined;
  return seconds === '' ? NEVER : { sha, at: Number(seconds) * 1_000 };
}

export interface FactsOptions extends Pick<KeeperOptions, 'now' | 'soon' | 'afterReply'> {
  readonly sources: FactSources;
  readonly files: Files;
  readonly home: HomePlace;
  readonly waitMs?: number;
}

export interface Facts extends RuleFacts {
  /** Nothing is being found out any more. */
  idle(): Promise<void>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const WAIT_MS = 40;
/** With reading and deciding, a call that would be stopped waits 50 ms. */
const LOOK_MS = 30;

/** A repository of the same HEAD has the same commits, so these could be kept for ever. */
const GIT: Keeping = { keepMs: 5 * MINUTE, lateMs: 60 * MINUTE, limitMs: 15 * SECOND };
const RESOURCES: Keeping = { keepMs: 10 * SECOND, lateMs: 2 * MINUTE, limitMs: 5 * SECOND };
const MOUNTS: Keeping = { keepMs: MINUTE, lateMs: 10 * MINUTE, limitMs: 500 };
/** Its stamp tells of files that came or went, not of those that grew. */
const WALK: Keeping = { keepMs: 5 * MINUTE, lateMs: 60 * MINUTE, limitMs: MINUTE };
const HOME: Keeping = { keepMs: MINUTE, lateMs: 10 * MINUTE, limitMs: 5 * SECOND };

/** Finds out what takes longer than an event may. Nothing is looked at, or loaded for it, before a rule asks. */
export function createFacts({ sources, files, home, waitMs = WAIT_MS, ...timing }: FactsOptions): Facts {
  const { now } = timing;
  const { ask, idle } = createKeeper({ ...timing, waitMs });
  const own = () => import('./home-facts.ts');
  // To ask for a module that is there takes several times as long as a look.
  let look: typeof lookForLosses | undefined;
  const loadLook = async () => (look ??= (await import('../losses/losses.ts')).lookForLosses);
  return {
    commits(dir, since, paths = []) {
      const repository = findRepository(files, dir);
      if (!repository) return undefined;
      const key = keyOf('commits', dir, headStamp(files, repository), String(since), ...paths);
      return ask(key, GIT, () => countCommits(sources.git, dir, since, paths));
    },
    lastCommit(dir, path) {
      const repository = findRepository(files, dir);
      if (!repository) return NEVER;
      const key = keyOf('lastCommit', dir, headStamp(files, repository), path);
      return ask(key, GIT, () => lastCommitOf(sources.git, dir, path));
    },
    resources: (dir) => ask(keyOf('resources', dir), RESOURCES, () => sources.resources(dir)),
    isMounted: (path) => ask(keyOf('mounted', path), MOUNTS, () => sources.isMounted(path)),
    keyAgeDays: (root, keyPath) =>
      ask(keyOf('key', root, keyPath ?? ''), HOME, async () =>
        (await own()).keyAge({ ...home, files }, root, keyPath, now()),
      ),
    walk: (name, stamp, steps) => ask(keyOf('walk', name, stamp), WALK, () => walkThrough(steps(), timing.afterReply)),
    releases: (root, searchPath) =>
      ask(keyOf('releases', root, searchPath ?? ''), HOME, async () =>
        sources.releases
          ? sources.releases(root, searchPath)
          : (await own()).findReleases({ ...home, files }, root, searchPath),
      ),
    // Not kept, as a file may change at any time, so that it takes no part in what others keep.
    losses(effects) {
      const limitMs = waitMs === Infinity ? undefined : Math.min(waitMs, LOOK_MS);
      // Nobody wants an answer that comes later.
      const git: typeof sources.git = (dir, args) => sources.git(dir, args, limitMs);
      const world = { files, git, userHome: home.userHome, env: home.env };
      const looks = look ? look(effects, world) : loadLook().then((loaded) => loaded(effects, world));
      if (limitMs === undefined) return looks;
      const timeIsUp = new Promise<undefined>((resolve) => timing.soon(limitMs, () => resolve(undefined)));
      return Promise.race([looks, timeIsUp]);
    },
    idle,
  };
}

/** As many files as take a millisecond or two. */
const STEPS_AT_ONCE = 25;

async function walkThrough<T>(walk: Walk<T>, afterReply: KeeperOptions['afterReply'] = queueMicrotask): Promise<T> {
  for (let step = 1; ; step += 1) {
    const { done, value } = walk.next();
    if (done === true) return value;
    if (step % STEPS_AT_ONCE === 0)
      await new Promise<void>((resolve) => {
        afterReply(resolve);
      });
  }
}

/** No part of a key holds what parts it from the next. */
function keyOf(...parts: readonly string[]): string {
  return parts.join('\0');
}
