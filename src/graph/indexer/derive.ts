import { sha256 } from '../../platform/hash.ts';
import type { FileFacts } from '../model/facts.ts';
import type { FileLinks, Question } from '../model/links.ts';
import { directoryOf } from '../model/paths.ts';
import type { World } from '../resolve/world.ts';
import type { StoredFile } from '../store/facts-db.ts';
import type { GraphFile } from '../store/pack.ts';
import { encodeRecord, openRecord, withMoved } from '../store/record.ts';
import { isSameSurface } from './surface.ts';
import { changedNames } from './changed-names.ts';
import { createLookers, sortAsked } from './lookers.ts';
import type { Asked } from './lookers.ts';
import type { StoredWorld } from './stored-world.ts';

/** Which files asked which questions when they were resolved. */
interface Askers {
  of(question: Question): Iterable<string>;
  /** What a file asked. */
  asked(path: string): Asked | undefined;
  replace(path: string, questions: readonly Question[]): void;
  leave(path: string): void;
}

/** Built when the first change asks for it: an index made from nothing never does. */
function createAskers(files: ReadonlyMap<string, GraphFile>): Askers {
  const asked = new Map<string, Asked>();
  let askers: Map<Question, Set<string>> | undefined;

  function enter(into: Map<Question, Set<string>>, path: string, given: readonly Question[]): void {
    const sorted = sortAsked(given);
    asked.set(path, sorted);
    for (const question of sorted.all) {
      const paths = into.get(question);
      if (paths === undefined) into.set(question, new Set([path]));
      else paths.add(path);
    }
  }

  function leave(path: string): void {
    for (const question of asked.get(path)?.all ?? []) {
      const paths = askers?.get(question);
      if (paths?.delete(path) && paths.size === 0) askers?.delete(question);
    }
    asked.delete(path);
  }

  return {
    of(question) {
      if (askers === undefined) {
        askers = new Map();
        for (const { path, record } of files.values()) enter(askers, path, openRecord(record).asked());
      }
      return askers.get(question) ?? [];
    },
    asked: (path) => asked.get(path),
    replace(path, questions) {
      if (askers === undefined) return;
      leave(path);
      enter(askers, path, questions);
    },
    leave,
  };
}

export type Resolve = (world: World, file: FileFacts) => FileLinks;

/** What is derived from facts, kept equal to what would be derived from all of them anew. */
export interface Derived {
  readonly files: ReadonlyMap<string, GraphFile>;
  /** Paths whose entry differs from that of the last snapshot, and those that are gone since. */
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  /** Puts right what follows from changes to the facts of these files; the number of files that were resolved. */
  follow(paths: Iterable<string>, onResolved?: (done: number, total: number) => void): Promise<number>;
  /** Before the facts of a file are replaced: what others saw of it may be the same afterwards. */
  remember(path: string): void;
  /** From here on changes are counted anew. */
  resetChanges(): void;
}

export interface DeriveOptions {
  readonly world: StoredWorld;
  readonly rows: ReadonlyMap<string, StoredFile>;
  /** What was derived before, with what changed since the snapshot. */
  readonly before: Iterable<GraphFile>;
  readonly changed: Iterable<string>;
  readonly removed: Iterable<string>;
  readonly resolve: Resolve;
  /** Gives others a turn now and then; rejects to stop. */
  breathe(): Promise<void>;
}

export function createDerived(options: DeriveOptions): Derived {
  const { world, rows, resolve, breathe } = options;
  const { files, changed, removed, put, drop } = trackChanges(options);
  /** The facts that the entries were derived from, where there are others since. */
  const replaced = new Map<string, FileFacts>();
  const askers = createAskers(files);

  /** The files that asked what may have another answer now. */
  function affectedBy(path: string): Set<string> {
    const questions: Question[] = [`file:${path}`];
    const was = files.get(path);
    if (!rows.has(path) || was === undefined) questions.push(`dir:${directoryOf(path)}`);
    const names = new Set(was && openRecord(was.record).names());
    for (const name of world.namesIn(path)) names.add(name);
    for (const name of names) questions.push(`name:${name}`);
    const affected = new Set<string>();
    for (const question of questions) for (const asker of askers.of(question)) affected.add(asker);
    return affected;
  }

  /** Whether others see something else of a file than they did. */
  function isSeen(path: string): boolean {
    const row = rows.get(path);
    if (row?.digest === files.get(path)?.facts) return false;
    const [before, after] = [replaced.get(path), row && world.file(path)];
    return before === undefined || after === undefined || !isSameSurface(before, after);
  }

  /** The files that have to be resolved again because of one that others see differently; edges that only moved are put right. */
  function dueBy(path: string): Iterable<string> {
    const [before, after] = [replaced.get(path), rows.has(path) ? world.file(path) : undefined];
    const others = affectedBy(path);
    const change = before && after && changedNames(before, after);
    if (change === undefined) return others;
    const isDue = createLookers(world, askers.asked, path, change.names);
    const due: string[] = [];
    const isMoved = change.moved.some((now, index) => now !== index);
    for (const asker of others) {
      const was = files.get(asker);
      if (asker === path || was === undefined) continue;
      if (isDue(asker)) due.push(asker);
      else if (isMoved) {
        const record = withMoved(was.record, path, change.moved);
        if (record === 'gone') due.push(asker);
        else if (record !== 'same') put({ ...was, record, digest: digestOf(asker, record) });
      }
    }
    return due;
  }

  async function follow(paths: Iterable<string>, onResolved?: (done: number, total: number) => void): Promise<number> {
    const due = new Set<string>();
    const seen: string[] = [];
    for (const path of paths) {
      const row = rows.get(path);
      const was = files.get(path);
      if (row !== undefined && row.digest !== was?.facts) due.add(path);
      else if (row !== undefined && was !== undefined && (row.size !== was.size || row.mtimeMs !== was.mtimeMs))
        put({ ...was, size: row.size, mtimeMs: row.mtimeMs });
      if (files.size > 0 && isSeen(path)) seen.push(path);
    }
    // What several changes do together cannot be told from what each of them does.
    const [only] = seen;
    if (only !== undefined && seen.length === 1) for (const asker of dueBy(only)) due.add(asker);
    else for (const path of seen) for (const asker of affectedBy(path)) due.add(asker);
    for (const path of due) if (!rows.has(path)) due.delete(path);
    for (const path of paths) {
      const was = files.get(path);
      if (rows.has(path) || was === undefined) continue;
      askers.leave(path);
      drop(path);
    }
    replaced.clear();
    let done = 0;
    for (const path of [...due].sort()) {
      const facts = world.file(path);
      if (facts !== undefined) {
        const links = withLost(
          attempt(() => resolve(world, facts), facts),
          facts,
        );
        put(toGraphFile(facts, links, rows.get(path) as StoredFile));
        askers.replace(path, links.asked);
      }
      world.trim();
      done += 1;
      onResolved?.(done, due.size);
      await breathe();
    }
    return done;
  }

  return {
    files,
    changed,
    removed,
    follow,
    remember(path) {
      const was = files.get(path);
      if (was === undefined || was.facts !== rows.get(path)?.digest) return;
      const facts = world.file(path);
      if (facts !== undefined) replaced.set(path, facts);
    },
    resetChanges() {
      changed.clear();
      removed.clear();
    },
  };
}

/** The entries, and which of them differ from those of the last snapshot. */
function trackChanges(options: Pick<DeriveOptions, 'before' | 'changed' | 'removed'>) {
  const files = new Map<string, GraphFile>();
  for (const file of options.before) files.set(file.path, file);
  const changed = new Set(options.changed);
  const removed = new Set(options.removed);
  return {
    files,
    changed,
    removed,
    put(file: GraphFile): void {
      files.set(file.path, file);
      changed.add(file.path);
      removed.delete(file.path);
    },
    drop(path: string): void {
      files.delete(path);
      changed.delete(path);
      removed.add(path);
    },
  };
}

const NO_LINKS: FileLinks = { edges: [], possible: [], unresolved: [], outside: 0, asked: [] };

/** One file that cannot be resolved, such as one whose types nest without end, leaves the others as they are. */
function attempt(resolve: () => FileLinks, facts: FileFacts): FileLinks {
  try {
    return resolve();
  } catch {
    return { ...NO_LINKS, unresolved: countNames(facts) };
  }
}

/** What was not read may mean anything that is called so: it counts among what is not resolved. */
function withLost(links: FileLinks, { lost = [] }: FileFacts): FileLinks {
  if (lost.length === 0) return links;
  const counts = new Map(links.unresolved);
  for (const word of lost) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { ...links, unresolved: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)) };
}

function toGraphFile(facts: FileFacts, links: FileLinks, { path, size, mtimeMs, digest }: StoredFile): GraphFile {
  const record = encodeRecord(facts, links);
  return {
    path,
    language: facts.language,
    flags: links.role === undefined ? facts.flags : [...facts.flags, links.role],
    size,
    mtimeMs,
    symbols: facts.definitions.length,
    edges: links.edges.length,
    possible: links.possible.length,
    unresolved: links.unresolved.reduce((sum, [, count]) => sum + count, 0),
    outside: links.outside,
    record,
    digest: digestOf(path, record),
    facts: digest,
  };
}

function countNames({ references }: FileFacts): [string, number][] {
  const counts = new Map<string, number>();
  for (const { name } of references) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

export function digestOf(path: string, record: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(`${path}\0`), record])).slice(0, 32);
}
