import type { ProgramTable } from './scene.ts';

export const CODE_PROGRAMS: ProgramTable = {};
