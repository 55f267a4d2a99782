import type { FileStat, Files } from '../../platform/files.ts';
import type { Language } from '../model/facts.ts';
import { namesOf } from './excluded.ts';
import { choose, enter, enterRoot, isReason } from './level.ts';
import type { Level } from './level.ts';
import { languageOf } from './known-languages.ts';
import { MAX_FILES, readChoice } from './walk-options.ts';
import type { SkipReason, WalkedFile, WalkOptions } from './walk-options.ts';

/** The files to index, in an order that the file system has no part in. `skipped` is complete when all were taken. */
export interface Walk extends Iterable<WalkedFile> {
  /** How many files and whole directories were left out. */
  readonly skipped: Readonly<Record<SkipReason, number>>;
}

export function walkWorkspace(files: Files, root: string, options: WalkOptions = {}): Walk {
  const skipped: Record<SkipReason, number> = {
    ignored: 0,
    excluded: 0,
    hidden: 0,
    repository: 0,
    link: 0,
    unreadable: 0,
    'too-many': 0,
    other: 0,
  };
  return { skipped, [Symbol.iterator]: () => walk(files, root, options, skipped) };
}

interface Open {
  readonly level: Level;
  readonly list: readonly string[];
  at: number;
}

function* walk(
  files: Files,
  root: string,
  options: WalkOptions,
  skipped: Record<SkipReason, number>,
): Generator<WalkedFile> {
  const { maxFiles = MAX_FILES, first = [] } = options;
  const choice = readChoice(options);
  const list = files.list(root);
  const top: Open = { level: enterRoot(files, root, namesOf(list)), list, at: 0 };
  /** Files and directories that were walked before it was their turn. */
  const early = new Set<string>();
  let count = 0;

  function open({ level }: Open, name: string): Open | SkipReason {
    const dir = `${root}/${level.path}${name}`;
    let inside: readonly string[] = [];
    const entered = enter(files, root, level, name, choice, () => {
      inside = files.list(dir);
      return inside.length > 0 || isOpen(files, dir) ? namesOf(inside) : undefined;
    });
    return typeof entered === 'string' ? entered : { level: entered, list: inside, at: 0 };
  }

  function isOver(): boolean {
    // What is beyond the cap is counted, but not without end.
    return skipped['too-many'] >= maxFiles;
  }

  function take({ level }: Open, name: string, path: string, { size, mtimeMs }: FileStat): WalkedFile | undefined {
    const language = choose(files, root, level, name, choice);
    const reason = isReason(language) ? language : count < maxFiles ? undefined : 'too-many';
    if (reason !== undefined) {
      skipped[reason] += 1;
      return undefined;
    }
    count += 1;
    return { path, size, mtimeMs, language: language as Language };
  }

  /** A directory before its turn, and before it the manifests around it: by these its code is resolved. */
  function* lead(dir: string): Generator<WalkedFile> {
    let at = top;
    for (const name of dir.split('/')) {
      const { level, list: beside } = at;
      for (const each of beside) {
        const path = `${level.path}${each}`;
        if (languageOf(each) !== 'manifest' || early.has(path)) continue;
        const found = files.lstat(`${root}/${path}`);
        if (found?.kind !== 'file') continue;
        early.add(path);
        const file = take(at, each, path, found);
        if (file) yield file;
      }
      const path = `${level.path}${name}`;
      // Only what a directory holds: no name leads up.
      if (!level.names.has(name) || early.has(path) || files.lstat(`${root}/${path}`)?.kind !== 'dir') return;
      const below = open(at, name);
      if (typeof below === 'string') return;
      at = below;
    }
    early.add(dir);
    yield* descend(at);
  }

  function* descend(from: Open): Generator<WalkedFile> {
    const way = [from];
    for (let at = way.at(-1); at && !isOver(); at = way.at(-1)) {
      const name = at.list[at.at++];
      if (name === undefined) {
        way.pop();
        continue;
      }
      const path = `${at.level.path}${name}`;
      if (early.size > 0 && early.has(path)) continue;
      const found = files.lstat(`${root}/${path}`);
      if (found?.kind === 'dir') {
        const below = open(at, name);
        if (typeof below === 'string') skipped[below] += 1;
        else way.push(below);
      } else if (found?.kind === 'file') {
        const file = take(at, name, path, found);
        if (file) yield file;
      }
      // Links are not followed: what they lead to below the root is met anyway, the rest is not part of it, and none can lead in a circle.
      else skipped[found ? 'link' : 'unreadable'] += 1;
    }
  }

  for (const dir of first) yield* lead(dir);
  yield* descend(top);
}

/** Tells an empty directory from one that may not be read. */
function isOpen(files: Files, dir: string): boolean {
  return files.lstat(`${dir}/.`) !== undefined;
}
