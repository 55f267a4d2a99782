/** What git remembers of a file that it tracks. */
export interface IndexEntry {
  /** From the top of the work tree. */
  readonly path: string;
  /** As in a tree: `0o100644`, `0o100755`, `0o120000` for a link, `0o160000` for a submodule. */
  readonly mode: number;
  readonly sha: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** A merge has left several versions of it. */
  readonly isUnmerged: boolean;
  /** Not to be compared with what lies in the work tree, which may be nothing. */
  readonly isLeftOut: boolean;
}

export interface IndexFile {
  readonly count: number;
  /** The tree that a commit of all of it would have; undefined when something was staged since one was written. */
  readonly tree: string | undefined;
  /** The files that are, or lie below, one of these paths; all of them for the empty path. At most `max`, else undefined. */
  entriesBelow(paths: readonly string[], max: number): readonly IndexEntry[] | undefined;
}

const SIGNATURE = 0x44495243;
const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const SHA_BYTES = 20;
const TREE_MODE = 0o040000;
const decoder = new TextDecoder();

/** Reads git's index, versions 2 to 4, of a repository that names objects by SHA-1; undefined for any other. */
export function readIndex(bytes: Uint8Array): IndexFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES + SHA_BYTES || view.getUint32(0) !== SIGNATURE) return undefined;
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  if (version < 2 || version > 4) return undefined;
  try {
    const end = walk(view, bytes, version, count, () => {});
    const extensions = readExtensions(view, bytes, end);
    if (!extensions) return undefined;
    return {
      count,
      tree: extensions.tree,
      entriesBelow(paths, max) {
        const wanted = paths.map((path) => new TextEncoder().encode(path));
        const entries: IndexEntry[] = [];
        let isTooMany = false;
        walk(view, bytes, version, count, (at, name, length) => {
          if (isTooMany || !wanted.some((path) => isBelow(name, length, path))) return;
          if (entries.length >= max) isTooMany = true;
          else entries.push(entryAt(view, bytes, at, version, decoder.decode(name.subarray(0, length))));
        });
        return isTooMany ? undefined : entries;
      },
    };
  } catch {
    // It ends too early, or its lengths lead out of it.
    return undefined;
  }
}

/** Calls `see` with the place and the name of each entry, whose bytes are good until it returns; answers where they end. */
function walk(
  view: DataView,
  bytes: Uint8Array,
  version: number,
  count: number,
  see: (at: number, name: Uint8Array, length: number) => void,
): number {
  let at = HEADER_BYTES;
  let previous = new Uint8Array(4_096);
  let previousLength = 0;
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    const flags = view.getUint16(at + FIXED_BYTES - 2);
    at += FIXED_BYTES + (version > 2 && (flags & 0x4000) !== 0 ? 2 : 0);
    if (version < 4) {
      const end = (flags & 0xfff) < 0xfff ? at + (flags & 0xfff) : bytes.indexOf(0, at);
      if (end < at || bytes[end] !== 0) throw new RangeError('a name without an end');
      see(start, bytes.subarray(at, end), end - at);
      // Padded with zeros to eight bytes, at least one.
      at = start + ((end - start + 8) & ~7);
      continue;
    }
    // Version 4: how much of the name before stays, and what comes behind it.
    let removed = 0;
    for (let more = true, first = true; more; first = false) {
      const byte = view.getUint8(at);
      at += 1;
      removed = first ? byte & 0x7f : (removed + 1) * 128 + (byte & 0x7f);
      more = (byte & 0x80) !== 0;
    }
    const end = bytes.indexOf(0, at);
    const kept = previousLength - removed;
    if (end < at || kept < 0) throw new RangeError('a name without an end');
    const length = kept + end - at;
    if (length > previous.length) {
      const longer = new Uint8Array(length * 2);
      longer.set(previous);
      previous = longer;
    }
    previous.set(bytes.subarray(at, end), kept);
    previousLength = length;
    see(start, previous, length);
    at = end + 1;
  }
  return at;
}

function entryAt(view: DataView, bytes: Uint8Array, at: number, version: number, path: string): IndexEntry {
  const time = (from: number) => view.getUint32(from) * 1_000 + view.getUint32(from + 4) / 1e6;
  const mode = view.getUint32(at + 24);
  const flags = view.getUint16(at + FIXED_BYTES - 2);
  const extended = version > 2 && (flags & 0x4000) !== 0 ? view.getUint16(at + FIXED_BYTES) : 0;
  return {
    path,
    mode,
    sha: hex(bytes.subarray(at + 40, at + 40 + SHA_BYTES)),
    size: view.getUint32(at + 36),
    mtimeMs: time(at + 8),
    ctimeMs: time(at),
    isUnmerged: (flags & 0x3000) !== 0,
    // Of a sparse checkout, files or whole directories.
    isLeftOut: (extended & 0x4000) !== 0 || mode === TREE_MODE,
  };
}

/** Undefined where one says that the entries are not all that there is. */
function readExtensions(
  view: DataView,
  bytes: Uint8Array,
  from: number,
): { readonly tree: string | undefined } | undefined {
  let tree: string | undefined;
  for (let at = from; at + 8 <= bytes.length - SHA_BYTES;) {
    const name = decoder.decode(bytes.subarray(at, at + 4));
    const size = view.getUint32(at + 4);
    // `sdir` says only that an entry may stand for a directory.
    if (/^[a-z]/.test(name) && name !== 'sdir') return undefined;
    if (name === 'TREE') tree = rootTree(bytes.subarray(at + 8, at + 8 + size));
    at += 8 + size;
  }
  return { tree };
}

/** Name, a zero, count of entries, a space, count of trees below, a line end, then the tree unless the count is negative. */
function rootTree(bytes: Uint8Array): string | undefined {
  const end = bytes.indexOf(10);
  if (bytes[0] !== 0 || end < 0 || decoder.decode(bytes.subarray(1, end)).startsWith('-')) return undefined;
  return hex(bytes.subarray(end + 1, end + 1 + SHA_BYTES));
}

function isBelow(name: Uint8Array, length: number, path: Uint8Array): boolean {
  if (length < path.length) return false;
  for (let at = 0; at < path.length; at += 1) if (name[at] !== path[at]) return false;
  return path.length === 0 || length === path.length || name[path.length] === 47;
}

export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
