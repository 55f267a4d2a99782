import type { ToldEvent } from '../event/transcript.ts';
import type { FileStat, Files } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';

/**
 * Where projects lie, and their settings: the files of today, since it is today's settings that are tried. A project that is
 * gone by now lies where its transcript says.
 */
export interface Layout {
  readonly files: Files;
  tell(told: Pick<ToldEvent, 'name' | 'projectDir' | 'branch'>): void;
}

const DIR: FileStat = { kind: 'dir', size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, isExecutable: true };

/** Places that are looked at again are looked up once: a replay tries one state of the settings. */
const MOST_KEPT = 4_000;

export function createLayout(files: Files): Layout {
  const gone = new Set<string>();
  const asked = new Set<string>();
  const kept: Map<string, unknown>[] = [];
  const once = <Value>(look: (path: string) => Value): ((path: string) => Value) => {
    const known = new Map<string, Value>();
    kept.push(known);
    return (path) => {
      const found = known.get(path);
      if (found !== undefined || known.has(path)) return found as Value;
      if (known.size >= MOST_KEPT) known.clear();
      const value = look(path);
      known.set(path, value);
      return value;
    };
  };
  const text = once((path) => files.readText(path));
  return {
    tell({ name, projectDir, branch }) {
      if (name !== 'session.start' || asked.has(projectDir)) return;
      asked.add(projectDir);
      if (files.stat(projectDir)?.kind === 'dir') return;
      for (let dir = projectDir; files.stat(dir) === undefined && dirname(dir) !== dir; dir = dirname(dir))
        gone.add(dir);
      if (branch !== undefined && branch !== '') gone.add(join(projectDir, '.git'));
      for (const known of kept) known.clear();
    },
    files: {
      ...readOnly(files),
      stat: once((path) => files.stat(path) ?? (gone.has(path) ? DIR : undefined)),
      lstat: once((path) => files.lstat(path) ?? (gone.has(path) ? DIR : undefined)),
      exists: once((path) => gone.has(path) || files.exists(path)),
      readText: (path, most) => (most === undefined ? text(path) : files.readText(path, most)),
      realpath: once((path) => files.realpath(path) ?? (gone.has(path) ? path : undefined)),
    },
  };
}

/** Nobody keeps what would be written to be found sooner the next time. */
function readOnly(files: Files): Files {
  const refuse = (path: string): never => {
    throw new Error(`a replay writes nothing: ${path}`);
  };
  return {
    ...files,
    writeAtomic: refuse,
    writeDerived: refuse,
    replace: refuse,
    makeDir: refuse,
    makeDirLikeParent: refuse,
    remove: refuse,
    append: refuse,
    patch: refuse,
    create: refuse,
  };
}
