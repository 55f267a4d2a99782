import type { Pack } from '../../event/pack.ts';

export const pack: Pack = {
  about: 'keeps tasks and criteria of .specweave/ in step',
  on: true,
  killVariables: ['SPECWEAVE_DISABLE_HOOKS'],
};
