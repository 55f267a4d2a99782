import type { Pack } from '../../event/pack.ts';

export const pack: Pack = {
  about: 'stops or asks about what would destroy work, leak secrets or switch the rules off',
  on: true,
  holds: ['careful'],
};
