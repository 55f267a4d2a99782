import type { Files } from '../../platform/files.ts';
import { isCode } from './excluded.ts';
import type { Names } from './excluded.ts';
import { choose, enter, enterRoot, isReason } from './level.ts';
import { readChoice } from './walk-options.ts';
import type { SkipReason, WalkedFile, WalkOptions } from './walk-options.ts';

/** What walking would make of one path: the file, or why it is left out. Whether it is within the cap only walking tells. */
export function isIndexed(
  files: Files,
  root: string,
  path: string,
  options: WalkOptions = {},
): WalkedFile | SkipReason {
  const choice = readChoice(options);
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  let level = enterRoot(files, root, namesIn(files, root));
  for (const segment of segments) {
    const dir = `${root}/${level.path}${segment}`;
    const kind = files.lstat(dir)?.kind;
    if (kind !== 'dir') return kind ? 'link' : 'unreadable';
    const entered = enter(files, root, level, segment, choice, () => namesIn(files, dir));
    if (typeof entered === 'string') return entered;
    level = entered;
  }
  const found = files.lstat(`${root}/${path}`);
  if (found?.kind !== 'file') return found ? 'link' : 'unreadable';
  const language = choose(files, root, level, name, choice);
  return isReason(language) ? language : { path, size: found.size, mtimeMs: found.mtimeMs, language };
}

function namesIn(files: Files, dir: string): Names {
  return {
    has: (name) => files.lstat(`${dir}/${name}`) !== undefined,
    hasCode: () => files.list(dir).some(isCode),
  };
}
