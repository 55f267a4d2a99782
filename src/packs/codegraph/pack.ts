import type { Pack } from '../../event/pack.ts';
import { JUDGED } from './advice.ts';

export const pack: Pack = {
  about: 'points broad searches at an index of the code that is there',
  variables: ['WSL_DISTRO_NAME', 'CODEGRAPH_DIR', 'GRAPHIFY_OUT'],
  holds: ['careful'],
  original: {
    program: 'agentic-dev-team',
    calls: 'agentic-dev-team|codegraph-(?:nudge|turn-mark)',
    both: 'a search is told twice to ask the graph',
  },
  silencing: { 'codegraph/search-nudge': JUDGED.name },
};
