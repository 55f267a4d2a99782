import type { Pack } from '../../event/pack.ts';

export const pack: Pack = { about: 'conflict markers, lock files, a command that fails again and again', on: true };
