import { EDGE_KINDS, WHYS } from '../format/codes.ts';
import type { EdgeKind, Why } from '../model/links.ts';
import type { Link } from '../query/graph-reader.ts';
import type { LaidOver } from './laid-over.ts';
import { fileOf } from './merged-files.ts';
import type { MergedFiles } from './merged-files.ts';
import { lineAt } from './opened-records.ts';
import type { OpenedRecords, Which } from './opened-records.ts';
import type { Postings } from './postings.ts';
import { EDGE } from './record.ts';

/** The links that lead to a symbol, and those that leave it. */
export interface LinkReader {
  leading(id: number, base: Postings<number>, which: Which): readonly Link[];
  leaving(id: number, which: Which): readonly Link[];
}

export function createLinkReader(files: MergedFiles, over: LaidOver, records: OpenedRecords): LinkReader {
  const { linesIn, linksIn, leavingIn } = records;
  const firstOf = (file: number): number => files.first[file] as number;

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
    return over.incoming(id, fileOf(files, id), base, which).flatMap(([file, nth]) => {
      const link = linkFrom(file, linksIn(file)[which], nth, 'source');
      return link === undefined ? [] : [link];
    });
  }

  function leaving(id: number, which: Which): readonly Link[] {
    const file = fileOf(files, id);
    const edges = linksIn(file)[which];
    const links: Link[] = [];
    for (const nth of leavingIn(file, which).get(id - firstOf(file) - 1) ?? []) {
      const link = linkFrom(file, edges, nth, 'target');
      if (link !== undefined) links.push(link);
    }
    return links;
  }

  return { leading, leaving };
}
