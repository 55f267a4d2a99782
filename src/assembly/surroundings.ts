import { AGENT_SETTINGS } from '../adapters/registry.ts';
import type { Surroundings } from '../effects/scene.ts';
import type { Event } from '../event/event.ts';
import { basename, dirname, join } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { isSamePlace } from '../platform/same-place.ts';

type Place = Pick<Surroundings, 'root' | 'home'>;

/** What is looked at on disk; without it only names count. */
export interface Looks {
  realPath(path: string): string;
  /** A directory of the program that runs. */
  readonly program: string;
}

/** Tells what the targets of an event's call are held against, for one home of ours. */
export function surroundingsIn(
  { config, state }: Pick<HomePaths, 'config' | 'state'>,
  looks?: Looks,
): (event: Event, place: Place) => Surroundings {
  const named = [config, state, ...(looks ? programDirs(looks.program) : [])];
  const { files: agentSettings, words: settingsWords, programs: agentPrograms } = AGENT_SETTINGS;
  let known: readonly string[] | undefined;
  return ({ cwd }, { root, home }) => {
    // A person may keep the directories elsewhere, and have links in their place.
    const ownDirs = (known ??= looks ? [...new Set(named.flatMap((dir) => [dir, looks.realPath(dir)]))] : named);
    return {
      cwd,
      home,
      root,
      agentSettings,
      settingsWords,
      agentPrograms,
      ownDirs,
      ...(looks && { realPath: looks.realPath, isOwn: (path) => isSamePlace(path, ownDirs, root) }),
    };
  };
}

/** What runs: all of an installed package; of a clone what is built and what starts it, since its sources are worked on. */
function programDirs(dir: string): readonly string[] {
  if (basename(dir) !== 'dist') return [];
  const root = dirname(dir);
  return dir.includes('/node_modules/') ? [root] : [dir, join(root, 'bin')];
}
