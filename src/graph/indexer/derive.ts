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
  const files = new Map<string, GraphFile>();
  for (const file of options.before) files.set(file.path, file);
  const changed = new Set(options.changed);
  const removed = new Set(options.removed);
  /** The facts that the entries were derived from, where there are others since. */
  const replaced = new Map<string, FileFacts>();
  const asked = new Map<string, Asked>();
  let askers: Map<Question, Set<string>> | undefined;

  /** Built when the first change asks for it: an index made from nothing never does. */
  function askersOf(question: Question): ReadonlySet<string> | undefined {
    if (askers === undefined) {
      askers = new Map();
      for (const { path, record } of files.values()) enter(askers, path, openRecord(record).asked());
    }
    return askers.get(question);
  }

  function enter(into: Map<Question, Set<string>>, path: string, given: readonly Question[]): void {
    const sorted = sortAsked(given);
    asked.set(path, sorted);
    for (const question of sorted.all) {
      const paths = into.get(question);
      if (paths === undefined) into.set(question, new Set([path]));
      else paths.add(path);
    }
  }

  function leave(from: Map<Question, Set<string>>, path: string): void {
    for (const question of asked.get(path)?.all ?? []) {
      const paths = from.get(question);
      if (paths?.delete(path) && paths.size === 0) from.delete(question);
    }
    asked.delete(path);
  }

  function put(file: GraphFile): void {
    files.set(file.path, file);
    changed.add(file.path);
    removed.delete(file.path);
  }

  function drop(path: string): void {
    files.delete(path);
    changed.delete(path);
    removed.add(path);
  }

  /** Questions that may have another answer now. */
  function affected(path: string): Question[] {
    const questions: Question[] = [`file:${path}`];
    const was = files.get(path);
    if (!rows.has(path) || was === undefined) questions.push(`dir:${directoryOf(path)}`);
    const names = new Set(was && openRecord(was.record).names());
    for (const name of world.namesIn(path)) names.add(name);
    for (const name of names) questions.push(`name:${name}`);
    return questions;
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
    const others = new Set<string>();
    for (const question of affected(path)) for (const asker of askersOf(question) ?? []) others.add(asker);
    const change = before && after && changedNames(before, after);
    if (change === undefined) return others;
    const isDue = createLookers(world, (asker) => asked.get(asker), path, change.names);
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

  /** One file that cannot be resolved, such as one whose types nest without end, leaves the others as they are. */
  function attempt(facts: FileFacts): FileLinks {
    try {
      return resolve(world, facts);
    } catch {
      return { ...NO_LINKS, unresolved: countNames(facts) };
    }
  }

  function derive(path: string, row: StoredFile): GraphFile | undefined {
    const facts = world.file(path);
    if (facts === undefined) return undefined;
    const links = attempt(facts);
    const record = encodeRecord(facts, links);
    if (askers !== undefined) {
      leave(askers, path);
      enter(askers, path, links.asked);
    }
    return {
      path,
      language: facts.language,
      flags: facts.flags,
      size: row.size,
      mtimeMs: row.mtimeMs,
      symbols: facts.definitions.length,
      edges: links.edges.length,
      possible: links.possible.length,
      unresolved: links.unresolved.reduce((sum, [, count]) => sum + count, 0),
      outside: links.outside,
      record,
      digest: digestOf(path, record),
      facts: row.digest,
    };
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
    else
      for (const path of seen)
        for (const question of affected(path)) for (const asker of askersOf(question) ?? []) due.add(asker);
    for (const path of due) if (!rows.has(path)) due.delete(path);
    for (const path of paths) {
      const was = files.get(path);
      if (rows.has(path) || was === undefined) continue;
      if (askers !== undefined) leave(askers, path);
      drop(path);
    }
    replaced.clear();
    let done = 0;
    for (const path of [...due].sort()) {
      const file = derive(path, rows.get(path) as StoredFile);
      if (file !== undefined) put(file);
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

const NO_LINKS: FileLinks = { edges: [], possible: [], unresolved: [], outside: 0, asked: [] };

function countNames({ references }: FileFacts): [string, number][] {
  const counts = new Map<string, number>();
  for (const { name } of references) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

export function digestOf(path: string, record: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(`${path}\0`), record])).slice(0, 32);
}
