import type { Pack } from '../../event/pack.ts';

export const pack: Pack = { on: true, killVariables: ['SPECWEAVE_DISABLE_HOOKS'] };
