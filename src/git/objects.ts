import { join, resolve } from 'node:path';
import { hex } from './index-file.ts';
import type { RefFiles } from './refs.ts';
import type { GitFiles } from './repository.ts';

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Seconds, as its committer's clock had it. */
  readonly at: number;
}

export interface ObjectFiles extends RefFiles, Pick<GitFiles, 'readRange'> {
  readBytes(path: string, maxBytes?: number): Uint8Array | undefined;
}

/** What zlib packed, at most `max` bytes of it; what comes behind it is left alone. Throws for anything else. */
export type Inflate = (bytes: Uint8Array, max: number) => Uint8Array;

/** Commits and trees are small; one longer than this stays unread. */
const MAX_OBJECT = 256 << 10;
const MOST_PACKS = 60;
const MOST_DELTAS = 60;
const IDX_HEADER = 8;
const FANOUT = 4 * 256;
const COMMIT = 1;
const TREE = 2;
const TAG = 4;
/** By their number in a pack. */
const LOOSE_TYPES = ['', 'commit', 'tree', 'blob', 'tag'];
const OFS_DELTA = 6;
const REF_DELTA = 7;
const decoder = new TextDecoder();

interface Packed {
  readonly type: number;
  readonly bytes: Uint8Array;
}

interface Pack {
  readonly path: string;
  readonly idx: string;
  readonly fanout: DataView;
}

/** What a tree has under a name: a file, a link, a tree or a submodule. */
export interface TreeEntry {
  readonly mode: number;
  readonly sha: string;
}

export interface Objects {
  /** A tag is taken for a commit that follows the one it names. */
  commit(sha: string): Commit | undefined;
  /** By name. */
  tree(sha: string): ReadonlyMap<string, TreeEntry> | undefined;
}

/** Reads the object store at `shared`, loose or packed; undefined for what is not there as such. */
export function openObjects(files: ObjectFiles, shared: string, inflate: Inflate): Objects {
  const known = new Map<string, Commit | undefined>();
  const stores = [join(shared, 'objects')];
  for (const line of (files.readText(join(shared, 'objects/info/alternates'), MAX_OBJECT) ?? '').split('\n'))
    if (line !== '') stores.push(resolve(join(shared, 'objects'), line));
  const cut = new Set((files.readText(join(shared, 'shallow'), MAX_OBJECT) ?? '').split('\n'));
  let packs: readonly Pack[] | undefined;

  const readLoose = (sha: string): Packed | undefined => {
    for (const store of stores) {
      const found = files.readBytes(join(store, sha.slice(0, 2), sha.slice(2)), MAX_OBJECT);
      if (!found) continue;
      const bytes = inflate(found, MAX_OBJECT);
      const end = bytes.indexOf(0);
      const type = LOOSE_TYPES.indexOf(decoder.decode(bytes.subarray(0, bytes.indexOf(32))));
      return { type, bytes: bytes.subarray(end + 1) };
    }
    return undefined;
  };
  const read = (sha: string, deltas: number): Packed | undefined => {
    const loose = readLoose(sha);
    if (loose) return loose;
    packs ??= stores.flatMap((store) => openPacks(files, join(store, 'pack')));
    for (const pack of packs) {
      const offset = offsetOf(files, pack, sha);
      if (offset !== undefined) return readAt(pack, offset, deltas);
    }
    return undefined;
  };
  const readAt = (pack: Pack, offset: number, deltas: number): Packed | undefined => {
    if (deltas > MOST_DELTAS) return undefined;
    const head = files.readRange(pack.path, offset, 64) ?? new Uint8Array();
    let at = 0;
    let byte = head[at++] ?? 0;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte & 0x80; shift += 7) size += ((byte = head[at++] ?? 0) & 0x7f) * 2 ** shift;
    if (size > MAX_OBJECT) return undefined;
    let base: Packed | undefined;
    if (type === OFS_DELTA) {
      let back = (byte = head[at++] ?? 0) & 0x7f;
      while (byte & 0x80) back = (back + 1) * 128 + ((byte = head[at++] ?? 0) & 0x7f);
      base = readAt(pack, offset - back, deltas + 1);
    } else if (type === REF_DELTA) {
      base = read(hex(head.subarray(at, at + 20)), deltas + 1);
      at += 20;
    }
    // Packed, hardly anything grows by more than this.
    const bytes = inflate(files.readRange(pack.path, offset + at, size + 1_024) ?? new Uint8Array(), size);
    if (type < OFS_DELTA) return { type, bytes };
    return base && { type: base.type, bytes: applyDelta(base.bytes, bytes) };
  };

  const readAs = (sha: string, type: number): Uint8Array | undefined => {
    try {
      const found = read(sha, 0);
      return found?.type === type ? found.bytes : undefined;
    } catch {
      // Damaged, or of a kind that is not known here.
      return undefined;
    }
  };
  const follow = (tag: Uint8Array | undefined): Commit | undefined => {
    const named = /^object ([0-9a-f]{40})\ntype commit\n/.exec(tag ? decoder.decode(tag) : '')?.[1];
    const commit = named === undefined ? undefined : objects.commit(named);
    return commit && named !== undefined ? { ...commit, parents: [named] } : undefined;
  };
  const objects: Objects = {
    commit(sha) {
      if (known.has(sha)) return known.get(sha);
      const bytes = readAs(sha, COMMIT);
      const commit = bytes ? parseCommit(decoder.decode(bytes), cut.has(sha)) : follow(readAs(sha, TAG));
      known.set(sha, commit);
      return commit;
    },
    tree(sha) {
      const bytes = readAs(sha, TREE);
      return bytes && parseTree(bytes);
    },
  };
  return objects;
}

/** Mode, a space, name, a zero and the object, one behind the other. */
function parseTree(bytes: Uint8Array): ReadonlyMap<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const zero = bytes.indexOf(0, space);
    if (space < at || zero < space) break;
    const mode = Number.parseInt(decoder.decode(bytes.subarray(at, space)), 8);
    at = zero + 21;
    entries.set(decoder.decode(bytes.subarray(space + 1, zero)), { mode, sha: hex(bytes.subarray(zero + 1, at)) });
  }
  return entries;
}

function parseCommit(text: string, isCut: boolean): Commit | undefined {
  const head = text.slice(0, text.indexOf('\n\n') + 1 || undefined);
  const tree = /^tree ([0-9a-f]{40})$/m.exec(head)?.[1];
  const at = Number(/^committer .* (\d+) [+-]\d+$/m.exec(head)?.[1]);
  if (tree === undefined || Number.isNaN(at)) return undefined;
  return { tree, at, parents: isCut ? [] : [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, sha = '']) => sha) };
}

function openPacks(files: ObjectFiles, dir: string): readonly Pack[] {
  const names = files.list(dir, 10 * MOST_PACKS).filter((name) => name.endsWith('.idx'));
  return names.slice(0, MOST_PACKS).flatMap((name) => {
    const idx = join(dir, name);
    const bytes = files.readRange(idx, 0, IDX_HEADER + FANOUT);
    if (bytes?.length !== IDX_HEADER + FANOUT) return [];
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (view.getUint32(0) !== 0xff744f63 || view.getUint32(4) !== 2) return [];
    const fanout = new DataView(bytes.buffer, bytes.byteOffset + IDX_HEADER, FANOUT);
    return [{ idx, path: `${idx.slice(0, -'.idx'.length)}.pack`, fanout }];
  });
}

/** Names stand sorted behind the fan-out, then checksums, offsets of 31 bits, and those that need more. */
function offsetOf(files: ObjectFiles, { idx, fanout }: Pack, sha: string): number | undefined {
  const first = Number.parseInt(sha.slice(0, 2), 16);
  const from = first === 0 ? 0 : fanout.getUint32(4 * (first - 1));
  const to = fanout.getUint32(4 * first);
  const total = fanout.getUint32(4 * 255);
  const names = files.readRange(idx, IDX_HEADER + FANOUT + 20 * from, 20 * (to - from)) ?? new Uint8Array();
  let low = 0;
  let high = names.length / 20;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = hex(names.subarray(20 * middle, 20 * middle + 20));
    if (found === sha) {
      const bytes = files.readRange(idx, IDX_HEADER + FANOUT + 24 * total + 4 * (from + middle), 4);
      const offset = bytes?.length === 4 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) : undefined;
      return offset === undefined || offset >= 2 ** 31 ? undefined : offset;
    }
    if (found < sha) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  let at = 0;
  const readSize = (): number => {
    let size = 0;
    for (let shift = 0, byte = 0x80; byte & 0x80; shift += 7) size += ((byte = delta[at++] ?? 0) & 0x7f) * 2 ** shift;
    return size;
  };
  readSize();
  const made = new Uint8Array(Math.min(readSize(), MAX_OBJECT));
  for (let filled = 0; at < delta.length;) {
    const code = delta[at++] ?? 0;
    if ((code & 0x80) === 0) {
      made.set(delta.subarray(at, at + code), filled);
      filled += code;
      at += code;
      continue;
    }
    const readParts = (flag: number, count: number): number => {
      let value = 0;
      for (let part = 0; part < count; part += 1)
        if (code & (flag << part)) value += (delta[at++] ?? 0) * 2 ** (8 * part);
      return value;
    };
    const from = readParts(0x01, 4);
    const size = readParts(0x10, 3) || 0x10000;
    made.set(base.subarray(from, from + size), filled);
    filled += size;
  }
  return made;
}
