import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { basename, dirname, join, resolve } from '../platform/paths.ts';
import type { Environment } from '../platform/paths.ts';
import { readActiveRoot } from '../graph/index.ts';
import { findWorkspaceRoot } from '../roots/find-root.ts';
import type { RootReason } from '../roots/find-root.ts';
import { childRoots } from '../roots/only-child.ts';
import { Refusal } from './refusal.ts';

export interface RootOptions {
  readonly state: string;
  readonly files: Files;
  readonly home: string;
  readonly cwd: string;
  readonly env: Environment;
  /** Whether the home directory and the top of the file system may be roots; asked only where that matters. */
  forcesRoots(): Promise<boolean>;
}

export interface ToolRoot {
  readonly path: string;
  /** `active`: a session that was started here works there; `single-child`: nothing else here is a project. */
  readonly reason: RootReason | 'explicit' | 'active' | 'single-child';
  /** Something says that this is a project; otherwise nothing is indexed that nobody asked for. */
  readonly isMarked: boolean;
  /** The project that it is a part of, where it is none itself. */
  readonly within?: string;
}

/** The project that a call is about: the one it names, else the one that this process was started in. */
export function findToolRoot(named: string | undefined, options: RootOptions): Promise<ToolRoot> {
  return named === undefined || named.trim() === '' ? currentRoot(options) : namedRoot(named.trim(), options);
}

async function namedRoot(named: string, options: RootOptions): Promise<ToolRoot> {
  const { files, cwd } = options;
  const path = canonicalPath(files, resolve(cwd, withoutScheme(named, options)));
  const kind = files.stat(path)?.kind;
  if (kind !== 'dir') {
    const around = kind === undefined ? undefined : findWorkspaceRoot(dirname(path), { ...options, preferEnv: false });
    const next = around?.markerBacked ? `; it lies in the project ${around.path}` : '';
    throw new Refusal(`root: ${path} is ${kind === undefined ? 'not there' : 'no directory'}${next}`);
  }
  const force = isTop(path, options);
  if (force && !(await options.forcesRoots()))
    throw new Refusal(`root: ${path} is no project; name a directory below it`);
  const found = findWorkspaceRoot(path, { ...options, preferEnv: false, force });
  const isMarked = found.markerBacked && found.path === path;
  return { path, reason: 'explicit', isMarked, ...(found.markerBacked && !isMarked && { within: found.path }) };
}

function withoutScheme(named: string, { home }: RootOptions): string {
  if (named === '~' || named.startsWith('~/')) return join(home, named.slice(1));
  if (!named.startsWith('file://')) return named;
  try {
    return decodeURIComponent(new URL(named).pathname);
  } catch {
    throw new Refusal(`root: ${named} is no address of a file`);
  }
}

/** The home directory and the top of the file system hold everything else. */
function isTop(path: string, { files, home }: RootOptions): boolean {
  return path === canonicalPath(files, home) || dirname(path) === path;
}

const MOST_NAMED = 5;

async function currentRoot(options: RootOptions): Promise<ToolRoot> {
  const { files, cwd } = options;
  let force = false;
  let found = findWorkspaceRoot(cwd, { ...options, preferEnv: true });
  if (!found.markerBacked) {
    force = await options.forcesRoots();
    if (force) found = findWorkspaceRoot(cwd, { ...options, preferEnv: true, force });
  }
  if (found.markerBacked) return { path: found.path, reason: found.reason, isMarked: true };
  const here = canonicalPath(files, cwd);
  const active = activeRoot(here, options, force);
  if (active !== undefined) return { path: active, reason: 'active', isMarked: true };
  const [child, ...others] = childRoots(here, options, MOST_NAMED + 1);
  if (child !== undefined && others.length === 0) return { path: child.path, reason: 'single-child', isMarked: true };
  if (child !== undefined) {
    const names = [child, ...others].slice(0, MOST_NAMED).map((each) => basename(each.path));
    const more = others.length >= MOST_NAMED ? ' and more' : '';
    throw new Refusal(
      `pending: there is more than one project in ${here}: ${names.join(', ')}${more}; name one with the argument root`,
    );
  }
  throw new Refusal(
    `pending: nothing in or around ${here} is marked as a project (a repository, or a manifest such as package.json); ` +
      'name one with the argument root',
  );
}

/** Where sessions that were started here work by now, as far as that is still a project. */
function activeRoot(here: string, options: RootOptions, force: boolean): string | undefined {
  const { files, state } = options;
  const root = readActiveRoot(files, state, here)?.root;
  if (root === undefined || files.stat(root)?.kind !== 'dir') return undefined;
  const found = findWorkspaceRoot(root, { ...options, preferEnv: false, force });
  return found.markerBacked && found.path === root ? root : undefined;
}
