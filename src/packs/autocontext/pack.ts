import type { Pack } from '../../event/pack.ts';

export const pack: Pack = {
  about: 'indexes the code, and tells the agent what a change would touch',
  holds: ['graph'],
};
