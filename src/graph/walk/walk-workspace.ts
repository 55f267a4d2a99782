import type { Files } from '../../platform/files.ts';
import { namesOf } from './excluded.ts';
import { choose, enter, enterRoot, isReason } from './level.ts';
import type { Level } from './level.ts';
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
  const maxFiles = options.maxFiles ?? MAX_FILES;
  const choice = readChoice(options);
  const list = files.list(root);
  const open: Open[] = [{ level: enterRoot(files, root, namesOf(list)), list, at: 0 }];
  let count = 0;
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const name = top.list[top.at++];
    if (name === undefined) {
      open.pop();
      continue;
    }
    const { level } = top;
    const path = `${level.path}${name}`;
    const found = files.lstat(`${root}/${path}`);
    if (found?.kind === 'dir') {
      let inside: readonly string[] = [];
      const entered = enter(files, root, level, name, choice, () => {
        inside = files.list(`${root}/${path}`);
        return inside.length > 0 || isOpen(files, `${root}/${path}`) ? namesOf(inside) : undefined;
      });
      if (typeof entered === 'string') skipped[entered] += 1;
      else open.push({ level: entered, list: inside, at: 0 });
    } else if (found?.kind === 'file') {
      const language = choose(files, root, level, name, choice);
      if (isReason(language)) skipped[language] += 1;
      else if (count < maxFiles) {
        count += 1;
        yield { path, size: found.size, mtimeMs: found.mtimeMs, language };
        // What is beyond the cap is counted, but not without end.
      } else if ((skipped['too-many'] += 1) >= maxFiles) return;
      // Links are not followed: what they lead to below the root is met anyway, the rest is not part of it, and none can lead in a circle.
    } else skipped[found ? 'link' : 'unreadable'] += 1;
  }
}

/** Tells an empty directory from one that may not be read. */
function isOpen(files: Files, dir: string): boolean {
  return files.lstat(`${dir}/.`) !== undefined;
}
