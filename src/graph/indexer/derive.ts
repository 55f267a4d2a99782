import { sha256 } from '../../platform/hash.ts';
import type { FileFacts } from '../facts.ts';
import type { FileLinks, Question } from '../links.ts';
import type { World } from '../resolve/world.ts';
import type { StoredFile } from '../store/facts-db.ts';
import type { GraphFile } from '../store/pack.ts';
import { encodeRecord, openRecord } from '../store/record.ts';
import { surfaceOf } from '../surface.ts';
import { directoryOf } from './stored-world.ts';
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
  settled(): void;
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
  const { world, rows, before, resolve, breathe } = options;
  const files = new Map<string, GraphFile>();
  for (const file of before) files.set(file.path, file);
  const changed = new Set(options.changed);
  const removed = new Set(options.removed);
  /** Of the facts that the entries were derived from, where these have been replaced since. */
  const surfaces = new Map<string, string>();
  let askers: Map<Question, Set<string>> | undefined;

  /** Built when the first change asks for it: an index made from nothing never does. */
  function askersOf(question: Question): ReadonlySet<string> | undefined {
    if (askers === undefined) {
      askers = new Map();
      for (const { path, record } of files.values()) enter(askers, path, openRecord(record).asked());
    }
    return askers.get(question);
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

  /** What an answer may be different to now. */
  function affected(path: string): Question[] {
    const row = rows.get(path);
    const was = files.get(path);
    const facts = row && world.file(path);
    const seen = surfaces.get(path);
    if (row?.digest === was?.facts || (facts && seen === surfaceOf(facts))) return [];
    const questions: Question[] = [`file:${path}`];
    if (row === undefined || was === undefined) questions.push(`dir:${directoryOf(path)}`);
    const names = new Set(was === undefined ? [] : openRecord(was.record).names());
    for (const name of world.namesIn(path)) names.add(name);
    for (const name of names) questions.push(`name:${name}`);
    return questions;
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
    const was = files.get(path);
    if (askers !== undefined) {
      if (was !== undefined) leave(askers, path, openRecord(was.record).asked());
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
    const questions = new Set<Question>();
    for (const path of paths) {
      const row = rows.get(path);
      const was = files.get(path);
      if (row !== undefined && row.digest !== was?.facts) due.add(path);
      else if (row !== undefined && was !== undefined && (row.size !== was.size || row.mtimeMs !== was.mtimeMs))
        put({ ...was, size: row.size, mtimeMs: row.mtimeMs });
      if (files.size > 0) for (const question of affected(path)) questions.add(question);
    }
    for (const question of questions) for (const asker of askersOf(question) ?? []) if (rows.has(asker)) due.add(asker);
    for (const path of paths) {
      const was = files.get(path);
      if (rows.has(path) || was === undefined) continue;
      if (askers !== undefined) leave(askers, path, openRecord(was.record).asked());
      drop(path);
    }
    surfaces.clear();
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
      if (facts !== undefined) surfaces.set(path, surfaceOf(facts));
    },
    settled() {
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

function enter(into: Map<Question, Set<string>>, path: string, asked: readonly Question[]): void {
  for (const each of asked) {
    const question = each.toWellFormed() as Question;
    const paths = into.get(question);
    if (paths === undefined) into.set(question, new Set([path]));
    else paths.add(path);
  }
}

function leave(from: Map<Question, Set<string>>, path: string, asked: readonly Question[]): void {
  for (const question of asked) {
    const paths = from.get(question);
    if (paths?.delete(path) && paths.size === 0) from.delete(question);
  }
}
