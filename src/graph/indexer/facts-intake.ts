import { DamagedBytes } from '../format/byte-reader.ts';
import { decodeFacts, encodeFacts } from '../format/facts-codec.ts';
import type { FileFacts, FileFlag } from '../model/facts.ts';
import { MAX_FILE_BYTES, MAX_SCANNED_BYTES } from '../parse/parse-file.ts';
import type { FileParser } from '../parse/parse-file.ts';
import type { Files } from '../../platform/files.ts';
import { sha256 } from '../../platform/hash.ts';
import type { FactsDb, StoredFacts, StoredFile } from '../store/facts-db.ts';
import type { WalkedFile, WalkOptions } from '../walk/walk-options.ts';
import { createStoredWorld } from './stored-world.ts';
import type { StoredWorld } from './stored-world.ts';
import { SET_ROLES } from '../../engine/settings.ts';
import type { IndexedFiles, SetRole } from '../../engine/settings.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import { ROLE_FLAGS } from '../model/role.ts';

const FLAG: Readonly<Record<SetRole, FileFlag>> = {
  production: 'product',
  test: 'test',
  sample: 'sample',
  generated: 'generated',
};

/** What the settings say that a file is there for goes before what its place and text say. */
function readSetRoles(roles: IndexedFiles['roles'] = {}): (facts: FileFacts) => FileFacts {
  const set = SET_ROLES.flatMap((role) => (roles[role] ?? []).map((glob) => ({ role, glob: compileGlob(glob) })));
  if (set.length === 0) return (facts) => facts;
  return (facts) => {
    const segments = facts.path.split('/');
    const found = set.find(({ glob }) => matchGlob(glob, segments, segments));
    if (found === undefined) return facts;
    return { ...facts, flags: [FLAG[found.role], ...facts.flags.filter((flag) => !ROLE_FLAGS.has(flag))] };
  };
}

/** Facts that are stored in one go while many files are read. */
export const BATCH_FILES = 200;
const BATCH_BYTES = 1 << 20;

export interface FactsIntakeOptions {
  /** The real path. */
  readonly root: string;
  readonly files: Files;
  readonly db: Pick<FactsDb, 'files' | 'facts' | 'change' | 'touch'>;
  readonly parser: FileParser;
  /** In bytes; a file that has more is listed without its content. */
  readonly maxFile?: number;
  /** What files are there for, where the settings say it. */
  readonly roles?: WalkOptions['roles'] | undefined;
  /** Before the facts of a file are replaced by others. */
  onReplace(path: string): void;
  /** What was derived from a file may not fit it any more. */
  onChange(path: string): void;
}

/** The facts of all files of a root: read from the files, stored in batches, and at hand for who resolves. */
export interface FactsIntake {
  readonly rows: ReadonlyMap<string, StoredFile>;
  /** Its owner says which names are in the files that were stored before. */
  readonly world: StoredWorld;
  namesIn(path: string): string[];
  /** False when the content is what it was; with `force` it is parsed all the same. */
  take(found: WalkedFile, force: boolean): Promise<boolean>;
  forget(paths: readonly string[]): void;
  /** Writes what was taken since the last time. */
  store(): void;
}

export function createFactsIntake(options: FactsIntakeOptions): FactsIntake {
  const { root, files, db, parser, maxFile = MAX_FILE_BYTES, onReplace, onChange } = options;
  const withRole = readSetRoles(options.roles);
  const rows = new Map<string, StoredFile>();
  for (const row of db.files()) rows.set(row.path, row);
  const world = createStoredWorld(readFacts);
  const touched: StoredFile[] = [];
  let batch: StoredFacts[] = [];
  let batchBytes = 0;

  function readFacts(path: string): Uint8Array | undefined {
    const bytes = db.facts(path);
    if (bytes !== undefined && digestOf(bytes) !== rows.get(path)?.digest)
      throw new DamagedBytes(`the facts of ${path} are damaged`);
    return bytes;
  }

  function namesIn(path: string): string[] {
    const bytes = readFacts(path);
    return bytes === undefined ? [] : namesOf(decodeFacts(bytes));
  }

  /** Undefined when the content is what it was. */
  async function read(
    { path, size, mtimeMs, language }: WalkedFile,
    force: boolean,
  ): Promise<{ row: StoredFacts; facts: FileFacts } | undefined> {
    const bytes = files.readBytes(`${root}/${path}`, Math.max(maxFile, MAX_SCANNED_BYTES) + 1) ?? new Uint8Array();
    const hash = digestOf(bytes);
    const known = rows.get(path);
    if (!force && known?.hash === hash) {
      if (known.size !== size || known.mtimeMs !== mtimeMs) touched.push({ ...known, size, mtimeMs });
      return undefined;
    }
    const facts = withRole(await parser.parse(path, language, bytes, maxFile));
    const encoded = encodeFacts(facts);
    const digest = digestOf(encoded);
    if (known !== undefined && known.digest !== digest) onReplace(path);
    return { row: { path, size, mtimeMs, hash, digest, facts: encoded }, facts };
  }

  function store(removed: readonly string[] = []): void {
    if (batch.length > 0 || removed.length > 0) db.change(batch, removed);
    batch = [];
    batchBytes = 0;
    if (touched.length > 0) db.touch(touched);
    for (const row of touched.splice(0)) {
      rows.set(row.path, row);
      onChange(row.path);
    }
  }

  async function take(found: WalkedFile, force: boolean): Promise<boolean> {
    const got = await read(found, force);
    if (got === undefined) return false;
    const { facts: bytes, ...row } = got.row;
    batch.push(got.row);
    batchBytes += bytes.length;
    if (batch.length >= BATCH_FILES || batchBytes >= BATCH_BYTES) store();
    rows.set(row.path, row);
    world.set(row.path, namesOf(got.facts), got.facts, bytes.length);
    onChange(row.path);
    return true;
  }

  function forget(paths: readonly string[]): void {
    store(paths);
    for (const path of paths) {
      rows.delete(path);
      world.remove(path);
      onChange(path);
    }
  }

  return { rows, world, namesIn, take, forget, store };
}

function namesOf({ definitions }: FileFacts): string[] {
  return definitions.map(({ name }) => name);
}

function digestOf(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, 32);
}
