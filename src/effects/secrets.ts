import type { ReadEffects } from './scene.ts';

/** Secrets that a command reads, whatever program it is. */
export const readSecrets: ReadEffects = () => [];
