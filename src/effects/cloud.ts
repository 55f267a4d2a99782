import type { ProgramTable } from './scene.ts';

export const CLOUD_PROGRAMS: ProgramTable = {};
