import type { Event } from '../event/event.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { basename, contains, dirname, join, resolve } from '../platform/paths.ts';
import { chooseRoot, SEARCHES, touchedPaths } from './event-root.ts';
import type { EventReason } from './event-root.ts';
import { existingDir, findWorkspaceRoot } from './find-root.ts';
import type { Root } from './find-root.ts';
import { mayLeadTo } from './system-paths.ts';

export interface ResolverOptions {
  readonly files: Files;
  readonly home: string;
  readonly now: () => number;
  readonly force?: boolean;
}

export interface EventRoot {
  readonly root: Root;
  readonly reason: EventReason;
  /** The distinct roots of all paths the event touches: a guard takes the strictest of these and the session's project. */
  readonly targets: readonly Root[];
}

export interface Resolver {
  /** The root of an absolute path. */
  rootOf(path: string): Root;
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
  /** The canonical spelling of a path that does not exist, else of its directory. */
  readonly real: string;
  /** Whether a path here may lead an event to the root. */
  readonly leads: boolean;
  readonly until: number;
}

const FOUND_MS = 30_000;
const UNMARKED_MS = 5_000;
/** Where no marker was found it is looked for again this soon: a search up to the top takes longer than an event. */
const AGAIN_MS = 50;
const MAX_ENTRIES = 4_096;
const MAX_CHILDREN = 200;

/** The environment has no say here: a hook's may be stale. */
export function createResolver({ files, home, now, force = false }: ResolverOptions): Resolver {
  const entries = new Map<string, Entry>();

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
    if (kind === 'file') return remember(path, lookUp(parent, fresh));
    if (kind === undefined && parent !== absolute) {
      // Not remembered: what is missing may become a directory with a marker of its own at any time.
      const above = lookUp(parent, fresh);
      const real = join(above.real, basename(absolute));
      return { ...above, real, leads: mayLeadTo(above.root, real) };
    }
    const real = canonicalPath(files, absolute);
    const dir = existingDir(files, real);
    if (dir === real) return remember(path, entryOf(dir));
    const above = lookUp(dir, fresh);
    return { ...above, real, leads: mayLeadTo(above.root, real) };
  }

  function entryOf(dir: string): Entry {
    const root = findWorkspaceRoot(dir, { files, home, force, preferEnv: false });
    const until = now() + (root.markerBacked ? FOUND_MS : UNMARKED_MS);
    return { root, dir, real: dir, leads: mayLeadTo(root, dir), until };
  }

  function remember(path: string, entry: Entry): Entry {
    entries.delete(path);
    const oldest = entries.size < MAX_ENTRIES ? undefined : entries.keys().next().value;
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(path, entry);
    return entry;
  }

  function forget(path?: string): void {
    if (path === undefined) return entries.clear();
    const real = canonicalPath(files, path);
    for (const [key, entry] of entries) {
      if (contains(real, entry.dir) || contains(resolve(path), key)) entries.delete(key);
    }
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

  /** More children than one listing may hold leave the question open, rather than to the order of the file system. */
  function onlyChild(dir: string): Root | undefined {
    const names = files.list(dir, MAX_CHILDREN + 1);
    if (names.length > MAX_CHILDREN) return undefined;
    let only: Root | undefined;
    for (const path of names.map((name) => join(dir, name))) {
      if (files.lstat(path)?.kind !== 'dir') continue;
      const root = findWorkspaceRoot(path, { files, home, force, preferEnv: false, maxUp: 0 });
      if (!root.markerBacked) continue;
      if (only !== undefined) return undefined;
      only = root;
    }
    return only;
  }

  return {
    rootOf: (path) => lookUp(path).root,
    resolveEvent(event, active) {
      if (event.name === 'session.start') forget();
      if (event.name === 'cwd.changed') forget(event.cwd);
      const staying = active?.markerBacked === true ? staysIn(active, event) : undefined;
      if (staying) return staying;
      const chosen = chooseRoot(event, active, { find: lookUp, onlyChild });
      const targets = new Map(
        [...touchedPaths(event)].map((path) => lookUp(path).root).map((root) => [root.path, root]),
      );
      return { ...chosen, targets: [...targets.values()] };
    },
    nearest(root, from, name) {
      let dir = lookUp(from).dir;
      while (contains(root.path, dir)) {
        if (files.exists(join(dir, name))) return dir;
        const parent = dirname(dir);
        if (parent === dir) break;
        dir = parent;
      }
      return undefined;
    },
    forget,
  };
}
