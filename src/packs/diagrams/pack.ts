import type { Pack } from '../../event/pack.ts';

export const pack: Pack = {
  about: 'drawings come from a source, not from hand-made boxes',
  original: {
    program: 'cc-skills',
    calls: String.raw`itp-hooks|graph-easy\S*guard|pretooluse-guard\.sh`,
    both: 'both hold up the same drawings',
  },
};
