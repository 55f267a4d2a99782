import { sha256 } from '../../platform/hash.ts';
import { EDGE_KINDS, KINDS, VISIBILITIES, WHYS } from '../format/codes.ts';
import type { DefinitionKind, Language, Visibility } from '../model/facts.ts';
import type { EdgeKind, Why } from '../model/links.ts';
import type { FileEntry, GraphCounts, GraphReader, Link, SymbolEntry } from '../query/graph-reader.ts';
import { createLaidOver } from './laid-over.ts';
import { mergeFiles } from './merged-files.ts';
import type { MergedFiles } from './merged-files.ts';
import type { Postings } from './postings.ts';
import { EDGE, openRecord, SYMBOL } from './record.ts';
import type { FileRecord, RecordLinks, RecordSymbols } from './record.ts';
import type { Delta, Snapshot } from './snapshot.ts';

/** Records that stay taken apart; then all are let go. */
const MAX_OPENED = 2_048;

interface OpenedRecord {
  readonly record: FileRecord;
  symbols?: RecordSymbols;
  lines?: readonly number[];
  links?: RecordLinks;
  leaving?: Record<Which, ReadonlyMap<number, readonly number[]> | undefined>;
}

type Which = 'edges' | 'possible';

/** Answers from a snapshot and what changed since, as one made of the files as they are now would. */
export function createReader(snapshot: Snapshot, delta: Delta | undefined): GraphReader {
  const files = mergeFiles(snapshot, delta);
  const over = createLaidOver(files, snapshot);
  const opened = new Map<number, OpenedRecord>();
  let digest: string | undefined;
  let counts: GraphCounts | undefined;
  const entries: FileEntry[] = [];
  let listed: readonly FileEntry[] | undefined;

  function open(file: number): OpenedRecord {
    let found = opened.get(file);
    if (found === undefined) {
      if (opened.size >= MAX_OPENED) opened.clear();
      found = { record: openRecord(files.packOf(file).recordAt(files.indexOf(file))) };
      opened.set(file, found);
    }
    return found;
  }

  function symbolsIn(file: number): RecordSymbols {
    const found = open(file);
    return (found.symbols ??= found.record.symbols());
  }

  function linesIn(file: number): readonly number[] {
    const found = open(file);
    return (found.lines ??= found.record.lines());
  }

  function linksIn(file: number): RecordLinks {
    const found = open(file);
    return (found.links ??= found.record.links());
  }

  /** The positions of a file's edges by the symbol they come from: all symbols of one file are often asked about. */
  function leavingIn(file: number, which: Which): ReadonlyMap<number, readonly number[]> {
    const found = open(file);
    const known = (found.leaving ??= { edges: undefined, possible: undefined });
    return (known[which] ??= bySource(linksIn(file)[which]));
  }

  function fileOf(id: number): number {
    let low = 0;
    let high = files.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((files.first[middle] as number) <= id) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  const firstOf = (file: number): number => files.first[file] as number;

  function keyIn({ strings, columns }: RecordSymbols, index: number): string {
    const n = index * SYMBOL.width;
    const name = strings[columns[n] as number] as string;
    const container = columns[n + SYMBOL.container] as number;
    const repeat = columns[n + SYMBOL.repeat] as number;
    const plain = container < 0 ? name : `${keyIn({ strings, columns } as RecordSymbols, container)}.${name}`;
    return repeat === 0 ? plain : `${plain}~${repeat + 1}`;
  }

  /** Taken apart once: every symbol of the file is told by it whether it is a test. */
  function entryAt(file: number): FileEntry {
    return (entries[file] ??= entryOf(file));
  }

  function entryOf(file: number): FileEntry {
    const { path, language, flags, symbols, size, mtimeMs, unresolved } = files
      .packOf(file)
      .fileAt(files.indexOf(file));
    return { path, language, flags, module: firstOf(file), symbols, size, mtimeMs, unresolved };
  }

  function moduleOf(file: number): SymbolEntry {
    const path = files.paths[file] as string;
    return {
      id: firstOf(file),
      key: path,
      path,
      name: path.slice(path.lastIndexOf('/') + 1),
      kind: 'module',
      container: undefined,
      firstLine: 1,
      lastLine: Math.max(1, linesIn(file).length),
      line: 1,
      column: 1,
      signature: '',
      exported: true,
      visibility: 'public',
      isTest: isTest(file),
      isLocal: false,
      isDeclared: false,
      doc: undefined,
    };
  }

  function isTest(file: number): boolean {
    return entryAt(file).flags.includes('test');
  }

  function linkFrom(file: number, edges: Int32Array, nth: number, end: 'source' | 'target'): Link | undefined {
    const n = nth * EDGE.width;
    const links = linksIn(file);
    const lines = linesIn(file);
    const bits = edges[n + EDGE.bits] as number;
    const at = edges[n + EDGE.at] as number;
    const line = lineAt(lines, at);
    const other = end === 'source' ? file : files.numberOf.get(links.strings[edges[n + EDGE.path] as number] as string);
    if (other === undefined) return undefined;
    const local = edges[n + (end === 'source' ? EDGE.source : EDGE.target)] as number;
    return {
      symbol: firstOf(other) + 1 + local,
      kind: EDGE_KINDS[bits & 7] as EdgeKind,
      path: files.paths[file] as string,
      line: line + 1,
      column: at - (lines[line] as number) + 1,
      why: WHYS[bits >> 3] as Why,
    };
  }

  function leading(id: number, base: Postings<number>, which: Which): readonly Link[] {
    return over.incoming(id, fileOf(id), base, which).flatMap(([file, nth]) => {
      const link = linkFrom(file, linksIn(file)[which], nth, 'source');
      return link === undefined ? [] : [link];
    });
  }

  function leaving(id: number, which: Which): readonly Link[] {
    const file = fileOf(id);
    const edges = linksIn(file)[which];
    const links: Link[] = [];
    for (const nth of leavingIn(file, which).get(id - firstOf(file) - 1) ?? []) {
      const link = linkFrom(file, edges, nth, 'target');
      if (link !== undefined) links.push(link);
    }
    return links;
  }

  return {
    get digest() {
      return (digest ??= digestOf(files));
    },
    root: snapshot.root,
    get counts() {
      return (counts ??= countAll(files));
    },
    files: () => (listed ??= files.paths.map((_, file) => entryAt(file))),
    file(path) {
      const file = files.numberOf.get(path);
      return file === undefined ? undefined : entryAt(file);
    },
    symbol(id) {
      const file = fileOf(id);
      const index = id - firstOf(file) - 1;
      if (index < 0) return moduleOf(file);
      const symbols = symbolsIn(file);
      const { strings, columns } = symbols;
      const lines = linesIn(file);
      const n = index * SYMBOL.width;
      const bits = columns[n + SYMBOL.bits] as number;
      const [start, at, end] = [columns[n + SYMBOL.start], columns[n + SYMBOL.at], columns[n + SYMBOL.end]] as [
        number,
        number,
        number,
      ];
      const path = files.paths[file] as string;
      const line = lineAt(lines, at);
      return {
        id,
        key: `${path}#${keyIn(symbols, index)}`,
        path,
        name: strings[columns[n] as number] as string,
        kind: KINDS[bits & 15] as DefinitionKind,
        container: firstOf(file) + 1 + (columns[n + SYMBOL.container] as number),
        firstLine: lineAt(lines, start) + 1,
        lastLine: lineAt(lines, Math.max(start, end - 1)) + 1,
        line: line + 1,
        column: at - (lines[line] as number) + 1,
        signature: strings[columns[n + SYMBOL.signature] as number] as string,
        exported: (bits & 16) !== 0,
        visibility: VISIBILITIES[(bits >> 5) & 3] as Visibility,
        isTest: isTest(file),
        isLocal: (bits & 128) !== 0,
        isDeclared: (bits & 256) !== 0,
        doc: strings[columns[n + SYMBOL.doc] as number],
      };
    },
    symbolsOf(path) {
      const file = files.numberOf.get(path);
      if (file === undefined) return [];
      const count = files.packOf(file).totalOf(files.indexOf(file), 'symbols');
      return Array.from({ length: count }, (_, index) => firstOf(file) + 1 + index);
    },
    named: over.named,
    eachName: over.eachName,
    byKey(key) {
      for (let hash = key.indexOf('#'); hash > 0; hash = key.indexOf('#', hash + 1)) {
        const file = files.numberOf.get(key.slice(0, hash));
        if (file === undefined) continue;
        const symbols = symbolsIn(file);
        const wanted = key.slice(hash + 1);
        for (let index = 0; index < symbols.count; index += 1) {
          const name = symbols.strings[symbols.columns[index * SYMBOL.width] as number] as string;
          if (wanted.includes(name) && keyIn(symbols, index) === wanted) return firstOf(file) + 1 + index;
        }
      }
      return files.numberOf.has(key) ? firstOf(files.numberOf.get(key) as number) : undefined;
    },
    incoming: (id) => leading(id, snapshot.incoming, 'edges'),
    outgoing: (id) => leaving(id, 'edges'),
    maybeIncoming: (id) => leading(id, snapshot.maybe, 'possible'),
    maybeOutgoing: (id) => leaving(id, 'possible'),
    unresolved: over.unresolved,
    close() {
      opened.clear();
    },
  };
}

function bySource(edges: Int32Array): Map<number, number[]> {
  const sources = new Map<number, number[]>();
  for (let nth = 0; nth * EDGE.width < edges.length; nth += 1) {
    const source = edges[nth * EDGE.width + EDGE.source] as number;
    const own = sources.get(source);
    if (own) own.push(nth);
    else sources.set(source, [nth]);
  }
  return sources;
}

function lineAt(lines: readonly number[], at: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function digestOf(files: MergedFiles): string {
  const all = Buffer.alloc(files.count * 16);
  for (let file = 0; file < files.count; file += 1)
    all.set(files.packOf(file).digestAt(files.indexOf(file)), file * 16);
  return sha256(all);
}

function countAll(files: MergedFiles): GraphCounts {
  const totals = { files: files.count, symbols: 0, edges: 0, possible: 0, unresolved: 0, outside: 0 };
  const languages: Partial<Record<Language, { files: number; symbols: number }>> = {};
  const skipped: Record<string, number> = {};
  for (let file = 0; file < files.count; file += 1) {
    const [pack, index] = [files.packOf(file), files.indexOf(file)];
    const { language, flags } = pack.kindAt(index);
    const symbols = pack.totalOf(index, 'symbols');
    totals.symbols += symbols;
    totals.edges += pack.totalOf(index, 'edges');
    totals.possible += pack.totalOf(index, 'possible');
    totals.unresolved += pack.totalOf(index, 'unresolved');
    totals.outside += pack.totalOf(index, 'outside');
    const of = (languages[language] ??= { files: 0, symbols: 0 });
    of.files += 1;
    of.symbols += symbols;
    for (const flag of flags) if (WITHOUT_FACTS.has(flag)) skipped[flag] = (skipped[flag] ?? 0) + 1;
  }
  return { ...totals, languages, skipped };
}

const WITHOUT_FACTS = new Set(['too-large', 'minified', 'binary', 'not-utf8', 'slow', 'unreadable']);
