import { AGENT_SETTINGS } from '../adapters/registry.ts';
import type { Surroundings } from '../effects/scene.ts';
import type { Event } from '../event/event.ts';
import type { HomePaths } from '../platform/paths.ts';

type Place = Pick<Surroundings, 'root' | 'home'>;

/** Tells what the targets of an event's call are held against, for one home of ours. */
export function surroundingsIn(
  { config, state }: Pick<HomePaths, 'config' | 'state'>,
  realPath?: Surroundings['realPath'],
): (event: Event, place: Place) => Surroundings {
  const ownDirs = [config, state];
  const { files: agentSettings, words: settingsWords, programs: agentPrograms } = AGENT_SETTINGS;
  return ({ cwd }, { root, home }) => ({
    cwd,
    home,
    root,
    agentSettings,
    settingsWords,
    agentPrograms,
    ownDirs,
    ...(realPath && { realPath }),
  });
}
