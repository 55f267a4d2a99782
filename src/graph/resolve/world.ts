import type { FileFacts } from '../model/facts.ts';
import type { Question } from '../model/links.ts';

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

/** The same world, which remembers what was asked of it, and answers a question it has had before by itself. */
export function watched(world: World): { readonly world: World; asked(): Question[] } {
  const directories = new Map<string, readonly string[]>();
  const files = new Map<string, FileFacts | undefined>();
  const names = new Map<string, readonly Located[]>();
  return {
    world: {
      file: (path) => once(files, path, world.file),
      named: (name) => once(names, name, world.named),
      directory: (path) => once(directories, path, world.directory),
    },
    // Sorted as a whole: each kind by itself, and the kinds in the order of their names.
    asked: () => [...questions('dir', directories), ...questions('file', files), ...questions('name', names)],
  };
}

function once<Answer>(known: Map<string, Answer>, about: string, ask: (about: string) => Answer): Answer {
  let answer = known.get(about);
  if (answer === undefined && !known.has(about)) known.set(about, (answer = ask(about)));
  return answer as Answer;
}

function questions(kind: 'dir' | 'file' | 'name', asked: ReadonlyMap<string, unknown>): Question[] {
  return [...asked.keys()].sort().map((about): Question => `${kind}:${about}`);
}
