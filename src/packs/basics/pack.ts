import type { Pack } from '../../event/pack.ts';

export const pack: Pack = { on: true };
