import type { Surroundings } from '../scene.ts';
import { ENVIRONMENT, FETCHED, SECRET, cargo } from './cargo.ts';
import type { Cargo } from './cargo.ts';

/** What marked files carry. */
export function markedFiles({ marks }: Pick<Surroundings, 'marks'>): Map<string, Cargo> {
  const files = new Map<string, Cargo>();
  for (const { path, what, name } of marks?.files ?? []) {
    if (what === 'download') files.set(path, cargo(FETCHED, name, name));
    else files.set(path, cargo(what === 'secret' ? SECRET : ENVIRONMENT, name));
  }
  return files;
}
