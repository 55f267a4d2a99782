import type { PlaceReason } from '../engine/engine.ts';
import type { Event, ToolCall } from '../event/event.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { basename, contains, dirname, join, parse, relative, resolve, sep } from '../platform/paths.ts';
import { existingDir, findWorkspaceRoot } from './find-root.ts';
import type { Root } from './find-root.ts';
import { onlyChildRoot } from './only-child.ts';
import { mayLeadTo } from './system-paths.ts';

interface Lookup {
  /** The root of a path, with whether the path may lead to it. */
  find(path: string, fresh: boolean): { readonly root: Root; readonly leads: boolean };
  /** The root of the one direct child that is a project. */
  onlyChild(dir: string): Root | undefined;
}

interface Candidate {
  readonly path: string;
  readonly reason: PlaceReason;
}

/**
 * The root an event belongs to. With an active root, a path elsewhere moves it only when that path lies inside
 * the new root, so that a stray file or an unmarked directory changes nothing.
 */
function chooseRoot(event: Event, active: Root | undefined, lookup: Lookup): { root: Root; reason: PlaceReason } {
  const pending = active?.markerBacked !== true;
  const named = namedPaths(event);
  const holdsNamed = (root: Root) => named.length === 0 || named.some((each) => root.inside(each.path));
  for (const { path, reason } of [...named, ...fallbackPaths(event)]) {
    const { root, leads } = lookup.find(path, pending);
    if (!leads || !root.markerBacked) continue;
    if (pending || root.path === active.path || holdsNamed(root)) return { root, reason };
  }
  if (!pending) return { root: active, reason: 'active' };
  const here = lookup.find(event.cwd, true);
  const child = here.leads && !here.root.markerBacked ? lookup.onlyChild(event.cwd) : undefined;
  return child === undefined ? { root: here.root, reason: 'none' } : { root: child, reason: 'single-child' };
}

/** Every path that the event's tool calls name. */
function touchedPaths(event: Event): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const call of callsOf(event)) {
    for (const path of call.paths) paths.add(path);
    for (const edit of call.edits) paths.add(edit.path);
  }
  return paths;
}

/** Their path is a place to look in, not a file. */
const SEARCHES: ReadonlySet<ToolCall['kind'] | undefined> = new Set(['search', 'glob', 'list'] as const);

/** A shell command is not interpreted to find a root: it contributes its working directory alone. */
function namedPaths(event: Event): Candidate[] {
  const calls = callsOf(event).filter((call) => call.kind !== 'shell');
  const isSearch = (call: ToolCall) => SEARCHES.has(call.kind);
  const found: Candidate[] = [];
  for (const call of calls) if (!isSearch(call)) for (const path of call.paths) found.push({ path, reason: 'file' });
  for (const call of calls) if (isSearch(call)) for (const path of call.paths) found.push({ path, reason: 'path' });
  return found;
}

function fallbackPaths(event: Event): Candidate[] {
  if (event.name !== 'session.start') return [{ path: event.cwd, reason: 'cwd' }];
  const paths = event.projectDir === undefined ? [event.cwd] : [event.cwd, event.projectDir];
  return paths.map((path) => ({ path, reason: 'session-start' }));
}

function callsOf(event: Event): readonly ToolCall[] {
  return event.tool === undefined ? (event.batch ?? []) : [event.tool, ...(event.batch ?? [])];
}

export interface ResolverOptions {
  readonly files: Files;
  readonly home: string;
  readonly now: () => number;
  /** Whether the home directory and the top of the file system may be roots; asked whenever a root is looked for. */
  readonly force?: () => boolean;
}

export interface EventRoot {
  readonly root: Root;
  readonly reason: PlaceReason;
  /** The distinct roots of all paths the event touches: a guard takes the strictest of these and the session's project. */
  readonly targets: readonly Root[];
}

export interface Resolver {
  /** The root of an absolute path. */
  rootOf(path: string): Root;
  /** The path of a file or directory from the root that it belongs to, links followed; undefined where that is another one. */
  nameIn(root: Root, path: string): string | undefined;
  /** `active` is the root of the session's previous event. */
  resolveEvent(event: Event, active?: Root): EventRoot;
  /** The nearest directory at or above `from` that holds an entry `name`, not above the root. */
  nearest(root: Root, from: string, name: string): string | undefined;
  /** Drops what is known about a directory and everything below it, or about everything. */
  forget(path?: string): void;
}

interface Entry {
  readonly root: Root;
  readonly dir: string;
  /** The canonical spelling of the path. */
  readonly real: string;
  /** Whether a path here may lead an event to the root. */
  readonly leads: boolean;
  readonly until: number;
}

/** Which directory at or above `dir` holds an entry. */
interface Holder {
  readonly dir: string;
  readonly holder: string | undefined;
  readonly until: number;
}

const FOUND_MS = 30_000;
const UNMARKED_MS = 5_000;
/** Where no marker was found it is looked for again this soon: a search up to the top takes longer than an event. */
const AGAIN_MS = 50;
const MAX_ENTRIES = 4_096;

/** The oldest goes when there are too many. */
function keep<Value>(all: Map<string, Value>, key: string, value: Value): Value {
  all.delete(key);
  const oldest = all.size < MAX_ENTRIES ? undefined : all.keys().next().value;
  if (oldest !== undefined) all.delete(oldest);
  all.set(key, value);
  return value;
}

/**
 * What is there at or above a path. Most often it is the path; else it is looked for from the top, so that the length of
 * what is missing costs nothing.
 */
function nearestThere(files: Files, path: string): string {
  if (files.lstat(path) !== undefined) return path;
  const { root } = parse(path);
  let there = root;
  for (const name of path.slice(root.length).split(sep)) {
    const next = join(there, name);
    if (files.lstat(next) === undefined) break;
    there = next;
  }
  return there;
}

/** The environment has no say here: a hook's may be stale. */
export function createResolver({ files, home, now, force = () => false }: ResolverOptions): Resolver {
  const entries = new Map<string, Entry>();
  const holders = new Map<string, Holder>();
  /** The path that was missing last: what an event writes anew is asked about more than once. */
  let missing: { readonly path: string; readonly dir: string; readonly until: number } | undefined;

  /** `fresh` looks again where nothing was found, since a clone may have ended a moment ago. */
  function lookUp(path: string, fresh = false): Entry {
    const known = entries.get(path);
    if (known !== undefined && known.until > now()) {
      const isRecent = known.until - UNMARKED_MS + AGAIN_MS > now();
      if (known.root.markerBacked || !fresh || isRecent) return known;
    }
    const absolute = resolve(path);
    const kind = files.lstat(absolute)?.kind;
    const parent = dirname(absolute);
    if (kind === 'file') {
      const above = lookUp(parent, fresh);
      return remember(path, { ...above, real: join(above.dir, basename(absolute)) });
    }
    if (kind === undefined && parent !== absolute) {
      // Not remembered: what is missing may become a directory with a marker of its own at any time.
      const there = nearestThere(files, parent);
      const above = lookUp(there, fresh);
      const real = join(above.real, relative(there, absolute));
      missing = { path, dir: above.dir, until: now() + AGAIN_MS };
      return { ...above, real, leads: mayLeadTo(above.root, real) };
    }
    const real = canonicalPath(files, absolute);
    const dir = existingDir(files, real);
    if (dir === real) return remember(path, entryOf(dir));
    const above = lookUp(dir, fresh);
    return { ...above, real, leads: mayLeadTo(above.root, real) };
  }

  function entryOf(dir: string): Entry {
    const root = findWorkspaceRoot(dir, { files, home, force: force(), preferEnv: false });
    const until = now() + (root.markerBacked ? FOUND_MS : UNMARKED_MS);
    return { root, dir, real: dir, leads: mayLeadTo(root, dir), until };
  }

  const remember = (path: string, entry: Entry): Entry => keep(entries, path, entry);

  function forget(path?: string): void {
    missing = undefined;
    if (path === undefined) {
      entries.clear();
      return holders.clear();
    }
    const real = canonicalPath(files, path);
    for (const [key, entry] of entries) {
      if (contains(real, entry.dir) || contains(resolve(path), key)) entries.delete(key);
    }
    for (const [key, { dir }] of holders) if (contains(real, dir)) holders.delete(key);
  }

  /** Every directory on the way up keeps its own answer, so that its neighbours ask for one step only. */
  function holderOf(top: string, dir: string, name: string): Holder {
    const key = `${top}\n${dir}\n${name}`;
    const known = holders.get(key);
    if (known !== undefined && known.until > now()) return known;
    const isHere = files.exists(join(dir, name));
    const parent = dirname(dir);
    const above = isHere || parent === dir || !contains(top, parent) ? undefined : holderOf(top, parent, name);
    const holder = isHere ? dir : above?.holder;
    const until = now() + (holder === undefined ? UNMARKED_MS : FOUND_MS);
    return keep(holders, key, { dir, holder, until: Math.min(until, above?.until ?? until) });
  }

  /** The common case, told without building lists: one file or none, and it lies where the session is. */
  function staysIn(active: Root, event: Event): EventRoot | undefined {
    const { tool, batch, name, cwd } = event;
    if (batch !== undefined || name === 'session.start' || tool?.kind === 'shell' || SEARCHES.has(tool?.kind))
      return undefined;
    const path = tool?.paths[0];
    if (tool && (tool.paths.length > 1 || tool.edits.some((edit) => edit.path !== path))) return undefined;
    const { root, leads } = lookUp(path ?? cwd);
    if (!leads || root.path !== active.path) return undefined;
    return { root, reason: path === undefined ? 'cwd' : 'file', targets: path === undefined ? [] : [root] };
  }

  return {
    rootOf: (path) => lookUp(path).root,
    nameIn({ path: top }, path) {
      const { root, real } = lookUp(path);
      return root.path === top && contains(top, real) ? relative(top, real) : undefined;
    },
    resolveEvent(event, active) {
      if (event.name === 'session.start') forget();
      if (event.name === 'cwd.changed') forget(event.cwd);
      const staying = active?.markerBacked === true ? staysIn(active, event) : undefined;
      if (staying) return staying;
      const lookup: Lookup = {
        find: lookUp,
        onlyChild: (dir) => onlyChildRoot(dir, { files, home, force: force() }),
      };
      let chosen = chooseRoot(event, active, lookup);
      // A session stays where nothing led it elsewhere, but not where nothing is any more.
      if (chosen.reason === 'active' && !files.exists(chosen.root.path)) chosen = chooseRoot(event, undefined, lookup);
      const targets = new Map(
        [...touchedPaths(event)].map((path) => lookUp(path).root).map((root) => [root.path, root]),
      );
      return { root: chosen.root, reason: chosen.reason, targets: [...targets.values()] };
    },
    nearest(root, from, name) {
      const { dir } = missing?.path === from && missing.until > now() ? missing : lookUp(from);
      return contains(root.path, dir) ? holderOf(root.path, dir, name).holder : undefined;
    },
    forget,
  };
}
