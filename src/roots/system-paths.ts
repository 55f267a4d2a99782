import { contains } from '../platform/paths.ts';

const SYSTEM_DIR =
  /^(?:(?:\/private)?\/(?:usr|lib[^/]*|opt|bin|sbin|etc|var|proc|sys|dev(?!\/shm\/)|System|Library|Applications)|[A-Za-z]:\\(?:Windows|Program Files(?: \(x86\))?))(?=[\\/]|$)/;

const DEPENDENCY_STORE =
  /^.*[\\/](?:node_modules|site-packages|dist-packages|\.cargo[\\/]registry|go[\\/]pkg[\\/]mod|\.m2|\.gradle|\.?venv|\.virtualenvs)(?=[\\/]|$)/s;

/**
 * Whether a path may lead to its root: inside a system directory or a dependency store, the root must lie in there
 * too. That a store's manifests make no root is the business of the search for one.
 */
export function mayLeadTo(root: { readonly path: string; readonly markerBacked: boolean }, path: string): boolean {
  const filtered = dependencyStoreOf(path) ?? SYSTEM_DIR.exec(path)?.[0];
  return filtered === undefined || (root.markerBacked && contains(filtered, root.path));
}

/** The innermost dependency store that a canonical path lies in. */
export function dependencyStoreOf(path: string): string | undefined {
  return DEPENDENCY_STORE.exec(path)?.[0];
}
