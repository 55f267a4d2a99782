import { placedRole } from '../../model/role.ts';
import type { FileFlag, Language } from '../../model/facts.ts';
import type { FileEntry, GraphReader, Link, SymbolEntry } from '../../query/graph-reader.ts';

export interface PlannedModule {
  readonly imports?: readonly string[];
  /** Uses of another file by a symbol, where no import says so. */
  readonly uses?: readonly string[];
  readonly language?: Language;
  readonly flags?: readonly FileFlag[];
  readonly kinds?: readonly SymbolEntry['kind'][];
}

/** Files and what they import; as fast for thousands as for three. Only what an architecture is made of can be asked. */
export function importGraph(modules: Readonly<Record<string, PlannedModule | readonly string[]>>): GraphReader {
  const planned = Object.entries(modules)
    .map(([path, plan]): { path: string; plan: PlannedModule } => ({
      path,
      plan: isList(plan) ? { imports: plan } : plan,
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files: FileEntry[] = [];
  const kinds: SymbolEntry['kind'][] = [];
  for (const { path, plan } of planned) {
    const { language = 'typescript', flags = [], kinds: own = ['function'] } = plan;
    files.push({
      path,
      language,
      flags,
      role: placedRole(path, flags).role,
      module: kinds.length,
      symbols: own.length,
      size: 1,
      mtimeMs: 1,
      unresolved: 0,
    });
    kinds.push('module', ...own);
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  const outgoing = new Map<number, Link[]>();
  const link = (source: number, kind: Link['kind'], path: string, targets: readonly string[] = []): void => {
    const links = targets.map((target): Link => {
      const file = byPath.get(target);
      if (file === undefined) throw new Error(`no module ${target}`);
      const symbol = kind === 'imports' ? file.module : file.module + 1;
      return { symbol, kind, path, line: 1, column: 1, why: 'import' };
    });
    outgoing.set(source, [...(outgoing.get(source) ?? []), ...links]);
  };
  planned.forEach(({ path, plan }, index) => {
    const { module } = files[index] as FileEntry;
    link(module, 'imports', path, plan.imports);
    link(module + 1, 'calls', path, plan.uses);
  });
  const reader: Pick<GraphReader, 'root' | 'files' | 'symbolsOf' | 'symbol' | 'outgoing'> = {
    root: '/project',
    files: () => files,
    symbolsOf(path) {
      const file = byPath.get(path);
      return Array.from({ length: file?.symbols ?? 0 }, (_, index) => (file?.module ?? 0) + 1 + index);
    },
    symbol: (id) => ({ id, kind: kinds[id], isLocal: false }) as SymbolEntry,
    outgoing: (id) => outgoing.get(id) ?? [],
  };
  return reader as GraphReader;
}

function isList(plan: PlannedModule | readonly string[]): plan is readonly string[] {
  return Array.isArray(plan);
}
