import type { Files } from '../../platform/files.ts';
import { readScope, walkIn, withTouched } from '../store/scope.ts';
import type { Leading, Scope } from '../store/scope.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import { neededPackages, stampOfManifests } from '../walk/needed-packages.ts';
import type { IndexRequest } from './request.ts';

export interface InScope<Request> {
  /** With what is walked first. */
  readonly request: Request;
  /** Absent where all files are indexed, as far as that is known. */
  readonly scope: Scope | undefined;
}

/** What is asked of a root that has more files than are indexed. */
export function inScope<Request extends IndexRequest>(
  files: Files,
  location: GraphPaths,
  root: string,
  asked: Request,
): InScope<Request> {
  const known = readScope(files, location, root);
  if (known === undefined) return { request: asked, scope: undefined };
  // Looking for all manifests takes as long as a walk, so that a sweep alone is no reason for it.
  const isDue =
    asked.do === 'index' ||
    (asked.touched ?? []).length > 0 ||
    known.manifests !== stampOfManifests(files, root, known.first);
  const leading = isDue ? lead(files, root, withTouched(known.touched, asked.touched ?? []), asked) : {};
  const scope = { ...known, ...leading };
  // When others come first, there is more to read than some files.
  const isMore = asked.do === 'refresh' && scope.first.join('\n') !== known.first.join('\n');
  const walk = walkIn(scope, asked.walk);
  return { request: { ...asked, ...(isMore && { do: 'sweep' }), walk }, scope };
}

function lead(files: Files, root: string, touched: readonly string[], { walk }: IndexRequest): Leading {
  const first = neededPackages(files, root, touched, walk);
  return { touched, first, manifests: stampOfManifests(files, root, first) };
}
