import { placedRole } from '../model/role.ts';
import type { DefinitionKind, FileFlag, Language, Visibility } from '../model/facts.ts';
import type { EdgeKind, Why } from '../model/links.ts';
import type { FileEntry, GraphReader, Link, SymbolEntry } from './graph-reader.ts';

export interface PlannedSymbol {
  readonly kind?: DefinitionKind;
  readonly lines?: readonly [first: number, last: number];
  readonly exported?: boolean;
  readonly visibility?: Visibility;
  readonly local?: boolean;
  readonly declared?: boolean;
  readonly signature?: string;
  readonly doc?: string;
}

/** `from -> to` by key or path, and where it stands. */
export interface PlannedLink {
  readonly from: string;
  readonly to: string;
  readonly kind?: EdgeKind;
  readonly line?: number;
  readonly why?: Why;
}

export interface Plan {
  readonly root?: string;
  readonly files?: Readonly<
    Record<
      string,
      {
        readonly language?: Language;
        readonly flags?: readonly FileFlag[];
        readonly unresolved?: number;
        readonly size?: number;
        readonly mtimeMs?: number;
      }
    >
  >;
  /** By key; containers stand before what they contain. */
  readonly symbols: Readonly<Record<string, PlannedSymbol>>;
  readonly links?: readonly (PlannedLink | string)[];
  readonly maybe?: readonly (PlannedLink | string)[];
  readonly unresolved?: Readonly<Record<string, number>>;
  /** Words of files that were not read, by path. */
  readonly lostIn?: Readonly<Record<string, readonly string[]>>;
}

export interface PlannedReader extends GraphReader {
  /** How often each question was asked. */
  readonly asked: Record<'symbol' | 'incoming' | 'outgoing' | 'named' | 'eachName' | 'symbolsOf', number>;
}

/** A graph written down by hand: `{ 'a.ts#f': {} }` and `['a.ts#f -> b.ts#g']`. */
export function plannedReader({
  root = '/project',
  files = {},
  symbols,
  links = [],
  maybe = [],
  unresolved = {},
  lostIn = {},
}: Plan): PlannedReader {
  const asked = { symbol: 0, incoming: 0, outgoing: 0, named: 0, eachName: 0, symbolsOf: 0 };
  const entries: SymbolEntry[] = [];
  const ids = new Map<string, number>();
  const listed = new Map<string, FileEntry>();
  const inFile = new Map<string, number[]>();
  const names = new Map<string, number[]>();

  const byPath = new Map<string, (readonly [key: string, planned: PlannedSymbol])[]>();
  for (const path of Object.keys(files)) byPath.set(path, []);
  for (const [key, planned] of Object.entries(symbols)) push(byPath, key.slice(0, key.indexOf('#')), [key, planned]);
  for (const path of [...byPath.keys()].sort()) {
    const own = byPath.get(path) ?? [];
    const {
      language = languageOf(path),
      flags = /\.test\.|(^|\/)tests?\//.test(path) ? ['test'] : [],
      unresolved: lost = 0,
      size = 1,
      mtimeMs = 1,
    } = files[path] ?? {};
    const module = entries.length;
    const { role } = placedRole(path, flags);
    listed.set(path, { path, language, flags, role, module, symbols: own.length, size, mtimeMs, unresolved: lost });
    const last = Math.max(1, own.length, ...own.map(([, { lines: [, end] = [1, 1] }]) => end));
    inFile.set(path, []);
    add({ key: path, path, name: path, kind: 'module', container: undefined, role }, { lines: [1, last] });
    own.forEach(([key, planned], at) => {
      const label = key.slice(path.length + 1);
      const dot = label.lastIndexOf('.');
      const container = dot < 0 ? module : (ids.get(`${path}#${label.slice(0, dot)}`) ?? module);
      const name = label.slice(dot + 1).replace(/~\d+$/, '');
      inFile.get(path)?.push(entries.length);
      push(names, name, entries.length);
      add(
        { key, path, name, kind: planned.kind ?? (dot < 0 ? 'function' : 'method'), container, role },
        { lines: [at + 1, at + 1], ...planned },
      );
    });
  }

  function add(
    base: Pick<SymbolEntry, 'key' | 'path' | 'name' | 'kind' | 'container' | 'role'>,
    {
      lines = [1, 1],
      exported = true,
      visibility = 'public',
      local = false,
      declared = false,
      signature = '',
      doc,
    }: PlannedSymbol,
  ): void {
    ids.set(base.key, entries.length);
    const [firstLine, lastLine] = lines;
    entries.push({
      id: entries.length,
      ...base,
      firstLine,
      lastLine,
      line: firstLine,
      column: 1,
      signature,
      exported,
      visibility,
      isLocal: local,
      isDeclared: declared,
      doc,
    });
  }

  const index = (planned: readonly (PlannedLink | string)[], usual: Why) => {
    const incoming = new Map<number, Link[]>();
    const outgoing = new Map<number, Link[]>();
    for (const each of planned) {
      const [from = '', to = ''] = typeof each === 'string' ? each.split(' -> ') : [each.from, each.to];
      const { kind = 'calls', line = 1, why = usual } = typeof each === 'string' ? {} : each;
      const [source, target] = [idOf(from), idOf(to)];
      const { path } = entries[source] as SymbolEntry;
      const link = { kind, path, line, column: 1, why };
      push(incoming, target, { symbol: source, ...link });
      push(outgoing, source, { symbol: target, ...link });
    }
    return { incoming, outgoing };
  };
  function idOf(key: string): number {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`no symbol ${key}`);
    return id;
  }
  const sure = index(links, 'import');
  const unsure = index(maybe, 'possible');
  const languages: Record<string, { files: number; symbols: number }> = {};
  for (const { language, symbols: count } of listed.values()) {
    const own = (languages[language] ??= { files: 0, symbols: 0 });
    own.files += 1;
    own.symbols += count;
  }
  return {
    asked,
    digest: 'planned',
    root,
    counts: {
      files: listed.size,
      symbols: entries.length - listed.size,
      edges: links.length,
      possible: maybe.length,
      unresolved: Object.values(unresolved).reduce((sum, count) => sum + count, 0),
      outside: 0,
      languages,
      skipped: {},
    },
    files: () => [...listed.values()],
    flagged: (wanted) => [...listed.values()].filter(({ flags }) => flags.some((flag) => wanted.has(flag))),
    file: (path) => listed.get(path),
    symbol(id) {
      asked.symbol += 1;
      return entries[id] as SymbolEntry;
    },
    symbolsOf(path) {
      asked.symbolsOf += 1;
      return inFile.get(path) ?? [];
    },
    named(name) {
      asked.named += 1;
      return names.get(name) ?? [];
    },
    eachName(visit) {
      asked.eachName += 1;
      for (const name of [...names.keys()].sort()) visit(name, names.get(name) ?? []);
    },
    byKey: (key) => ids.get(key),
    incoming(id) {
      asked.incoming += 1;
      return sure.incoming.get(id) ?? [];
    },
    outgoing(id) {
      asked.outgoing += 1;
      return sure.outgoing.get(id) ?? [];
    },
    maybeIncoming: (id) => unsure.incoming.get(id) ?? [],
    maybeOutgoing: (id) => unsure.outgoing.get(id) ?? [],
    unresolved: (name) => unresolved[name] ?? 0,
    unresolvedIn: (path) => (lostIn[path] ?? []).map((name) => [name, 1]),
    close: () => undefined,
  };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const own = map.get(key);
  if (own) own.push(value);
  else map.set(key, [value]);
}

function languageOf(path: string): Language {
  if (/\.[ch](pp)?$/.test(path)) return path.endsWith('pp') ? 'cpp' : 'c';
  return path.endsWith('.py') ? 'python' : path.endsWith('.go') ? 'go' : path.endsWith('.rs') ? 'rust' : 'typescript';
}
