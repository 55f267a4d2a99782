import type { Pack } from '../../event/pack.ts';

export const pack: Pack = {
  about: 'keeps tasks and criteria of .specweave/ in step',
  on: true,
  original: {
    program: 'SpecWeave',
    calls: String.raw`(?<!\.)specweave|\.specweave/\S*hooks/`,
    both: 'both write spec.md, metadata.json, the status line and the docs',
  },
  killVariables: ['SPECWEAVE_DISABLE_HOOKS'],
};
