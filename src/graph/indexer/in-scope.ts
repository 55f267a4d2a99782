import type { Files } from '../../platform/files.ts';
import { basename } from '../../platform/paths.ts';
import { readScope, walkIn, withTouched } from '../scope.ts';
import type { Scope } from '../scope.ts';
import type { GraphPlace } from '../store/place.ts';
import { neededPackages } from '../walk/needed-packages.ts';
import { NEEDS } from '../walk/package-needs.ts';
import type { IndexRequest } from './request.ts';

export interface InScope<Request> {
  /** With what is walked first. */
  readonly request: Request;
  readonly scope: Pick<Scope, 'touched' | 'first'> | undefined;
}

/** What is asked of a root that has more files than are indexed. */
export function inScope<Request extends IndexRequest>(
  files: Files,
  place: GraphPlace,
  root: string,
  asked: Request,
): InScope<Request> {
  const known = readScope(files, place, root);
  if (known === undefined) return { request: asked, scope: undefined };
  const touched = withTouched(known.touched, asked.touched ?? []);
  const first = mayChange(asked) ? neededPackages(files, root, touched, asked.walk) : known.first;
  const walk = walkIn({ first }, asked.walk);
  // Other files come first now: that is more than a few to read again.
  const isMore = asked.do === 'refresh' && first.join('\n') !== known.first.join('\n');
  return { request: { ...asked, ...(isMore && { do: 'sweep' }), walk }, scope: { touched, first } };
}

/** Looking at all manifests takes as long as a walk, so that a sweep alone is no reason for it. */
function mayChange({ do: what, touched = [], paths = [] }: IndexRequest): boolean {
  return touched.length > 0 || what === 'index' || paths.some((path) => basename(path) in NEEDS);
}
