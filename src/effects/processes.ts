import type { ProgramTable } from './scene.ts';

export const PROCESS_PROGRAMS: ProgramTable = {};
