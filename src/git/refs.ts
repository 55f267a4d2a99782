import { join } from 'node:path';
import { readSmall, sharedDir } from './repository.ts';
import type { GitFiles, Repository } from './repository.ts';

export interface RefFiles extends Pick<GitFiles, 'readText' | 'stat'> {
  list(dir: string, max?: number): readonly string[];
}

const MAX_PACKED_BYTES = 8 << 20;
const MOST_REFS = 5_000;
const SHA = /^[0-9a-f]{40}$/;
const KINDS = ['refs/heads', 'refs/remotes', 'refs/tags'] as const;

/** Branches, remote branches and tags by their whole name, and what each stands for; undefined when the files do not tell. */
export function readRefs(files: RefFiles, { gitDir }: Repository): ReadonlyMap<string, string> | undefined {
  const shared = sharedDir(files, gitDir) ?? gitDir;
  // Of refs that are kept in tables this reads nothing.
  if (files.stat(join(shared, 'reftable'))) return undefined;
  const refs = new Map<string, string>();
  const packed = join(shared, 'packed-refs');
  const size = files.stat(packed)?.size ?? 0;
  if (size > MAX_PACKED_BYTES) return undefined;
  let last = '';
  for (const line of size > 0 ? (files.readText(packed) ?? '').split('\n') : []) {
    // Behind a tag stands what it leads to.
    if (line.startsWith('^')) refs.set(last, line.slice(1));
    else if (SHA.test(line.slice(0, 40))) refs.set((last = line.slice(41)), line.slice(0, 40));
  }
  const links = new Map<string, string>();
  const isRead = (name: string): boolean => {
    for (const each of files.list(join(shared, name), MOST_REFS)) {
      const path = `${name}/${each}`;
      if (refs.size > MOST_REFS) return false;
      if (files.stat(join(shared, path))?.kind === 'dir') {
        if (!isRead(path)) return false;
        continue;
      }
      const text = readSmall(files, join(shared, path)) ?? '';
      const leads = /^ref: (refs\/.+)$/.exec(text)?.[1];
      if (leads !== undefined) links.set(path, leads);
      else if (SHA.test(text)) refs.set(path, text);
      // A lock, or what is just being written.
      else if (!path.endsWith('.lock')) return false;
    }
    return true;
  };
  if (!KINDS.every(isRead)) return undefined;
  for (const [name, leads] of links) {
    const sha = refs.get(leads);
    if (sha !== undefined) refs.set(name, sha);
  }
  return refs;
}

/** Names of branches and remotes may have any character but those of a line. */
const SECTION = /^[ \t]*\[remote "((?:[^"\\]|\\.)+)"\]/gm;
/** Any way to begin one, or to push to an address without one. */
const NAMES_REMOTE = /\[\s*remote\b|^\s*(?:push)?(?:remote|default)\s*=\s*\S*[:/]/gim;

export interface Settings {
  /** Undefined when more may stand in another file. */
  readonly remotes: readonly string[] | undefined;
  /** Whether a file may be run is part of it. */
  readonly keepsModes: boolean;
  /** Commands go on into submodules. */
  readonly recurses: boolean;
  /** They may name programs to run, here or in another file. */
  readonly namesPrograms: boolean;
}

/** Whether settings say that commands go on into submodules. */
export function recursesBy(text: string): boolean {
  return /^\s*recurse\s*=\s*(?:true|yes|on|1)\s*$/im.test(text) || /^\s*recurse\s*$/im.test(text);
}

const MAX_CONFIG_BYTES = 256 << 10;

/** What the repository's own settings say. */
export function readSettings(files: Pick<RefFiles, 'readText'>, { gitDir }: Repository): Settings {
  const shared = sharedDir(files, gitDir) ?? gitDir;
  const config = files.readText(join(shared, 'config'), MAX_CONFIG_BYTES);
  const texts = [config ?? '', files.readText(join(gitDir, 'config.worktree'), MAX_CONFIG_BYTES) ?? ''];
  const isSplit = texts.some((text) => /\[\s*include/i.test(text));
  const remotes = texts.flatMap((text) =>
    [...text.matchAll(SECTION)].map(([, name = '']) => name.replaceAll('\\', '')),
  );
  const isAll = remotes.length === texts.flatMap((text) => text.match(NAMES_REMOTE) ?? []).length;
  return {
    remotes: config === undefined || isSplit || !isAll ? undefined : remotes,
    keepsModes: !texts.some((text) => /^\s*filemode\s*=\s*(?:false|no|off|0)\s*$/im.test(text)),
    recurses: isSplit || texts.some(recursesBy),
    namesPrograms: isSplit || texts.some((text) => /\[\s*filter/i.test(text)),
  };
}
