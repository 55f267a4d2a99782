import { dirname, join } from 'node:path';
import type { Event, RuleFiles, RuleWorkspace } from '../../engine/rule.ts';
import { BUILT_IN, isName } from './providers.ts';
import type { IndexPlace, Provider } from './providers.ts';

/** An index that covers a place. */
export interface Index {
  readonly provider: Provider;
  /** The directory that it covers. */
  readonly root: string;
  /** The file or directory that was found; empty for the built-in graph. */
  readonly path: string;
  readonly writtenAt: number;
}

export interface FindContext {
  readonly workspace: Pick<RuleWorkspace, 'root' | 'home' | 'variable' | 'graph'>;
  readonly files: Pick<RuleFiles, 'stat'>;
  readonly now: number;
  /** Who looks: each session has names of its own for indexes, and its agent says where its project is. */
  readonly event?: Pick<Event, 'session' | 'projectDir'>;
}

const MAX_LEVELS = 30;
const FOUND_MS = 30_000;
const ABSENT_MS = 60_000;
const MAX_KNOWN = 500;
/** An index this much older than the code it covers tells of code that has changed. */
const STALE_MS = 10_000;

interface Known {
  readonly at: number;
  readonly found: readonly Index[];
}

/** What lies around a directory, for a while: a search seldom comes alone. */
const known = new Map<string, Known>();

/** Looks again at everything; sessions start, and directories change, where an index was made meanwhile. */
export function forgetIndexes(): void {
  known.clear();
  ignored.clear();
}

const ignored = new Map<string, { readonly at: number; readonly is: boolean }>();

/** Whether the project leaves a place out; believed for a while, since it takes reading to tell. */
export function isIgnoredAt(
  place: string,
  { workspace, now }: { readonly workspace: Pick<RuleWorkspace, 'isIgnored'>; readonly now: number },
): boolean {
  const before = ignored.get(place);
  const age = before ? now - before.at : -1;
  if (before && age >= 0 && age < FOUND_MS) return before.is;
  const is = workspace.isIgnored(place);
  if (ignored.size >= MAX_KNOWN) ignored.clear();
  ignored.set(place, { at: now, is });
  return is;
}

/** The indexes that cover a place, best provider first. */
export function indexesAt(place: string, providers: readonly Provider[], context: FindContext): readonly Index[] {
  const { graph, root } = context.workspace;
  const external = externalAt(place, providers, context);
  const own = graph === undefined ? undefined : providers.find(({ id }) => id === BUILT_IN);
  if (own === undefined || !isBelow(place, root)) return external;
  const all = [...external, { provider: own, root, path: '', writtenAt: context.now }];
  return all.toSorted((a, b) => providers.indexOf(a.provider) - providers.indexOf(b.provider));
}

function externalAt(place: string, providers: readonly Provider[], context: FindContext): readonly Index[] {
  const { now, event } = context;
  const top = topFor(place, context);
  if (top === undefined) return [];
  const key = [event?.session, top, place, ...providers.map(({ id }) => id)].join('\n');
  const before = known.get(key);
  const age = before ? now - before.at : -1;
  if (before && age >= 0 && age < (before.found.length > 0 ? FOUND_MS : ABSENT_MS)) return before.found;
  const found = walkUp(place, top, providers, context);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, { at: now, found });
  return found;
}

/** A provider, and the path of its index below a directory that it covers. */
interface Wanted {
  readonly provider: Provider;
  readonly path: string;
}

function wantedOf(providers: readonly Provider[], variable: RuleWorkspace['variable']): readonly Wanted[] {
  return providers.flatMap((provider) =>
    provider.index ? [{ provider, path: nameOf(provider.index, variable) }] : [],
  );
}

/** Where the way up from a place ends at the latest; undefined for a place that is none of the workspace's. */
function topFor(place: string, { workspace: { root, home }, event }: FindContext): string | undefined {
  const project = event?.projectDir;
  // Nothing may mark what the agent calls its project. The home directory is none, whatever was started there.
  if (project !== undefined && project !== home && isBelow(root, project) && isBelow(place, project)) return project;
  return isBelow(place, root) ? root : undefined;
}

/**
 * From a place up to the top. That of a work tree ends the way as well: an index counts for the work tree that it lies
 * in, and a linked one may lie inside another.
 */
function walkUp(
  place: string,
  top: string,
  providers: readonly Provider[],
  { workspace, files }: FindContext,
): readonly Index[] {
  const wanted = wantedOf(providers, workspace.variable);
  const found = new Map<Wanted, Index>();
  let dir = place;
  for (let level = 0; level < MAX_LEVELS && found.size < wanted.length; level += 1) {
    for (const each of wanted) {
      const index = found.has(each) ? undefined : indexIn(dir, each, files);
      if (index) found.set(each, index);
    }
    const above = dirname(dir);
    if (dir === top || dir === workspace.home || above === dir || files.stat(join(dir, '.git'))) break;
    dir = above;
  }
  return wanted.flatMap((each) => found.get(each) ?? []);
}

function indexIn(dir: string, { provider, path }: Wanted, files: Pick<RuleFiles, 'stat'>): Index | undefined {
  const full = join(dir, path);
  const stat = files.stat(full);
  if (!stat || stat.kind !== (provider.index?.file === undefined ? 'dir' : 'file')) return undefined;
  if (provider.index?.filled === true && stat.size === 0) return undefined;
  return { provider, root: dir, path: full, writtenAt: stat.mtimeMs };
}

/** The path of what is looked for below a directory. */
function nameOf({ dir, file, variable, wsl }: IndexPlace, read: RuleWorkspace['variable']): string {
  const named = variable === undefined ? undefined : read(variable);
  const usual = wsl !== undefined && read('WSL_DISTRO_NAME') !== undefined ? wsl : dir;
  const name = named !== undefined && isName(named) ? named : usual;
  return file === undefined ? name : `${name}/${file}`;
}

/** Whether the code below it changed after it was written. What a look from a while ago says is looked at again first. */
export function isStale(index: Index, editedAt: number | undefined, files: Pick<RuleFiles, 'stat'>): boolean {
  if (editedAt === undefined || index.path === '' || editedAt - index.writtenAt <= STALE_MS) return false;
  const { provider, path } = index;
  const dir = provider.index?.file === undefined ? path : dirname(path);
  const writes = [path, ...(provider.index?.writes ?? []).map((name) => join(dir, name))];
  return writes.every((file) => editedAt - (files.stat(file)?.mtimeMs ?? 0) > STALE_MS);
}

export function isBelow(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith('/') ? dir : `${dir}/`);
}
