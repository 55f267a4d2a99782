import type { ProgramTable } from './scene.ts';

export const GIT_PROGRAMS: ProgramTable = {};
