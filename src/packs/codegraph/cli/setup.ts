import type { PackSetup } from '../../../cli/pack-parts.ts';
import { PROGRAM } from '../../../cli/install/launcher.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { join } from '../../../platform/paths.ts';
import { PROVIDERS } from '../providers.ts';

export const setup: PackSetup = {
  found(root) {
    const provider = PROVIDERS.find(({ index }) => index !== undefined && nodeFiles.exists(join(root, index.dir)));
    if (!provider?.index) return undefined;
    return {
      suggestion: `${provider.index.dir} is an index of ${provider.name}: \`${PROGRAM} init --pack codegraph\` lets Fairlead point broad searches at it.`,
    };
  },
};
