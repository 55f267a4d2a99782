import { AGENT_SETTINGS } from './adapters/registry.ts';
import type { Surroundings } from './effects/scene.ts';
import type { Event } from './event/event.ts';
import type { HomePaths } from './platform/paths.ts';

/** What the targets of an event's call are held against. */
export function surroundingsOf(
  { cwd }: Event,
  { root, home }: Pick<Surroundings, 'root' | 'home'>,
  { config, state }: Pick<HomePaths, 'config' | 'state'>,
): Surroundings {
  return {
    cwd,
    home,
    root,
    agentSettings: AGENT_SETTINGS.files,
    settingsWords: AGENT_SETTINGS.words,
    ownDirs: [config, state],
  };
}
