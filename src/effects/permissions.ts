import type { ProgramTable } from './scene.ts';

export const PERMISSION_PROGRAMS: ProgramTable = {};
