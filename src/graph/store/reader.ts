import { sha256 } from '../../platform/hash.ts';
import { KINDS, VISIBILITIES, EDGE_KINDS, WHYS } from '../format/codes.ts';
import type { DefinitionKind, FileFlag, Language, Visibility } from '../model/facts.ts';
import { placedRole } from '../model/role.ts';
import type { Role } from '../model/role.ts';
import type { FileEntry, GraphCounts, GraphReader, Link, SymbolEntry } from '../query/graph-reader.ts';
import { descriptorOf } from '../walk/known-languages.ts';
import { createLaidOver } from './laid-over.ts';
import type { LaidOver } from './laid-over.ts';
import { fileOf, mergeFiles } from './merged-files.ts';
import type { MergedFiles } from './merged-files.ts';
import { createOpenedRecords, lineAt } from './opened-records.ts';
import type { OpenedRecords, Which } from './opened-records.ts';
import { SYMBOL, EDGE } from './record.ts';
import type { RecordSymbols } from './record.ts';
import type { Delta, Snapshot } from './snapshot.ts';
import type { EdgeKind, Why } from '../model/links.ts';
import type { Postings } from './postings.ts';

/** The links that lead to a symbol, and those that leave it. */
interface LinkReader {
  leading(id: number, base: Postings<number>, which: Which): readonly Link[];
  leaving(id: number, which: Which): readonly Link[];
}

function createLinkReader(files: MergedFiles, over: LaidOver, records: OpenedRecords): LinkReader {
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

/** Whether code that is production by its own place imports a file, by what leads to its module. */
function isImported(files: MergedFiles, leading: readonly Link[]): boolean {
  return leading.some(({ kind, path }) => {
    const file = kind === 'imports' || kind === 'exports' ? files.numberOf.get(path) : undefined;
    if (file === undefined) return false;
    const { flags } = files.packOf(file).kindAt(files.indexOf(file));
    return placedRole(path, flags).role === 'production';
  });
}

/** The files that have one of these flags. */
function numbersWith(files: MergedFiles, wanted: ReadonlySet<FileFlag>): number[] {
  return [...files.paths.keys()].filter((file) =>
    files
      .packOf(file)
      .kindAt(files.indexOf(file))
      .flags.some((flag) => wanted.has(flag)),
  );
}

/** Answers from a snapshot and what changed since, as one made of the files as they are now would. */
export function createReader(snapshot: Snapshot, delta: Delta | undefined): GraphReader {
  const files = mergeFiles(snapshot, delta);
  const over = createLaidOver(files, snapshot);
  const records = createOpenedRecords(files);
  const { symbolsIn, linesIn } = records;
  const links = createLinkReader(files, over, records);
  let digest: string | undefined;
  let counts: GraphCounts | undefined;
  const entries: FileEntry[] = [];
  let listed: readonly FileEntry[] | undefined;

  const firstOf = (file: number): number => files.first[file] as number;

  /** Taken apart once: every symbol of the file is told by it what it is there for. */
  function entryAt(file: number): FileEntry {
    return (entries[file] ??= entryOf(file));
  }

  function entryOf(file: number): FileEntry {
    const { path, language, flags, symbols, size, mtimeMs, unresolved } = files
      .packOf(file)
      .fileAt(files.indexOf(file));
    const module = firstOf(file);
    const placed = placedRole(path, flags);
    const role =
      placed.unless && isImported(files, links.leading(module, snapshot.incoming, 'edges'))
        ? 'production'
        : placed.role;
    return { path, language, flags, role, module, symbols, size, mtimeMs, unresolved };
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
    flagged: (wanted) => numbersWith(files, wanted).map(entryAt),
    file(path) {
      const file = files.numberOf.get(path);
      return file === undefined ? undefined : entryAt(file);
    },
    symbol(id) {
      const file = fileOf(files, id);
      const index = id - firstOf(file) - 1;
      if (index < 0) return moduleEntry(id, files.paths[file] as string, linesIn(file).length, entryAt(file).role);
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
      const { path, role, language } = entryAt(file);
      const line = lineAt(lines, at);
      const inside = keyIn(symbols, index);
      return {
        id,
        key: `${path}#${inside}`,
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
        role: descriptorOf(language)?.testScope?.test(inside) === true || isForTests(symbols, index) ? 'test' : role,
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
    incoming: (id) => links.leading(id, snapshot.incoming, 'edges'),
    outgoing: (id) => links.leaving(id, 'edges'),
    maybeIncoming: (id) => links.leading(id, snapshot.maybe, 'possible'),
    maybeOutgoing: (id) => links.leaving(id, 'possible'),
    unresolved: over.unresolved,
    unresolvedIn(path) {
      const file = files.numberOf.get(path);
      return file === undefined ? [] : records.linksIn(file).unresolved;
    },
    close: records.clear,
  };
}

/** It, or what it lies in, is marked as a test in the code. */
function isForTests({ columns }: RecordSymbols, index: number): boolean {
  for (let at = index; at >= 0; at = columns[at * SYMBOL.width + SYMBOL.container] as number)
    if (((columns[at * SYMBOL.width + SYMBOL.bits] as number) & 512) !== 0) return true;
  return false;
}

function keyIn({ strings, columns }: RecordSymbols, index: number): string {
  const n = index * SYMBOL.width;
  const name = strings[columns[n] as number] as string;
  const container = columns[n + SYMBOL.container] as number;
  const repeat = columns[n + SYMBOL.repeat] as number;
  const plain = container < 0 ? name : `${keyIn({ strings, columns } as RecordSymbols, container)}.${name}`;
  return repeat === 0 ? plain : `${plain}~${repeat + 1}`;
}

function moduleEntry(id: number, path: string, lines: number, role: Role): SymbolEntry {
  return {
    id,
    key: path,
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    kind: 'module',
    container: undefined,
    firstLine: 1,
    lastLine: Math.max(1, lines),
    line: 1,
    column: 1,
    signature: '',
    exported: true,
    visibility: 'public',
    role,
    isLocal: false,
    isDeclared: false,
    doc: undefined,
  };
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

/** Why files are listed without facts, or without all of them. */
const WITHOUT_FACTS = new Set(['too-large', 'minified', 'binary', 'not-utf8', 'slow', 'unreadable', 'cut']);
