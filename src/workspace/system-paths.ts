import { contains } from '../platform/paths.ts';
import type { Root } from './find-root.ts';

const SYSTEM_DIR =
  /^(?:(?:\/private)?\/(?:usr|lib[^/]*|opt|bin|sbin|etc|var|proc|sys|dev|System|Library|Applications)|[A-Za-z]:\\(?:Windows|Program Files(?: \(x86\))?))(?=[\\/]|$)/;

const DEPENDENCY_STORE =
  /^.*[\\/](?:node_modules|site-packages|dist-packages|\.cargo[\\/]registry|go[\\/]pkg[\\/]mod|\.m2|\.gradle|\.?venv|\.virtualenvs)(?=[\\/]|$)/s;

/**
 * Whether a path may lead to its root: inside a system directory the marker must lie in there too, and inside
 * a dependency store it must be a repository's, because every package in there has a manifest.
 */
export function mayLeadTo(root: Root, path: string): boolean {
  const store = dependencyStoreOf(path);
  if (store !== undefined) return root.reason === 'repository' && contains(store, root.path);
  const system = SYSTEM_DIR.exec(path)?.[0];
  return system === undefined || (root.markerBacked && contains(system, root.path));
}

/** The innermost dependency store that a canonical path lies in. */
export function dependencyStoreOf(path: string): string | undefined {
  return DEPENDENCY_STORE.exec(path)?.[0];
}
