import type { ProgramTable } from './scene.ts';

export const NETWORK_PROGRAMS: ProgramTable = {};
