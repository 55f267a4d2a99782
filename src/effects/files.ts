import type { ProgramTable } from './scene.ts';

export const FILE_PROGRAMS: ProgramTable = {};
