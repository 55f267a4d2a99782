import { DEFAULT_PACKS } from '../event/known-packs.ts';
import type { RuleMeta } from '../engine/rule.ts';
import { BUILT_IN } from '../packs/index.generated.ts';
import { nodeFiles } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { CliWorld } from './command.ts';
import { knownRules, rootAt } from './known-rules.ts';
import { projectConfigPath, userConfigPath } from './user-config.ts';

/** Packs that have a rule in force here; those that are on by themselves, where there is something for them. Where nobody has decided anything it opens nothing: help must not leave files behind. */
export async function activePacks(world: CliWorld): Promise<readonly string[]> {
  try {
    const root = rootAt(world);
    const settings = [userConfigPath(world.paths.config), projectConfigPath(root)];
    const isDecided = settings.some((path) => nodeFiles.exists(path));
    const metas = isDecided
      ? (await knownRules(world, root)).rules.filter(({ mode }) => mode !== 'off').map(({ meta }) => meta)
      : BUILT_IN.map(({ meta }) => meta).filter(({ pack }) => DEFAULT_PACKS.has(pack));
    const fits = ({ pack, needs }: RuleMeta) =>
      !DEFAULT_PACKS.has(pack) || needs?.entry === undefined || nodeFiles.exists(join(root, needs.entry));
    return [...new Set(metas.filter(fits).map(({ pack }) => pack))];
  } catch {
    // The directory may be gone, or the state unreadable; help is there all the same.
    return [...DEFAULT_PACKS];
  }
}
