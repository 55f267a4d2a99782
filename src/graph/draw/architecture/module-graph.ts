import type { FileFlag } from '../../model/facts.ts';
import { directoryOf } from '../../model/paths.ts';
import { counts, isCallable, isClassLike } from '../../query/family.ts';
import type { FileEntry, GraphReader, Link } from '../../query/graph-reader.ts';
import { descriptorOf } from '../../walk/known-languages.ts';
import { isTestSupport } from '../../model/role.ts';

/** The files that make up the project, and which of them imports which. */
export interface ModuleGraph {
  /** By path. */
  readonly modules: readonly Module[];
  /** Once for each two modules, by number; never from a module to itself. */
  readonly imports: readonly ModuleImport[];
  /** Directories below the root that have a manifest of a package. */
  readonly packages: ReadonlySet<string>;
  readonly leftOut: LeftOut;
  /** Whether there are other types than classes. */
  readonly hasOtherTypes: boolean;
}

export interface Module {
  readonly path: string;
  /** What an import names: the module, or the directory where that brings in all files of it. */
  readonly unit: string;
  readonly isGenerated: boolean;
  readonly classes: number;
  readonly functions: number;
}

export interface ModuleImport {
  readonly from: number;
  readonly to: number;
}

/** Modules that belong together. */
export interface District {
  /** Path of the directory or module; what ends with `*` is only some of a directory. */
  readonly name: string;
  /** Their numbers, in order. */
  readonly modules: readonly number[];
}

export interface LeftOut {
  readonly tests: number;
  /** Docs, samples, playgrounds and measurements that nothing of the product imports. */
  readonly samples: number;
  readonly vendored: number;
  /** Files that were listed without being read. */
  readonly unread: number;
}

const UNREAD: ReadonlySet<FileFlag> = new Set(['too-large', 'minified', 'binary', 'not-utf8', 'slow', 'unreadable']);
const COMPILER_OPTIONS = /(^|\/)[jt]sconfig[^/]*$/;

export function readModules(reader: GraphReader): ModuleGraph {
  const files = reader.files().toSorted((a, b) => a.module - b.module);
  const leads = linksBetween(reader, files);
  const { kept, leftOut } = choose(files, leads);
  const number = new Map(kept.map((file, index) => [file.path, index]));
  let hasOtherTypes = false;
  const modules = kept.map(({ path, flags, language }) => {
    let [classes, functions] = [0, 0];
    for (const id of reader.symbolsOf(path)) {
      const symbol = reader.symbol(id);
      const { kind, isLocal } = symbol;
      if (isLocal || kind === 'namespace') continue;
      if (isClassLike(symbol)) classes += 1;
      else if (isCallable(symbol)) functions += 1;
      hasOtherTypes ||= isClassLike(symbol) && kind !== 'class';
    }
    const unit = descriptorOf(language)?.packageIsDirectory ? directoryOf(path) : path;
    return { path, unit, isGenerated: flags.includes('generated'), classes, functions };
  });
  const imports: ModuleImport[] = [];
  kept.forEach(({ path: source }, from) => {
    for (const target of leads.get(source) ?? []) {
      const to = number.get(target.path);
      if (to !== undefined) imports.push({ from, to });
    }
  });
  imports.sort((a, b) => a.from - b.from || a.to - b.to);
  const packages = new Set(
    files
      .filter(({ language, path }) => language === 'manifest' && !COMPILER_OPTIONS.test(path))
      .map(({ path }) => directoryOf(path)),
  );
  return { modules, imports, packages, leftOut, hasOtherTypes };
}

type Leads = ReadonlyMap<string, ReadonlySet<FileEntry>>;

/** Which files each file imports. In a language whose files import nothing of the project, what they use says it. */
function linksBetween(reader: GraphReader, files: readonly FileEntry[]): Leads {
  const targets = new Map<string, Set<FileEntry>>();
  const fileOf = (symbol: number): FileEntry | undefined => {
    let [low, high] = [0, files.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((files[middle] as FileEntry).module <= symbol) low = middle;
      else high = middle - 1;
    }
    return files[low];
  };
  const add = (source: FileEntry, link: Link): void => {
    const target = fileOf(link.symbol);
    if (target === undefined || target === source || !counts(link)) return;
    const own = targets.get(source.path);
    if (own === undefined) targets.set(source.path, new Set([target]));
    else own.add(target);
  };
  const importing = new Set<string>();
  for (const file of files)
    for (const link of reader.outgoing(file.module)) {
      if (link.kind !== 'imports' && link.kind !== 'exports') continue;
      importing.add(file.language);
      add(file, link);
    }
  for (const file of files) {
    if (file.language === 'manifest' || importing.has(file.language)) continue;
    for (const id of [file.module, ...reader.symbolsOf(file.path)])
      for (const link of reader.outgoing(id)) add(file, link);
  }
  return targets;
}

/** Without tests, samples and foreign code; where nothing else is there, with them. */
function choose(files: readonly FileEntry[], leads: Leads): { kept: readonly FileEntry[]; leftOut: LeftOut } {
  const code = files.filter(({ language }) => language !== 'manifest');
  const read = code.filter(({ flags }) => !flags.some((flag) => UNREAD.has(flag)));
  const own = read.filter(({ flags }) => !flags.includes('vendored'));
  const isTest = findTests(own, leads);
  const product = own.filter(({ path, role }) => !isTest.has(path) && role !== 'sample');
  const samples = own.filter(({ path, role }) => !isTest.has(path) && role === 'sample').length;
  const kept = [product, own, read].find((some) => some.length > 0) ?? [];
  return {
    kept: kept.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: {
      tests: kept === product ? own.length - product.length - samples : 0,
      samples: kept === product ? samples : 0,
      vendored: kept === read ? 0 : read.length - own.length,
      unread: code.length - read.length,
    },
  };
}

/** Tests, and what is named as their support unless the product itself needs it. */
function findTests(files: readonly FileEntry[], leads: Leads): ReadonlySet<string> {
  const tests = new Set(
    files.filter(({ path, flags }) => flags.includes('test') || isTestSupport(path)).map(({ path }) => path),
  );
  const flagged = new Set(files.filter(({ flags }) => flags.includes('test')).map(({ path }) => path));
  const needed = files.filter(({ path }) => !tests.has(path)).map(({ path }) => path);
  for (let path = needed.pop(); path !== undefined; path = needed.pop())
    for (const target of leads.get(path) ?? [])
      if (tests.has(target.path) && !flagged.has(target.path)) {
        tests.delete(target.path);
        needed.push(target.path);
      }
  return tests;
}
