import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { contains, dirname } from '../platform/paths.ts';
import type { Environment } from '../platform/paths.ts';
import { isIgnored } from './ignored.ts';
import { hasWeakMarker, isProject, isWorkspace } from './markers.ts';
import { repositoryAt } from './repository.ts';
import type { Repository } from './repository.ts';
import { dependencyStoreOf } from './system-paths.ts';

/** What made a directory the root; `environment` is a person's own choice, `none` means nothing did. */
export type RootReason = 'environment' | 'repository' | 'workspace' | 'project' | 'weak' | 'none';

export interface Root {
  /** Canonical, so that one project has one root however it was reached. */
  readonly path: string;
  /** False only for the reason `none`. */
  readonly markerBacked: boolean;
  readonly reason: RootReason;
  readonly repository?: Repository;
  /** Whether a path, with its links followed, is the root or lies below it. */
  inside(path: string): boolean;
}

export interface FindOptions {
  readonly files: Files;
  /** The person's home directory: never a root and never passed on the way up, unless forced. */
  readonly home: string;
  /** Lets the environment pin a root. A hook says false: its environment may be stale. */
  readonly preferEnv?: boolean;
  readonly env?: Environment;
  readonly maxUp?: number;
  /** Accepts the home directory and the top of the file system. */
  readonly force?: boolean;
}

type Found = Pick<Root, 'path' | 'reason' | 'repository'>;

export function findWorkspaceRoot(start: string, options: FindOptions): Root {
  const { files } = options;
  const home = canonicalPath(files, options.home);
  const dir = existingDir(files, canonicalPath(files, start));
  const found = pinnedRoot(dir, home, options) ??
    markedRoot(files, levelsAbove(dir, home, options)) ?? { path: dir, reason: 'none' };
  return {
    ...found,
    markerBacked: found.reason !== 'none',
    inside: (path) => contains(found.path, canonicalPath(files, path)),
  };
}

/** The nearest directory that exists at or above a canonical path. */
export function existingDir(files: Files, path: string): string {
  let dir = path;
  while (files.stat(dir)?.kind !== 'dir') {
    const parent = dirname(dir);
    if (parent === dir) break;
    dir = parent;
  }
  return dir;
}

function pinnedRoot(dir: string, home: string, options: FindOptions): Found | undefined {
  const { files, env, preferEnv = true } = options;
  const pin = preferEnv ? env?.['FAIRLEAD_PROJECT_DIR'] || env?.['CANVAS_PROJECT_DIR'] : undefined;
  const path = pin ? files.realpath(pin) : undefined;
  if (path === undefined || files.stat(path)?.kind !== 'dir' || !contains(path, dir)) return undefined;
  if (options.force !== true && isRefused(path, home)) return undefined;
  const repository = repositoryAt(files, path);
  return { path, reason: 'environment', ...(repository && { repository }) };
}

/** The start and the directories above it that may be a root, nearest first. */
function levelsAbove(start: string, home: string, { maxUp = 30, force = false }: FindOptions): string[] {
  const levels: string[] = [];
  for (let dir = start; levels.length <= maxUp && (force || !isRefused(dir, home)); dir = dirname(dir)) {
    levels.push(dir);
    if (dirname(dir) === dir) break;
  }
  return levels;
}

function isRefused(dir: string, home: string): boolean {
  return dir === home || dirname(dir) === dir;
}

function markedRoot(files: Files, levels: readonly string[]): Found | undefined {
  for (const [at, path] of levels.entries()) {
    const repository = repositoryAt(files, path);
    if (repository !== undefined)
      return ignoredProject(files, repository, levels.slice(0, at)) ?? { path, reason: 'repository', repository };
  }
  return manifestRoot(files, levels.filter(mayHoldProject));
}

/**
 * A project unpacked into an ignored directory is its own root. Its own directory must be ignored, not just the
 * file that was touched, or the build output of a package would cut that package out of its repository.
 */
function ignoredProject(files: Files, repository: Repository, below: readonly string[]): Found | undefined {
  const path = below.find((dir) => mayHoldProject(dir) && isProject(files, dir));
  return path !== undefined && isIgnored(files, repository, path) ? { path, reason: 'project' } : undefined;
}

/** Installed packages all have a manifest, and none of them is the project. */
function mayHoldProject(dir: string): boolean {
  return dependencyStoreOf(dir) === undefined;
}

function manifestRoot(files: Files, levels: readonly string[]): Found | undefined {
  const nearest = levels.findIndex((dir) => isProject(files, dir));
  const workspace = levels.findLast((dir, at) => at >= nearest && isWorkspace(files, dir));
  if (workspace !== undefined) return { path: workspace, reason: 'workspace' };
  const project = levels[nearest];
  if (project !== undefined) return { path: project, reason: 'project' };
  const weak = levels.findLast((dir) => hasWeakMarker(files, dir));
  return weak === undefined ? undefined : { path: weak, reason: 'weak' };
}
