import { PROVIDERS } from '../../packs/codegraph/providers.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { readConfigAt, userConfigPath } from '../user-config.ts';
import { readWhole } from './file-change.ts';
import { PROGRAM } from './launcher.ts';

/** Lines on packs that this project has something for and about which nobody has said anything yet. */
export function suggestPacks(root: string, chosen: readonly string[], world: CliWorld): string[] {
  const config = userConfigPath(world.paths.config);
  const isSettled = (pack: string) =>
    chosen.includes(pack) || readConfigAt(readWhole(config) ?? '', ['packs', pack], config) !== undefined;
  const provider = PROVIDERS.find(({ index }) => index !== undefined && nodeFiles.exists(join(root, index.dir)));
  if (!provider?.index || isSettled('codegraph')) return [];
  return [
    `${provider.index.dir} is an index of ${provider.name}: \`${PROGRAM} init --pack codegraph\` lets Fairlead point broad searches at it.`,
  ];
}
