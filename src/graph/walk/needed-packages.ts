import type { Files } from '../../platform/files.ts';
import { sha256 } from '../../platform/hash.ts';
import { MANIFESTS } from '../languages/manifests.generated.ts';
import type { ManifestReader, PackageNeeds } from '../manifests/manifest-reader.ts';
import { directoryOf, join } from '../model/paths.ts';
import type { WalkOptions } from './walk-options.ts';
import { walkWorkspace } from './walk-workspace.ts';

const MAX_DIRECTORIES = 1_000;
const MAX_MANIFEST_BYTES = 1 << 20;
const NEEDS: ManifestReader['needs'] = Object.assign({}, ...MANIFESTS.map(({ needs }) => needs));

/** The directories of some packages and of all packages of the same root that they need, nearest first. */
export function neededPackages(
  files: Files,
  root: string,
  packages: readonly string[],
  options: WalkOptions = {},
): readonly string[] {
  if (packages.length === 0) return [];
  const { needsOf, byName } = readPackages(files, root, options);
  const found = new Set(packages);
  // What is added on the way is visited too.
  for (const directory of found) {
    if (found.size >= MAX_DIRECTORIES) break;
    const needed = new Set<string>();
    for (const { kind, names, paths } of needsOf.get(directory) ?? []) {
      for (const name of names) needed.add(byName.get(`${kind} ${name}`) ?? '');
      for (const path of paths) needed.add(join(directory, path) ?? '');
    }
    for (const each of [...needed].sort()) if (each !== '') found.add(each);
  }
  return [...found].slice(0, MAX_DIRECTORIES);
}

/** What tells whether the manifests of these directories are as they were. */
export function stampOfManifests(files: Pick<Files, 'lstat'>, root: string, directories: readonly string[]): string {
  const stamps = directories.flatMap((directory) =>
    Object.keys(NEEDS).map((name) => {
      const found = files.lstat(`${root}/${directory}/${name}`);
      return found === undefined ? '' : `${found.size} ${found.mtimeMs}`;
    }),
  );
  return sha256(stamps.join('\n')).slice(0, 16);
}

type Needs = PackageNeeds & { readonly kind: string };

/** All packages of the root, also those beyond the cap. */
function readPackages(files: Files, root: string, options: WalkOptions) {
  const needsOf = new Map<string, Needs[]>();
  const byName = new Map<string, string>();
  for (const { path, language } of walkWorkspace(files, root, { ...options, maxFiles: Infinity })) {
    if (language !== 'manifest') continue;
    const kind = path.slice(path.lastIndexOf('/') + 1);
    const read = NEEDS[kind];
    const text = read && files.readText(`${root}/${path}`, MAX_MANIFEST_BYTES);
    if (read === undefined || text === undefined) continue;
    const directory = directoryOf(path);
    const needs = read(text);
    needsOf.set(directory, [...(needsOf.get(directory) ?? []), { ...needs, kind }]);
    const key = `${kind} ${needs.name}`;
    const known = byName.get(key);
    // Of two that are called the same, the deeper one is a copy or an example.
    if (needs.name !== undefined && (known === undefined || depthOf(directory) < depthOf(known)))
      byName.set(key, directory);
  }
  return { needsOf, byName };
}

function depthOf(directory: string): number {
  return directory.split('/').length;
}
