import { DamagedBytes } from '../format/byte-reader.ts';
import { decodeFacts, encodeFacts } from '../format/facts-codec.ts';
import type { FileFacts } from '../model/facts.ts';
import type { FileParser } from '../parse/parse-file.ts';
import { MAX_FILE_BYTES } from '../parse/parse-file.ts';
import type { Files } from '../../platform/files.ts';
import { sha256 } from '../../platform/hash.ts';
import { openFactsDb } from '../store/facts-db.ts';
import type { StoredFacts, StoredFile } from '../store/facts-db.ts';
import { MADE_BY } from '../store/made-by.ts';
import { openRecord } from '../store/record.ts';
import { graphStamp } from '../store/open-graph.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import { isIndexed } from '../walk/is-indexed.ts';
import type { WalkedFile, WalkOptions } from '../walk/walk-options.ts';
import { MAX_FILES } from '../walk/walk-options.ts';
import { walkWorkspace } from '../walk/walk-workspace.ts';
import { createDerived } from './derive.ts';
import type { Resolve } from './derive.ts';
import { createGraphWriter } from './graph-writer.ts';
import { createStoredWorld } from './stored-world.ts';
import { mayChangeWalk, pathBelow } from './changed-path.ts';

export interface IndexerOptions {
  /** The real path. */
  readonly root: string;
  readonly files: Files;
  readonly place: GraphPaths;
  readonly parser: FileParser;
  readonly resolve: Resolve;
  readonly walk?: WalkOptions;
  /** In bytes; a file that has more is listed without its content. */
  readonly maxFile?: number;
  readonly micros: () => number;
  /** Gives others a turn when it is time for that; rejects when this is to stop. */
  breathe(): Promise<void>;
}

export interface Progress {
  readonly phase: 'reading' | 'resolving';
  readonly done: number;
  readonly total: number;
}

export interface Work {
  readonly files: number;
  /** Files that were read and parsed, that were found gone, and that were resolved. */
  readonly parsed: number;
  readonly removed: number;
  readonly resolved: number;
  /** Files that are known to have changed and were not looked at within the budget. */
  readonly left: number;
  /** How many files and directories walking left out, by reason; absent when there was no walk. */
  readonly skipped?: Readonly<Record<string, number>>;
  /** What of the store could not be used and was made anew. */
  readonly notices: readonly string[];
}

export interface Indexer {
  /** Brings everything up to date; with `force`, from the files alone. */
  indexAll(progress?: (progress: Progress) => void, force?: boolean): Promise<Work>;
  /** Absolute paths of files that may have changed. */
  refresh(paths: readonly string[]): Promise<Work>;
  /** Looks at size and time of all files. */
  sweep(budgetMs?: number): Promise<Work>;
  /** Looks at the content of all files, also of those whose size and time are what they were. */
  verify(progress?: (progress: Progress) => void): Promise<Work>;
  /** Folds what changed into the snapshot. */
  compact(): void;
  /** False when another process has changed what this one has read: then it must be opened anew. */
  isCurrent(): boolean;
  close(): void;
}

/** Facts that are stored in one go while many files are read. */
const BATCH_FILES = 200;
const BATCH_BYTES = 1 << 20;

type Found = Pick<WalkedFile, 'path' | 'size' | 'mtimeMs' | 'language'>;

/** The one writer of a root's graph; its caller holds the lease. */
export function createIndexer(options: IndexerOptions): Indexer {
  const { root, files, place, parser, resolve, micros, breathe } = options;
  const maxFile = options.maxFile ?? MAX_FILE_BYTES;
  const maxFiles = options.walk?.maxFiles ?? MAX_FILES;
  const db = openFactsDb(place.facts, root);
  const writer = createGraphWriter(files, place, root, MADE_BY);
  let notices = [db.notice, writer.notice].filter((notice) => notice !== undefined);
  const rows = new Map<string, StoredFile>();
  for (const row of db.files()) rows.set(row.path, row);
  const world = createStoredWorld(readFacts);
  const derived = createDerived({
    world,
    rows,
    before: writer.before,
    changed: writer.changed,
    removed: writer.removed,
    resolve,
    breathe,
  });
  for (const [path, row] of rows) {
    const known = derived.files.get(path);
    world.set(path, known?.facts === row.digest ? openRecord(known.record).names() : namesInFacts(path));
  }
  /** Whose derived data may not fit their facts: a process was stopped between the two. */
  let behind = new Set([...rows.keys(), ...derived.files.keys()].filter(isBehind));

  let stamp = stampNow();

  function stampNow(): string {
    return `${db.version()} ${files.stat(place.facts)?.ino} ${graphStamp(files, place)}`;
  }

  function isBehind(path: string): boolean {
    return rows.get(path)?.digest !== derived.files.get(path)?.facts;
  }

  function readFacts(path: string): Uint8Array | undefined {
    const bytes = db.facts(path);
    if (bytes !== undefined && digestOf(bytes) !== rows.get(path)?.digest)
      throw new DamagedBytes(`the facts of ${path} are damaged`);
    return bytes;
  }

  function namesInFacts(path: string): string[] {
    const bytes = readFacts(path);
    return bytes === undefined ? [] : namesOf(decodeFacts(bytes));
  }

  /** Undefined when the content is what it was. */
  async function read(
    { path, size, mtimeMs, language }: Found,
    force: boolean,
  ): Promise<{ row: StoredFacts; facts: FileFacts } | undefined> {
    const bytes = files.readBytes(`${root}/${path}`, maxFile + 1) ?? new Uint8Array();
    const hash = digestOf(bytes);
    const known = rows.get(path);
    if (!force && known?.hash === hash) {
      if (known.size !== size || known.mtimeMs !== mtimeMs) touched.push({ ...known, size, mtimeMs });
      return undefined;
    }
    const facts = await parser.parse(path, language, bytes, maxFile);
    const encoded = encodeFacts(facts);
    const digest = digestOf(encoded);
    if (known !== undefined && known.digest !== digest) derived.remember(path);
    return { row: { path, size, mtimeMs, hash, digest, facts: encoded }, facts };
  }

  const touched: StoredFile[] = [];
  let batch: StoredFacts[] = [];
  let batchBytes = 0;

  function store(removed: readonly string[] = []): void {
    if (batch.length > 0 || removed.length > 0) db.change(batch, removed);
    batch = [];
    batchBytes = 0;
    if (touched.length > 0) db.touch(touched);
    for (const row of touched.splice(0)) {
      rows.set(row.path, row);
      behind.add(row.path);
    }
  }

  async function take(found: Found, force: boolean): Promise<boolean> {
    const got = await read(found, force);
    if (got === undefined) return false;
    const { facts: bytes, ...row } = got.row;
    batch.push(got.row);
    batchBytes += bytes.length;
    if (batch.length >= BATCH_FILES || batchBytes >= BATCH_BYTES) store();
    rows.set(row.path, row);
    world.set(row.path, namesOf(got.facts), got.facts, bytes.length);
    behind.add(row.path);
    return true;
  }

  function forget(paths: readonly string[]): void {
    store(paths);
    for (const path of paths) {
      rows.delete(path);
      world.remove(path);
      behind.add(path);
    }
  }

  async function finish(
    parsed: number,
    removed: number,
    left: number,
    more: { skipped?: Work['skipped']; progress?: ((progress: Progress) => void) | undefined; whole?: boolean },
  ): Promise<Work> {
    store();
    const due = behind;
    behind = new Set();
    let resolved: number;
    try {
      resolved = await derived.follow(due, (done, total) => more.progress?.({ phase: 'resolving', done, total }));
      writer.write(derived, more.whole ?? false);
    } catch (error) {
      behind = due;
      throw error;
    }
    stamp = stampNow();
    const said = notices;
    notices = [];
    return {
      files: rows.size,
      parsed,
      removed,
      resolved,
      left,
      notices: said,
      ...(more.skipped && { skipped: more.skipped }),
    };
  }

  function isDirectory(path: string): boolean {
    for (const known of rows.keys()) if (known.startsWith(`${path}/`)) return true;
    return files.lstat(`${root}/${path}`)?.kind === 'dir';
  }

  type Look = 'changed' | 'content' | 'all';

  async function lookAtAll(look: Look, budgetMs: number, progress?: (progress: Progress) => void): Promise<Work> {
    const started = micros();
    const walk = walkWorkspace(files, root, options.walk);
    const gone = new Set(rows.keys());
    const due: Found[] = [];
    for (const found of walk) {
      gone.delete(found.path);
      const known = rows.get(found.path);
      if (look !== 'changed' || known?.size !== found.size || known.mtimeMs !== found.mtimeMs) due.push(found);
    }
    if (gone.size > 0) forget([...gone]);
    let done = 0;
    let parsed = 0;
    try {
      for (const found of due) {
        if (micros() - started > budgetMs * 1_000) break;
        if (await take(found, look === 'all')) parsed += 1;
        done += 1;
        progress?.({ phase: 'reading', done, total: due.length });
        await breathe();
      }
    } finally {
      // Whoever is told to stop leaves what was read.
      store();
    }
    const isMuch = parsed > BATCH_FILES;
    const work = await finish(parsed, gone.size, due.length - done, { skipped: walk.skipped, progress, whole: isMuch });
    if (isMuch) db.checkpoint();
    return work;
  }

  return {
    indexAll: (progress, force = false) => lookAtAll(force ? 'all' : 'changed', Infinity, progress),
    async refresh(paths) {
      const below = paths.flatMap((path) => pathBelow(files, root, path) ?? []);
      const changes: Found[] = [];
      const gone: string[] = [];
      let added = 0;
      for (const path of new Set(below)) {
        const found = isIndexed(files, root, path, options.walk);
        const isThere = typeof found === 'object';
        if (!(isThere && rows.has(path)) && mayChangeWalk(files, root, path, isDirectory(path)))
          return lookAtAll('changed', Infinity);
        if (isThere) changes.push(found);
        else if (rows.has(path)) gone.push(path);
        if (isThere && !rows.has(path)) added += 1;
      }
      // At the cap, a file that comes or goes changes which others are indexed.
      const isAtCap = rows.size + added > maxFiles || (rows.size >= maxFiles && gone.length > 0);
      if (rows.size === 0 || isAtCap) return lookAtAll('changed', Infinity);
      if (gone.length > 0) forget(gone);
      let parsed = 0;
      for (const found of changes) if (await take(found, false)) parsed += 1;
      return finish(parsed, gone.length, 0, {});
    },
    sweep: (budgetMs = Infinity) => lookAtAll('changed', budgetMs),
    verify: (progress) => lookAtAll('content', Infinity, progress),
    compact() {
      writer.write(derived, true);
      stamp = stampNow();
    },
    isCurrent: () => stamp === stampNow(),
    close() {
      db.close();
    },
  };
}

function namesOf({ definitions }: FileFacts): string[] {
  return definitions.map(({ name }) => name);
}

function digestOf(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, 32);
}
