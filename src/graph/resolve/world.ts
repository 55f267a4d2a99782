import type { FileFacts } from '../facts.ts';
import type { Question } from '../links.ts';

/** All facts of a workspace, as resolution sees them. */
export interface World {
  file(path: string): FileFacts | undefined;
  /** Definitions of exactly this name in all files; by path, then index. */
  named(name: string): readonly Located[];
  /** Paths of the indexed files directly in a directory (empty string for the root), sorted. */
  directory(path: string): readonly string[];
}

export interface Located {
  readonly file: FileFacts;
  readonly index: number;
}

/** The same world, which remembers what was asked of it. */
export function watched(world: World): { readonly world: World; asked(): Question[] } {
  const asked = new Set<Question>();
  return {
    world: {
      file: (path) => (asked.add(`file:${path}`), world.file(path)),
      named: (name) => (asked.add(`name:${name}`), world.named(name)),
      directory: (path) => (asked.add(`dir:${path}`), world.directory(path)),
    },
    asked: () => [...asked].sort(),
  };
}
