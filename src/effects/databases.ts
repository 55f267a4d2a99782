import type { ProgramTable } from './scene.ts';

export const DATABASE_PROGRAMS: ProgramTable = {};
