import type { Pack } from '../../event/pack.ts';

export const pack: Pack = { about: 'drawings come from a source, not from hand-made boxes' };
