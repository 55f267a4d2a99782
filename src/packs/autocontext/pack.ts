import type { Pack } from '../../event/pack.ts';

export const pack: Pack = {
  about: 'indexes the code, and tells the agent what a change would touch',
  holds: ['graph'],
  original: {
    program: 'CodeCanvas',
    calls: 'codecanvas',
    both: 'both index the code and tell the agent of it',
  },
};
