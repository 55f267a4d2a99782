import { PACK_SETUPS } from '../../packs/cli.generated.ts';
import type { CliWorld } from '../command.ts';
import { projectConfigPath, readConfigAt, userConfigPath } from '../user-config.ts';
import { readWhole } from './file-change.ts';

/** A pack that this project has something for. */
export interface FittingPack {
  readonly pack: string;
  /** What there is. */
  readonly found: string;
  /** What the pack would do with it. */
  readonly does: string;
  /** What would become of it, in lines. */
  readonly report: readonly string[];
  /** Nobody has said yet whether the pack is to be on here. */
  readonly isOpen: boolean;
}

export async function fittingPacks(root: string, world: CliWorld): Promise<readonly FittingPack[]> {
  const fitting: FittingPack[] = [];
  for (const { pack, load } of PACK_SETUPS) {
    const found = (await load()).found(root, world);
    if (!found) continue;
    const { what, suggestion, report = [] } = found;
    fitting.push({ pack, found: what, does: suggestion, report, isOpen: isOpen(pack, root, world) });
  }
  return fitting;
}

function isOpen(pack: string, root: string, world: CliWorld): boolean {
  return [userConfigPath(world.paths.config), projectConfigPath(root)].every(
    (config) => readConfigAt(readWhole(config) ?? '', ['packs', pack], config) === undefined,
  );
}
