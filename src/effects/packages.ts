import type { ProgramTable } from './scene.ts';

export const PACKAGE_PROGRAMS: ProgramTable = {};
