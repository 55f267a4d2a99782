/** What git remembers of a file that it tracks. */
export interface IndexEntry {
  /** From the top of the work tree. */
  readonly path: string;
  /** As in a tree: `0o100644`, `0o100755`, `0o120000` for a link, `0o160000` for a submodule, `0o040000` for a directory that is left out whole. */
  readonly mode: number;
  readonly sha: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** A merge has left several versions of it. */
  readonly isUnmerged: boolean;
  /** Git leaves what lies in the work tree alone, which may be nothing. */
  readonly isLeftOut: boolean;
}

export interface IndexFile {
  readonly count: number;
  /** The trees that a commit of it would have, by directory; the empty one is the top. One in which something was staged is absent. */
  readonly trees: ReadonlyMap<string, string>;
  /** The files that are, or lie below, one of these paths; all of them for the empty path. At most `max`, else undefined. */
  entriesBelow(paths: readonly string[], max: number): readonly IndexEntry[] | undefined;
  countBelow(paths: readonly string[]): number;
}

const SIGNATURE = 0x44495243;
const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const SHA_BYTES = 20;
const MOST_DEPTH = 200;
const decoder = new TextDecoder();

/** Reads git's index, versions 2 to 4, of a repository that names objects by SHA-1; undefined for any other. */
export function readIndex(bytes: Uint8Array): IndexFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES + SHA_BYTES || view.getUint32(0) !== SIGNATURE) return undefined;
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  if (version < 2 || version > 4 || count > bytes.length / FIXED_BYTES) return undefined;
  try {
    const names = version < 4 ? placeNames(view, bytes, version, count) : unpackNames(view, bytes, count);
    const extensions = readExtensions(view, bytes, names.end);
    if (!extensions) return undefined;
    return {
      count,
      trees: extensions.trees,
      entriesBelow(paths, max) {
        if (paths.includes('') && count > max) return undefined;
        const entries: IndexEntry[] = [];
        for (const path of paths)
          for (const [from, to] of rangesBelow(names, path)) {
            if (entries.length + to - from > max) return undefined;
            for (let at = from; at < to; at += 1)
              entries.push(entryAt(view, bytes, names.entries[at] ?? 0, version, nameAt(names, at)));
          }
        return entries;
      },
      countBelow: (paths) =>
        paths.flatMap((path) => rangesBelow(names, path)).reduce((sum, [from, to]) => sum + to - from, 0),
    };
  } catch {
    // It ends too early, or its lengths lead out of it.
    return undefined;
  }
}

/** Where entries and their names begin, in the order of the names. */
interface Names {
  readonly entries: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** What the names are part of. */
  readonly text: Uint8Array;
  /** Where the last entry ends. */
  readonly end: number;
}

function emptyNames(count: number): Pick<Names, 'entries' | 'starts' | 'ends'> {
  return { entries: new Uint32Array(count), starts: new Uint32Array(count), ends: new Uint32Array(count) };
}

/** How long an entry is without its name. */
function fixedBytes(view: DataView, at: number, version: number): number {
  return FIXED_BYTES + (version > 2 && (view.getUint16(at + FIXED_BYTES - 2) & 0x4000) !== 0 ? 2 : 0);
}

function placeNames(view: DataView, bytes: Uint8Array, version: number, count: number): Names {
  const { entries, starts, ends } = emptyNames(count);
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry += 1) {
    const length = view.getUint16(at + FIXED_BYTES - 2) & 0xfff;
    const start = at + fixedBytes(view, at, version);
    const end = length < 0xfff ? start + length : bytes.indexOf(0, start);
    if (end < start || bytes[end] !== 0) throw new RangeError('a name without an end');
    entries[entry] = at;
    starts[entry] = start;
    ends[entry] = end;
    // Padded with zeros to eight bytes, at least one.
    at += (end - at + 8) & ~7;
  }
  return { entries, starts, ends, text: bytes, end: at };
}

/** Version 4: how much of the name before goes, and what comes behind the rest of it. */
function unpackNames(view: DataView, bytes: Uint8Array, count: number): Names {
  const { entries, starts, ends } = emptyNames(count);
  let text = new Uint8Array(64 * 1_024);
  let filled = 0;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry += 1) {
    entries[entry] = at;
    at += fixedBytes(view, at, 4);
    let removed = 0;
    for (let more = true, first = true; more; first = false) {
      const byte = view.getUint8(at);
      at += 1;
      removed = first ? byte & 0x7f : (removed + 1) * 128 + (byte & 0x7f);
      more = (byte & 0x80) !== 0;
    }
    const end = bytes.indexOf(0, at);
    const before = entry === 0 ? 0 : (starts[entry - 1] ?? 0);
    const kept = filled - before - removed;
    if (end < at || kept < 0) throw new RangeError('a name without an end');
    const length = kept + end - at;
    if (filled + length > text.length) {
      const longer = new Uint8Array(2 * (filled + length));
      longer.set(text);
      text = longer;
    }
    text.copyWithin(filled, before, before + kept);
    text.set(bytes.subarray(at, end), filled + kept);
    starts[entry] = filled;
    ends[entry] = filled += length;
    at = end + 1;
  }
  return { entries, starts, ends, text, end: at };
}

function nameAt({ starts, ends, text }: Names, at: number): string {
  return decoder.decode(text.subarray(starts[at], ends[at]));
}

/** The file of that name, in all its versions, and what lies below the directory of that name. */
function rangesBelow(names: Names, path: string): readonly (readonly [from: number, to: number])[] {
  if (path === '') return [[0, names.entries.length]];
  const bytes = new TextEncoder().encode(path);
  // A zero is before and `0` behind every name that begins with a slash here.
  const [same, next, inside, behind] = [[], [0], [47], [48]].map((end) => firstFrom(names, [...bytes, ...end])) as [
    number,
    number,
    number,
    number,
  ];
  return [
    [same, next],
    [inside, behind],
  ];
}

/** The first entry whose name is not before these bytes. */
function firstFrom({ starts, ends, text }: Names, bytes: readonly number[]): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = starts[middle] ?? 0;
    const length = (ends[middle] ?? 0) - start;
    let at = 0;
    while (at < length && at < bytes.length && text[start + at] === bytes[at]) at += 1;
    const isBefore = at < bytes.length && (at === length || (text[start + at] ?? 0) < (bytes[at] ?? 0));
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
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
    isLeftOut: (extended & 0x4000) !== 0,
  };
}

/** Undefined where one says that the entries are not all that there is. */
function readExtensions(
  view: DataView,
  bytes: Uint8Array,
  from: number,
): { readonly trees: ReadonlyMap<string, string> } | undefined {
  const trees = new Map<string, string>();
  for (let at = from; at + 8 <= bytes.length - SHA_BYTES;) {
    const name = decoder.decode(bytes.subarray(at, at + 4));
    const size = view.getUint32(at + 4);
    // `sdir` says only that an entry may stand for a directory.
    if (/^[a-z]/.test(name) && name !== 'sdir') return undefined;
    if (name === 'TREE') readTrees(bytes.subarray(at + 8, at + 8 + size), trees);
    at += 8 + size;
  }
  return { trees };
}

/** Name, a zero, count of entries, a space, count of trees below, a line end, the tree unless the count is negative; then those below. */
function readTrees(bytes: Uint8Array, trees: Map<string, string>): void {
  let at = 0;
  const read = (above: string, depth: number): void => {
    const zero = bytes.indexOf(0, at);
    const end = bytes.indexOf(10, zero);
    if (zero < at || end < zero || depth > MOST_DEPTH) throw new RangeError('a tree without an end');
    const path = above + decoder.decode(bytes.subarray(at, zero));
    const [count = 0, below = 0] = decoder
      .decode(bytes.subarray(zero + 1, end))
      .split(' ')
      .map(Number);
    at = end + 1;
    if (count >= 0) {
      trees.set(path, hex(bytes.subarray(at, at + SHA_BYTES)));
      at += SHA_BYTES;
    }
    for (let tree = 0; tree < below; tree += 1) read(path === '' ? '' : `${path}/`, depth + 1);
  };
  if (bytes.length > 0) read('', 0);
}

export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
