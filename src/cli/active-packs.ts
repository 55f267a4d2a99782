import { DEFAULT_PACKS } from '../event/known-packs.ts';
import { nodeFiles } from '../platform/files.ts';
import type { CliWorld } from './command.ts';
import { knownRules, rootAt } from './known-rules.ts';
import { projectConfigPath, userConfigPath } from './user-config.ts';

/** Packs that have a rule in force here. Where nobody has decided anything it opens nothing: help must not leave files behind. */
export async function activePacks(world: CliWorld): Promise<readonly string[]> {
  try {
    const settings = [userConfigPath(world.paths.config), projectConfigPath(rootAt(world))];
    if (!settings.some((path) => nodeFiles.exists(path))) return [...DEFAULT_PACKS];
    const { rules } = await knownRules(world);
    return [...new Set(rules.filter(({ mode }) => mode !== 'off').map(({ meta }) => meta.pack))];
  } catch {
    // The directory may be gone, or the state unreadable; help is there all the same.
    return [...DEFAULT_PACKS];
  }
}
