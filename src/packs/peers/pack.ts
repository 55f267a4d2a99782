import type { Pack } from '../../event/pack.ts';

export const pack: Pack = { about: 'two sessions that change the same file hear of each other', on: true };
