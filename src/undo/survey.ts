import type { EntryStat } from '../platform/entries.ts';
import { contains, join, relative } from '../platform/paths.ts';
import type { Glob } from '../text/glob.ts';
import { compileGlob, matchGlob } from '../text/glob.ts';
import type { Fate } from './manifest.ts';
import type { PlannedPath } from './planned.ts';
import { Unkept, WHY_NOT } from './world.ts';
import type { UndoWorld } from './world.ts';

export interface Surveyed {
  readonly path: string;
  readonly fate: Fate;
  /** Undefined for what is noted as absent. */
  readonly stat: EntryStat | undefined;
}

export interface Survey {
  /** A directory stands before what lies in it. */
  readonly found: readonly Surveyed[];
  readonly bytes: number;
}

export interface SurveyLimits {
  readonly bytes: number;
  /** Throws when the time is up. */
  checkTime(): void;
  readonly excluded: readonly string[];
  readonly root: string;
  /** Where copies lie: never a part of one. */
  readonly store: string;
}

/** All entries at and below the planned paths, before anything is read: what is too much is known at once. */
export function survey({ entries }: UndoWorld, planned: readonly PlannedPath[], limits: SurveyLimits): Survey {
  const found = new Map<string, Surveyed>();
  const isExcluded = excludes(limits);
  let bytes = 0;
  const see = (path: string, from: string, { fate, alone, picked, absent }: PlannedPath): void => {
    limits.checkTime();
    if (found.has(path)) return;
    const stat = entries.look(path);
    if (!stat) {
      if (absent) found.set(path, { path, fate, stat });
      return;
    }
    if (!picked || (from !== '' && picked(from))) {
      if (contains(limits.store, path) || contains(path, limits.store)) throw new Unkept(WHY_NOT.own);
      if (isExcluded(path)) throw new Unkept(WHY_NOT.excluded);
      if (stat.kind === 'file' && (bytes += stat.size) > limits.bytes) throw new Unkept(WHY_NOT.large);
      found.set(path, { path, fate, stat });
    }
    if (stat.kind !== 'dir' || alone) return;
    for (const name of entries.names(path))
      see(join(path, name), from === '' ? name : `${from}/${name}`, { path, fate, ...(picked && { picked }) });
  };
  for (const each of planned) see(each.path, '', each);
  return { found: [...found.values()], bytes };
}

function excludes({ excluded, root }: SurveyLimits): (path: string) => boolean {
  const globs: readonly Glob[] = excluded.map((each) => compileGlob(each));
  if (globs.length === 0) return () => false;
  return (path) => {
    const from = relative(root, path);
    const inside = from.startsWith('..') ? undefined : from.split('/');
    return globs.some((glob) => matchGlob(glob, inside, path.split('/').slice(1)));
  };
}
