import type { Pack } from '../../event/pack.ts';
import { JUDGED } from './advice.ts';

export const pack: Pack = {
  about: 'points broad searches at an index of the code that is there',
  variables: ['WSL_DISTRO_NAME', 'CODEGRAPH_DIR', 'GRAPHIFY_OUT'],
  holds: ['careful'],
  silencing: { 'codegraph/search-nudge': JUDGED.name },
};
