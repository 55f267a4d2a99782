import type { MergedFiles } from './merged-files.ts';
import { EDGE, openRecord } from './record.ts';
import type { FileRecord, RecordLinks, RecordSymbols } from './record.ts';

/** Records that stay taken apart; then all are let go. */
const MAX_OPENED = 2_048;

interface OpenedRecord {
  readonly record: FileRecord;
  symbols?: RecordSymbols;
  lines?: readonly number[];
  links?: RecordLinks;
  leaving?: Record<Which, ReadonlyMap<number, readonly number[]> | undefined>;
}

export type Which = 'edges' | 'possible';

/** The records of files by their number, each part taken apart when it is first asked for. */
export interface OpenedRecords {
  symbolsIn(file: number): RecordSymbols;
  linesIn(file: number): readonly number[];
  linksIn(file: number): RecordLinks;
  leavingIn(file: number, which: Which): ReadonlyMap<number, readonly number[]>;
  clear(): void;
}

export function createOpenedRecords(files: MergedFiles): OpenedRecords {
  const opened = new Map<number, OpenedRecord>();

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

  return { symbolsIn, linesIn, linksIn, leavingIn, clear: () => opened.clear() };
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

export function lineAt(lines: readonly number[], at: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
