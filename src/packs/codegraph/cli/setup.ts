import type { PackSetup } from '../../../cli/pack-parts.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { join } from '../../../platform/paths.ts';
import { PROVIDERS } from '../providers.ts';

export const setup: PackSetup = {
  found(root) {
    const provider = PROVIDERS.find(({ index }) => index !== undefined && nodeFiles.exists(join(root, index.dir)));
    if (!provider?.index) return undefined;
    return {
      what: `${provider.index.dir}, an index of ${provider.name}`,
      suggestion: 'points broad searches at it',
    };
  },
};
