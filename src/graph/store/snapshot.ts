import type { GraphFile, Pack } from './pack.ts';
import { openPack, packSections } from './pack.ts';
import { openNamedPostings, openNumberedPostings, writeNamedPostings, writeNumberedPostings } from './postings.ts';
import type { Pairs, Postings } from './postings.ts';
import { EDGE, openRecord, RECORD_FORMAT } from './record.ts';
import type { RecordLinks } from './record.ts';
import { openSections, writeSections } from './sections.ts';
import type { Sections } from './sections.ts';

/** A whole graph in one file: the records of all files, and what is found by name or by what leads there. */
export interface Snapshot {
  readonly root: string;
  /** Which resolution it is from. */
  readonly madeBy: string;
  readonly check: string;
  readonly pack: Pack;
  /** Pairs of file and symbol. */
  readonly names: Postings<string>;
  /** Pairs of file and count. */
  readonly unresolved: Postings<string>;
  /** By symbol, pairs of file and the position of the edge among those of its file. */
  readonly incoming: Postings<number>;
  readonly maybe: Postings<number>;
}

/** What changed since a snapshot: records that replace those of the same path or are new, and paths that are gone. */
export interface Delta {
  readonly root: string;
  /** The snapshot it belongs to. */
  readonly base: string;
  readonly pack: Pack;
  readonly removed: readonly string[];
}

/** The same bytes for the same files, however they came to be what they are. `files` are sorted by path. */
export function writeSnapshot(root: string, madeBy: string, files: readonly GraphFile[]): Uint8Array {
  const firstOf = new Map<string, number>();
  let first = 0;
  for (const { path, symbols } of files) {
    firstOf.set(path, first);
    first += symbols + 1;
  }
  const names = new Map<string, Pairs>();
  const unresolved = new Map<string, Pairs>();
  const incoming = new Map<number, Pairs>();
  const maybe = new Map<number, Pairs>();
  files.forEach(({ record }, file) => {
    const opened = openRecord(record);
    opened.names().forEach((name, index) => add(names, name, file, index));
    const links = opened.links();
    for (const [name, times] of links.unresolved) add(unresolved, name, file, times);
    addEdges(incoming, links.edges, links, file, firstOf);
    addEdges(maybe, links.possible, links, file, firstOf);
  });
  return writeSections(
    { kind: 'snapshot', format: RECORD_FORMAT, root, madeBy },
    {
      ...packSections(files),
      names: writeNamedPostings(names),
      unresolved: writeNamedPostings(unresolved),
      incoming: writeNumberedPostings(incoming),
      maybe: writeNumberedPostings(maybe),
    },
  );
}

function add<K>(into: Map<K, Pairs>, key: K, first: number, second: number): void {
  const pairs = into.get(key);
  if (pairs === undefined) into.set(key, [first, second]);
  else pairs.push(first, second);
}

function addEdges(
  into: Map<number, Pairs>,
  edges: Int32Array,
  { strings }: RecordLinks,
  file: number,
  firstOf: ReadonlyMap<string, number>,
): void {
  for (let n = 0, nth = 0; n < edges.length; n += EDGE.width, nth += 1) {
    const first = firstOf.get(strings[edges[n + EDGE.path] as number] as string);
    if (first !== undefined) add(into, first + 1 + (edges[n + EDGE.target] as number), file, nth);
  }
}

export function openSnapshotBytes(bytes: Uint8Array): Snapshot | undefined {
  const sections = openSections(bytes);
  return sections && openSnapshot(sections);
}

/** Undefined for what another version wrote. */
export function openSnapshot(sections: Sections): Snapshot | undefined {
  const root = rootIn(sections.meta, 'snapshot');
  if (root === undefined) return undefined;
  return {
    root,
    madeBy: String(sections.meta['madeBy']),
    check: sections.check,
    pack: openPack(sections),
    names: openNamedPostings(sections.section('names')),
    unresolved: openNamedPostings(sections.section('unresolved')),
    incoming: openNumberedPostings(sections.section('incoming')),
    maybe: openNumberedPostings(sections.section('maybe')),
  };
}

export function writeDelta(
  root: string,
  base: string,
  files: readonly GraphFile[],
  removed: readonly string[],
): Uint8Array {
  return writeSections({ kind: 'delta', format: RECORD_FORMAT, root, base, removed }, packSections(files));
}

export function openDeltaBytes(bytes: Uint8Array): Delta | undefined {
  const sections = openSections(bytes);
  const root = rootIn(sections?.meta, 'delta');
  if (sections === undefined || root === undefined) return undefined;
  const { base, removed } = sections.meta as { base: string; removed: string[] };
  return { root, base, removed, pack: openPack(sections) };
}

/** Undefined for what another version wrote. */
function rootIn(meta: Readonly<Record<string, unknown>> | undefined, kind: string): string | undefined {
  return meta !== undefined && meta['kind'] === kind && meta['format'] === RECORD_FORMAT
    ? (meta['root'] as string)
    : undefined;
}
