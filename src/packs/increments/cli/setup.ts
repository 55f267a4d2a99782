import type { PackSetup } from '../../../cli/pack-parts.ts';
import { counted } from '../../../cli/table.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { incrementIds } from '../increments.ts';
import { incrementsDir } from '../layout.ts';

export const setup: PackSetup = {
  found(root) {
    if (nodeFiles.stat(incrementsDir(root))?.kind !== 'dir') return undefined;
    return {
      what: `.specweave with ${counted(incrementIds(nodeFiles, root).length, 'increment')}`,
      suggestion: 'keeps their tasks and criteria in step',
    };
  },
};
