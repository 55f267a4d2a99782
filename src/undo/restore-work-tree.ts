import { dirname, join } from '../platform/paths.ts';
import type { KeptRepository } from './manifest.ts';
import { realDir } from './real-dir.ts';
import type { UndoWorld } from './world.ts';

const LIMIT_MS = 120_000;
const MOST_BYTES = 64 << 20;

/**
 * After HEAD went back from `before`: files that are just as that commit has them become what the index says. Any other file
 * stays as it is; those that were copied have been put back. Says which files it left.
 */
export async function bringFiles(
  world: UndoWorld,
  { top, tip }: KeptRepository,
  before: string,
  own: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { entries, files } = world;
  const ask = (args: readonly string[], input = '') =>
    world.feed(top, args, { input, limitMs: LIMIT_MS, maxBytes: MOST_BYTES });
  const raw = await ask(['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', before, tip]);
  const staged = await ask(['ls-files', '--stage', '-z']);
  if (raw === undefined || staged === undefined) return ['the files of the work tree: git did not tell which differ'];
  const index = new Map<string, string>();
  for (const line of staged.split('\0')) {
    const [, sha, path] = /^\d+ ([0-9a-f]{40}) 0\t(.+)$/s.exec(line) ?? [];
    if (sha !== undefined && path !== undefined) index.set(path, sha);
  }
  const changes = changesIn(raw).filter(({ path }) => !own.has(join(top, path)));
  const isElsewhere = (path: string): boolean => {
    const dir = dirname(join(top, path));
    return realDir(files, dir) !== join(files.realpath(top) ?? top, dir.slice(top.length));
  };
  const there = changes.filter(({ path }) => entries.look(join(top, path))?.kind === 'file');
  const hashes = await ask(['hash-object', '--stdin-paths'], there.map(({ path }) => `${join(top, path)}\n`).join(''));
  if (hashes === undefined) return ['the files of the work tree: git did not tell which differ'];
  const now = new Map(hashes.split('\n').flatMap((sha, at) => (there[at] ? [[there[at].path, sha] as const] : [])));
  const left: string[] = [];
  const taken: string[] = [];
  for (const { path, was } of changes) {
    if (isElsewhere(path)) {
      left.push(`${path}: a link on the way leads elsewhere now`);
      continue;
    }
    const want = index.get(path);
    const have = now.get(path);
    // As it should be, or nothing that the call has changed.
    if (have === want || want === was) continue;
    if (have !== was) left.push(`${path}: it has changed since`);
    else if (want !== undefined) taken.push(path);
    else removeWithDirs(world, top, path);
  }
  if (taken.length === 0) return left;
  const done = await ask(['checkout-index', '-f', '-u', '-z', '--stdin'], taken.map((path) => `${path}\0`).join(''));
  return done === undefined ? [...left, `${taken.length} files: git did not write them`] : left;
}

/** As git does it: directories that are empty then go too. */
function removeWithDirs({ entries }: UndoWorld, top: string, path: string): void {
  entries.removeFile(join(top, path));
  for (let dir = dirname(path); dir !== '.' && entries.names(join(top, dir)).length === 0; dir = dirname(dir))
    entries.removeTree(join(top, dir));
}

/** Paths with the content that they had on the first side; undefined where they were not there. */
function changesIn(raw: string): readonly { readonly path: string; readonly was: string | undefined }[] {
  const parts = raw.split('\0');
  const changes: { path: string; was: string | undefined }[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const sha = /^:\d+ \d+ ([0-9a-f]{40}) /.exec(parts[at] ?? '')?.[1];
    if (sha !== undefined) changes.push({ path: parts[at + 1] ?? '', was: /^0+$/.test(sha) ? undefined : sha });
  }
  return changes;
}
