import type { ProgramTable } from './scene.ts';

export const DISK_PROGRAMS: ProgramTable = {};
