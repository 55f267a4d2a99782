import type { ReadEffects } from './scene.ts';

/** What redirections write to or empty, whatever program they belong to. */
export const readRedirects: ReadEffects = () => [];
