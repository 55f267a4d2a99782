import { systemClock } from '../../platform/clock.ts';
import { isDamage } from '../../platform/database.ts';
import { nextTurn, pause } from '../../platform/timers.ts';
import { DamagedBytes } from '../format/byte-reader.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import { holderOf, takeLease } from '../store/lease.ts';
import type { Lease } from '../store/lease.ts';
import { keepScope, scopeOf, readScope, walkIn, withTouched } from '../store/scope.ts';
import type { Leading, Scope } from '../store/scope.ts';
import { createIndexer } from './indexer.ts';
import type { Indexer, IndexerOptions, Progress, Work } from './indexer.ts';
import type { NumberedRequest, IndexRequest } from './request.ts';
import type { Files } from '../../platform/files.ts';
import type { WalkOptions } from '../walk/walk-options.ts';
import { walkWorkspace } from '../walk/walk-workspace.ts';
import { sha256 } from '../../platform/hash.ts';
import { MANIFESTS } from '../languages/manifests.generated.ts';
import type { ManifestReader, PackageNeeds } from '../manifests/manifest-reader.ts';
import { directoryOf, join } from '../model/paths.ts';

const MAX_DIRECTORIES = 1_000;
const MAX_MANIFEST_BYTES = 1 << 20;
const NEEDS: ManifestReader['needs'] = Object.assign({}, ...MANIFESTS.map(({ needs }) => needs));

/** The directories of some packages and of all packages of the same root that they need, nearest first. */
export function neededPackages(
  files: Files,
  root: string,
  packages: readonly string[],
  options: WalkOptions = {},
): readonly string[] {
  if (packages.length === 0) return [];
  const { needsOf, byName } = readPackages(files, root, options);
  const found = new Set(packages);
  // What is added on the way is visited too.
  for (const directory of found) {
    if (found.size >= MAX_DIRECTORIES) break;
    const needed = new Set<string>();
    for (const { kind, names, paths } of needsOf.get(directory) ?? []) {
      for (const name of names) needed.add(byName.get(`${kind} ${name}`) ?? '');
      for (const path of paths) needed.add(join(directory, path) ?? '');
    }
    for (const each of [...needed].sort()) if (each !== '') found.add(each);
  }
  return [...found].slice(0, MAX_DIRECTORIES);
}

/** What tells whether the manifests of these directories are as they were. */
export function stampOfManifests(files: Pick<Files, 'lstat'>, root: string, directories: readonly string[]): string {
  const stamps = directories.flatMap((directory) =>
    Object.keys(NEEDS).map((name) => {
      const found = files.lstat(`${root}/${directory}/${name}`);
      return found === undefined ? '' : `${found.size} ${found.mtimeMs}`;
    }),
  );
  return sha256(stamps.join('\n')).slice(0, 16);
}

type Needs = PackageNeeds & { readonly kind: string };

/** All packages of the root, also those beyond the cap. */
function readPackages(files: Files, root: string, options: WalkOptions) {
  const needsOf = new Map<string, Needs[]>();
  const byName = new Map<string, string>();
  for (const { path, language } of walkWorkspace(files, root, { ...options, maxFiles: Infinity })) {
    if (language !== 'manifest') continue;
    const kind = path.slice(path.lastIndexOf('/') + 1);
    const read = NEEDS[kind];
    const text = read && files.readText(`${root}/${path}`, MAX_MANIFEST_BYTES);
    if (read === undefined || text === undefined) continue;
    const directory = directoryOf(path);
    const needs = read(text);
    needsOf.set(directory, [...(needsOf.get(directory) ?? []), { ...needs, kind }]);
    const key = `${kind} ${needs.name}`;
    const known = byName.get(key);
    // Of two that are called the same, the deeper one is a copy or an example.
    if (needs.name !== undefined && (known === undefined || depthOf(directory) < depthOf(known)))
      byName.set(key, directory);
  }
  return { needsOf, byName };
}

function depthOf(directory: string): number {
  return directory.split('/').length;
}

interface InScope<Request> {
  /** With what is walked first. */
  readonly request: Request;
  /** Absent where all files are indexed, as far as that is known. */
  readonly scope: Scope | undefined;
}

/** What is asked of a root that has more files than are indexed. */
function inScope<Request extends IndexRequest>(
  files: Files,
  location: GraphPaths,
  root: string,
  asked: Request,
): InScope<Request> {
  const known = readScope(files, location, root);
  if (known === undefined) return { request: asked, scope: undefined };
  // Looking for all manifests takes as long as a walk, so that a sweep alone is no reason for it.
  const isDue =
    asked.do === 'index' ||
    (asked.touched ?? []).length > 0 ||
    known.manifests !== stampOfManifests(files, root, known.first);
  const leading = isDue ? lead(files, root, withTouched(known.touched, asked.touched ?? []), asked) : {};
  const scope = { ...known, ...leading };
  // When others come first, there is more to read than some files.
  const isMore = asked.do === 'refresh' && scope.first.join('\n') !== known.first.join('\n');
  const walk = walkIn(scope, asked.walk);
  return { request: { ...asked, ...(isMore && { do: 'sweep' }), walk }, scope };
}

function lead(files: Files, root: string, touched: readonly string[], { walk }: IndexRequest): Leading {
  const first = neededPackages(files, root, touched, walk);
  return { touched, first, manifests: stampOfManifests(files, root, first) };
}

/** What there is to say of a root without a file of code; undefined when it has one. Manifests alone are no code. */
function findNothing(files: Files, root: string, options: WalkOptions | undefined): Work | undefined {
  const walk = walkWorkspace(files, root, options);
  for (const { language } of walk) if (language !== 'manifest') return undefined;
  return { files: 0, parsed: 0, removed: 0, resolved: 0, left: 0, skipped: walk.skipped, notices: [] };
}

/** An index of nothing would look like one that knows there is nothing. */
function removeStored(files: Pick<Files, 'remove'>, location: GraphPaths): void {
  for (const path of [location.snapshot, location.delta]) files.remove(path);
  removeFacts(files, location);
}

/** With what a database keeps beside its file. */
function removeFacts(files: Pick<Files, 'remove'>, { facts }: GraphPaths): void {
  for (const suffix of ['', '-wal', '-shm']) files.remove(facts + suffix);
}

export interface PerformerOptions extends Pick<IndexerOptions, 'files' | 'parser' | 'resolve'> {
  readonly state: string;
  readonly pid: number;
  isStopped(): boolean;
}

/** Does what is asked for, one request at a time, and keeps the roots open that it was last asked about. */
export interface Performer {
  perform(request: NumberedRequest, onProgress: (progress: Progress) => void): Promise<Work>;
  waitForLease(location: GraphPaths, waitMs?: number): Promise<Lease>;
  /** Folds in what changed, where that was not done, and closes everything. */
  close(): void;
}

interface Open {
  readonly indexer: Indexer;
  readonly location: GraphPaths;
  readonly options: string;
}

const { now, micros } = systemClock;
const BREATH_MICROS = 20_000;
/** How long another process that writes is waited for, where nobody says. */
export const WAIT_MS = 10_000;
const LOOK_MS = 50;
const MAX_OPEN = 2;

export function createPerformer(options: PerformerOptions): Performer {
  const { files, isStopped } = options;
  const opened = new Map<string, Open>();
  let breathed = micros();

  async function breathe(): Promise<void> {
    if (micros() - breathed < BREATH_MICROS) return;
    await nextTurn();
    breathed = micros();
    if (isStopped()) throw new Error('the indexing process was told to end');
  }

  function drop(root: string): void {
    opened.get(root)?.indexer.close();
    opened.delete(root);
  }

  function openFor({ walk, maxFile }: NumberedRequest, root: string, location: GraphPaths): Indexer {
    const chosen = JSON.stringify([walk, maxFile]);
    const known = opened.get(root);
    if (known && known.options === chosen && known.indexer.isCurrent()) return known.indexer;
    drop(root);
    for (const other of opened.keys()) {
      if (opened.size < MAX_OPEN) break;
      drop(other);
    }
    const { parser, resolve } = options;
    const more = { ...(walk && { walk }), ...(maxFile !== undefined && { maxFile }) };
    const indexer = createIndexer({ root, files, location, parser, resolve, micros, breathe, ...more });
    opened.set(root, { indexer, location, options: chosen });
    return indexer;
  }

  async function waitForLease(location: GraphPaths, waitMs = WAIT_MS): Promise<Lease> {
    const self = { pid: options.pid, since: now() };
    const until = now() + waitMs;
    let lease = takeLease(files, location, self);
    while (lease === undefined && now() < until && !isStopped()) {
      await pause(LOOK_MS);
      lease = takeLease(files, location, self);
    }
    if (lease !== undefined) return lease;
    const holder = holderOf(files, location);
    throw new Error(`the index is being written by ${holder ? `process ${holder.pid}` : 'another process'}`);
  }

  async function perform(asked: NumberedRequest, onProgress: (progress: Progress) => void): Promise<Work> {
    const root = files.realpath(asked.root);
    if (root === undefined || files.stat(root)?.kind !== 'dir') throw new Error(`${asked.root} is not a directory`);
    const location = graphPaths(options.state, root);
    const lease = await waitForLease(location, asked.waitMs);
    try {
      const { request, scope } = inScope(files, location, root, asked);
      const found = await performThere(request, root, location, onProgress);
      if (found.skipped) keepScope(files, location, scopeOf(root, found.skipped, asked.walk, scope));
      else if (scope) keepScope(files, location, scope);
      return found;
    } finally {
      lease.release();
    }
  }

  async function performThere(
    request: NumberedRequest,
    root: string,
    location: GraphPaths,
    onProgress: (progress: Progress) => void,
  ): Promise<Work> {
    try {
      return await attempt();
    } catch (error) {
      if (!isDamage(error) && !(error instanceof DamagedBytes)) throw error;
      removeFacts(files, location);
      const found = await attempt();
      return { ...found, notices: [...found.notices, (error as Error).message] };
    }

    async function attempt(): Promise<Work> {
      const nothing = request.do === 'refresh' ? undefined : findNothing(files, root, request.walk);
      if (nothing) {
        drop(root);
        removeStored(files, location);
        return nothing;
      }
      try {
        const indexer = openFor(request, root, location);
        if (request.do === 'refresh') return await indexer.refresh(request.paths ?? []);
        if (request.do === 'sweep') return await indexer.sweep(request.budgetMs);
        if (request.do === 'verify') return await indexer.verify(onProgress);
        return await indexer.indexAll(onProgress, request.force);
      } catch (error) {
        // What it holds in memory may be ahead of what is stored.
        drop(root);
        throw error;
      }
    }
  }

  return {
    perform,
    waitForLease,
    close() {
      for (const { indexer, location } of opened.values()) {
        const lease = takeLease(files, location, { pid: options.pid, since: now() });
        try {
          if (lease && indexer.isCurrent()) indexer.compact();
        } catch {
          // The delta stays, and has all of it.
        } finally {
          lease?.release();
          indexer.close();
        }
      }
      opened.clear();
    },
  };
}
