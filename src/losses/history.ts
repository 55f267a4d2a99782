import { readHead, UNBORN } from '../git/head.ts';
import { openObjects } from '../git/objects.ts';
import type { Objects } from '../git/objects.ts';
import { countOnly } from '../git/reach.ts';
import { readRefs, readSettings } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { readSmall, sharedDir } from '../git/repository.ts';
import { inflate } from '../platform/inflate.ts';
import { join } from '../platform/paths.ts';
import { Unseen, WHY } from './world.ts';
import type { LossWorld } from './world.ts';

const REMOTES = 'refs/remotes/';
const HEADS = 'refs/heads/';

/** The commits of a repository, and what leads to them. */
export interface History {
  /** `UNBORN` before the first commit. */
  readonly head: string;
  /** The branch that is checked out; undefined when none is. */
  readonly branch: string | undefined;
  readonly refs: ReadonlyMap<string, string>;
  /** Undefined when the settings do not tell all of them. */
  readonly remotes: readonly string[] | undefined;
  readonly objects: Objects;
  /** How many commits `from` leads to and none of the others does. */
  count(from: string, others: readonly string[]): Promise<number>;
  /** What a name such as `HEAD~2` or `origin/main` stands for. */
  find(name: string): Promise<string>;
  /** A remote branch that leads to the commit; undefined when none does. */
  remoteWith(sha: string): Promise<string | undefined>;
}

export function readHistory(world: LossWorld, repository: Repository): History {
  const { files, git } = world;
  const { gitDir, top } = repository;
  const head = readHead(files, repository);
  const refs = readRefs(files, repository);
  if (head === undefined || !refs) throw new Unseen(WHY.unreadable);
  const objects = openObjects(files, sharedDir(files, gitDir) ?? gitDir, inflate);
  const commitOf = objects.commit;
  const branch = /^ref: refs\/heads\/(.+)$/.exec(readSmall(files, join(gitDir, 'HEAD')) ?? '')?.[1];

  const count = async (from: string, others: readonly string[]): Promise<number> => {
    const found = countOnly(commitOf, from, others);
    if (found !== undefined) return found;
    const text = await git(top, ['rev-list', '--count', from, '--not', ...new Set(others)]);
    const counted = Number.parseInt(text ?? '', 10);
    if (Number.isNaN(counted)) throw new Unseen(WHY.tooMuch);
    return counted;
  };
  const find = async (name: string): Promise<string> => {
    const sha = findHere(name) ?? (await git(top, ['rev-parse', '-q', '--verify', `${name}^{commit}`]))?.trim();
    if (sha === undefined || !/^[0-9a-f]{40}$/.test(sha)) throw new Unseen(WHY.noCommit);
    return sha;
  };
  const findHere = (name: string): string | undefined => {
    const [, start = '', steps = ''] = /^(.*?)((?:[~^]\d*)*)$/.exec(name) ?? [];
    let sha: string | undefined = nameToCommit(start, head, refs);
    for (const [, kind, digits = ''] of steps.matchAll(/([~^])(\d*)/g)) {
      const number = digits === '' ? 1 : Number(digits);
      for (let step = kind === '~' ? number : 1; step > 0 && sha !== undefined; step -= 1)
        sha = commitOf(sha)?.parents[kind === '~' ? 0 : number - 1];
    }
    return sha;
  };
  const remoteWith = async (sha: string): Promise<string | undefined> => {
    const tips = [...refs].filter(([name]) => name.startsWith(REMOTES) && !name.endsWith('/HEAD'));
    // The branch of the same name is the one to name.
    tips.sort(([a], [b]) => Number(b.endsWith(`/${branch}`)) - Number(a.endsWith(`/${branch}`)));
    const same = tips.find(([, tip]) => tip === sha);
    if (same) return shortName(same[0]);
    if (
      (await count(
        sha,
        tips.map(([, tip]) => tip),
      )) > 0
    )
      return undefined;
    for (const [name, tip] of tips) if (countOnly(commitOf, sha, [tip]) === 0) return shortName(name);
    return 'a remote branch';
  };
  return { head, branch, refs, remotes: readSettings(files, repository).remotes, objects, count, find, remoteWith };
}

function nameToCommit(name: string, head: string, refs: History['refs']): string | undefined {
  if (name === 'HEAD' || name === '@') return head === UNBORN ? undefined : head;
  if (/^[0-9a-f]{40}$/.test(name)) return name;
  for (const prefix of ['', 'refs/', 'refs/tags/', HEADS, REMOTES]) {
    const sha = refs.get(prefix + name);
    if (sha !== undefined) return sha;
  }
  return refs.get(`${REMOTES}${name}/HEAD`);
}

function shortName(ref: string): string {
  return ref.slice(REMOTES.length);
}

/** What stands in the reflog of stashes, oldest first; the messages alone. */
export function readStashes({ files }: LossWorld, { gitDir }: Repository): readonly string[] {
  const shared = sharedDir(files, gitDir) ?? gitDir;
  const log = files.readText(join(shared, 'logs/refs/stash'), 1 << 20) ?? '';
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(line.indexOf('\t') + 1));
}
