import { Unseen } from '../losses/world.ts';
import { ChangedMeanwhile } from '../platform/entries.ts';
import type { EntryStat } from '../platform/entries.ts';
import { dirname, join, relative, contains } from '../platform/paths.ts';
import { nextTurn, within } from '../platform/timers.ts';
import { readHead } from '../git/head.ts';
import { readSmall } from '../git/repository.ts';
import type { Kept, KeepResult } from '../event/keeping.ts';
import type { KeepRequest } from './keeper.ts';
import type { KeptEntry, KeptRepository, Manifest, Fate } from './manifest.ts';
import { realDir } from './real-dir.ts';
import { isOutput, planAll } from './plan.ts';
import type { Plan, PlannedRepository, PlannedPath } from './planned.ts';
import { readAllRefs } from './repository-state.ts';
import type { Draft, Store } from './store.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';
import { compileGlob, matchGlob } from '../text/glob.ts';
import type { Glob } from '../text/glob.ts';

interface Surveyed {
  readonly path: string;
  readonly fate: Fate;
  /** Undefined for what is noted as absent. */
  readonly stat: EntryStat | undefined;
}

interface Survey {
  /** A directory stands before what lies in it. */
  readonly found: readonly Surveyed[];
  readonly bytes: number;
}

interface SurveyLimits {
  readonly bytes: number;
  /** Throws when the time is up. */
  checkTime(): void;
  readonly excluded: readonly string[];
  readonly root: string;
  /** Where copies lie: never a part of one. */
  readonly store: string;
}

/** All entries at and below the planned paths, before anything is read: what is too much is known at once. */
function survey({ entries }: UndoWorld, planned: readonly PlannedPath[], limits: SurveyLimits): Survey {
  const found = new Map<string, Surveyed>();
  const isExcluded = excludes(limits);
  let bytes = 0;
  const see = (path: string, from: string, { fate, alone, picked, absent }: PlannedPath): void => {
    limits.checkTime();
    if (found.has(path)) return;
    const stat = entries.look(path);
    if (!stat) {
      if (absent) found.set(path, { path, fate, stat });
      return;
    }
    if (!picked || (from !== '' && picked(from))) {
      if (contains(limits.store, path) || contains(path, limits.store)) throw new Unkept(WHY_NOT.own);
      if (isExcluded(path)) throw new Unkept(WHY_NOT.excluded);
      if (stat.kind === 'file' && (bytes += stat.size) > limits.bytes) throw new Unkept(WHY_NOT.large);
      found.set(path, { path, fate, stat });
    }
    if (stat.kind !== 'dir' || alone) return;
    for (const name of entries.names(path))
      see(join(path, name), from === '' ? name : `${from}/${name}`, { path, fate, ...(picked && { picked }) });
  };
  for (const each of planned) see(each.path, '', each);
  return { found: [...found.values()], bytes };
}

function excludes({ excluded, root }: SurveyLimits): (path: string) => boolean {
  const globs: readonly Glob[] = excluded.map((each) => compileGlob(each));
  if (globs.length === 0) return () => false;
  return (path) => {
    const from = relative(root, path);
    const inside = from.startsWith('..') ? undefined : from.split('/');
    return globs.some((glob) => matchGlob(glob, inside, path.split('/').slice(1)));
  };
}

/** Copies what a request is about, or says why not. */
export async function keep(store: Store, world: UndoWorld, request: KeepRequest): Promise<KeepResult> {
  const until = world.now() + request.budget.ms;
  const attempt = async (isThrifty: boolean): Promise<KeepResult> => {
    const left = Math.max(0, until - world.now());
    const plans = await within(left, planAll(request.effects, world, isThrifty), undefined);
    if (!plans) throw new Unkept(WHY_NOT.late);
    return keepPlanned(store, world, merge(plans), { ...request, until });
  };
  const isLarge = (error: unknown) => error instanceof Unkept && error.message === WHY_NOT.large;
  try {
    return await attempt(false).catch((error: unknown) => {
      if (isLarge(error)) return attempt(true);
      throw error;
    });
  } catch (error) {
    if (isLarge(error) && (await isOutput(request.effects, world))) return { nothing: true };
    return { unkept: reasonOf(error, store) };
  }
}

/** What a copy is about, and what it may take. */
export interface Keeping extends Pick<KeepRequest, 'about' | 'budget' | 'excluded' | 'isTrial'> {
  readonly until: number;
  /** The copy that is put back. */
  readonly undoes?: number;
}

/** Throws where no whole copy could be made. */
export async function keepPlanned(store: Store, world: UndoWorld, plan: Plan, keeping: Keeping): Promise<KeepResult> {
  const { about, budget, excluded, until, undoes, isTrial } = keeping;
  const checkTime = () => {
    if (world.now() > until) throw new Unkept(WHY_NOT.late);
  };
  const { found, bytes } = survey(world, plan.paths, {
    ...{ bytes: budget.bytes, checkTime, excluded, root: about.root, store: store.dir },
  });
  const isBare = found.every(({ stat }) => !stat);
  if (isBare && plan.repositories.every(isEmpty)) return { nothing: true };
  const names = namesOf(plan, about.root);
  const files = found.filter(({ stat }) => stat && stat.kind !== 'dir').length;
  if (isTrial) return { keepable: { names, files, bytes } };
  const draft = store.begin();
  try {
    const entries = await copyAll(world, draft, found, checkTime);
    const left = { bytes: budget.bytes - bytes, until };
    const repositories: KeptRepository[] = [];
    for (const each of plan.repositories) repositories.push(await copyRepository(world, draft, each, left));
    if (isBare && repositories.every(holdsNothing)) {
      draft.drop();
      return { nothing: true };
    }
    const manifest: Manifest = {
      version: 1,
      ...about,
      names,
      files,
      bytes,
      ...(undoes !== undefined && { undoes }),
      entries,
      links: linksIn(entries, world),
      repositories,
    };
    checkTime();
    return { kept: { number: draft.commit(manifest), names, files, bytes } satisfies Kept };
  } catch (error) {
    draft.drop();
    throw error;
  }
}

const isEmpty = ({ refs, logs, wants, objects }: PlannedRepository): boolean =>
  refs.every((name) => name === 'HEAD') && logs.length + wants.length + objects.length === 0;
const holdsNothing = ({ refs, logs, packs }: KeptRepository): boolean =>
  refs.every(({ name }) => name === 'HEAD') && logs.length + packs.length === 0;

/** One plan for all effects: parts of the same repository go together, so that nothing counts as held that another effect takes. */
function merge(plans: readonly Plan[]): Plan {
  const repositories = new Map<string, PlannedRepository>();
  for (const each of plans.flatMap((plan) => plan.repositories)) {
    const before = repositories.get(each.repository.gitDir);
    const joined = <Key extends 'refs' | 'logs' | 'wants' | 'objects'>(key: Key) => [
      ...new Set([...(before?.[key] ?? []), ...each[key]]),
    ];
    const wants = joined('wants');
    const haves = before ? each.haves.filter((sha) => before.haves.includes(sha)) : each.haves;
    repositories.set(each.repository.gitDir, {
      ...{ repository: each.repository, index: each.index || before?.index === true },
      ...{ refs: joined('refs'), logs: joined('logs'), objects: joined('objects'), wants, haves },
    });
  }
  return { paths: plans.flatMap(({ paths }) => paths), repositories: [...repositories.values()] };
}

async function copyAll(
  world: UndoWorld,
  draft: Draft,
  found: readonly Surveyed[],
  checkTime: () => void,
): Promise<readonly KeptEntry[]> {
  const { entries } = world;
  const known = new Map<string, KeptEntry & { readonly kind: 'file' }>();
  const copyEntry = ({ path, fate, stat }: Surveyed): KeptEntry => {
    checkTime();
    if (!stat) return { path, fate, kind: 'absent', mode: 0, mtimeMs: 0 };
    const { kind, mode, mtimeMs, owner, dev, ino, nlink } = stat;
    const about = { path, fate, mode, mtimeMs, ...(owner && { owner }) };
    if (kind === 'link') return { ...about, kind, target: entries.readLink(path) };
    if (kind !== 'file') return { ...about, kind };
    if (nlink === 1) return { ...about, kind, ...addPatiently(draft, path, checkTime) };
    const inode = `${dev}:${ino}`;
    const twin = known.get(inode);
    if (twin) return { ...about, kind, inode, sha: twin.sha, size: twin.size, twin: twin.path };
    const kept = { ...about, kind, inode, ...addPatiently(draft, path, checkTime) };
    known.set(inode, kept);
    return kept;
  };
  const copied: KeptEntry[] = [];
  let rested = world.now();
  for (const each of found) {
    copied.push(copyEntry(each));
    // What others want copied is not kept waiting.
    if (world.now() - rested < TURN_MS) continue;
    await nextTurn();
    rested = world.now();
  }
  return copied;
}

const TURN_MS = 20;

/** The directories of entries that are reached through links, and where those lead. */
function linksIn(entries: readonly KeptEntry[], { files }: UndoWorld): NonNullable<Manifest['links']> {
  const dirs = new Set(entries.map(({ path }) => dirname(path)));
  return [...dirs].flatMap((dir) => {
    const real = realDir(files, dir);
    return real === undefined || real === dir ? [] : [[dir, real] as const];
  });
}

/** Once more for a file that somebody has just written. */
function addPatiently(draft: Draft, path: string, checkTime?: () => void): { sha: string; size: number } {
  try {
    return draft.add(path, checkTime);
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    return draft.add(path, checkTime);
  }
}

async function copyRepository(
  world: UndoWorld,
  draft: Draft,
  planned: PlannedRepository,
  left: { readonly bytes: number; readonly until: number },
): Promise<KeptRepository> {
  const { files, entries, feed } = world;
  const { repository, refs, logs, index, wants, haves, objects } = planned;
  const { top, gitDir } = repository;
  const pack = async (args: readonly string[], lines: readonly string[]): Promise<readonly string[]> => {
    if (lines.length === 0) return [];
    const output = draft.scratch;
    const done = await feed(top, ['pack-objects', '-q', '--stdout', '--window=0', '--delta-base-offset', ...args], {
      ...{
        input: `${lines.join('\n')}\n`,
        output,
        maxBytes: left.bytes,
        limitMs: Math.min(MOST_PACK_MS, Math.max(1, left.until - world.now())),
      },
    });
    if (done === undefined) throw new Unkept(world.now() > left.until ? WHY_NOT.late : WHY_NOT.git);
    const size = entries.look(output)?.size ?? 0;
    const packed = size > EMPTY_PACK_BYTES ? [draft.add(output).sha] : [];
    entries.removeFile(output);
    return packed;
  };
  const reached = [...wants, ...(haves.length === 0 ? [] : ['--not', ...new Set(haves)])];
  const packs = [...(await pack(['--revs'], wants.length === 0 ? [] : reached)), ...(await pack([], objects))];
  const now = refs.length === 0 ? new Map<string, string>() : await readAllRefs(world, repository);
  const tip = readHead(files, repository) ?? '';
  const own = join(gitDir, 'index');
  const staged = index ? entries.look(own) : undefined;
  return {
    ...{ top, gitDir, tip, packs, head: readSmall(files, join(gitDir, 'HEAD')) ?? '' },
    refs: refs.flatMap((name) => {
      const sha = name === 'HEAD' ? tip : now.get(name);
      return sha ? [{ name, sha }] : [];
    }),
    logs: logs.filter((path) => entries.look(path)).map((path) => ({ path, sha: addPatiently(draft, path).sha })),
    ...(staged && { index: addPatiently(draft, own).sha, indexMtimeMs: staged.mtimeMs }),
  };
}

/** Where nothing else limits it. */
const MOST_PACK_MS = 120_000;
/** A header, no object, a checksum. */
const EMPTY_PACK_BYTES = 32;
const MOST_NAMES = 3;

/** What was kept, as a person would name it. */
function namesOf({ paths, repositories }: Plan, root: string): readonly string[] {
  const files = paths
    .filter(({ path, alone, absent }) => !alone && !absent && !/\/\.git\//.test(path))
    .map(({ path }) => shortPath(root, path));
  const refs = repositories.flatMap(({ refs: names }) => names.filter((name) => name !== 'HEAD').map(shortRef));
  return [...new Set([...refs, ...files])].slice(0, MOST_NAMES);
}

function shortPath(root: string, path: string): string {
  const from = relative(root, path);
  return from === '' ? '.' : from.startsWith('..') ? path : from;
}

function shortRef(name: string): string {
  return name === 'refs/stash' ? 'stashes' : name.replace(/^refs\/(?:heads|remotes|tags)\//, '');
}

const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG']);

function reasonOf(error: unknown, { dir }: Store): string {
  if (error instanceof Unkept || error instanceof Unseen) return error.message;
  if (error instanceof ChangedMeanwhile) return WHY_NOT.changing;
  const { code, path } = error as { code?: string; path?: string };
  return FULL.has(code) || path?.startsWith(dir) === true ? WHY_NOT.store : WHY_NOT.unreadable;
}
