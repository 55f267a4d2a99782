import { COPY_PROGRAMS } from './copies.ts';
import { FORMATTER_PROGRAMS } from './formatters.ts';
import { PATCH_PROGRAMS } from './patch-texts.ts';
import { REMOVAL_PROGRAMS } from './removals.ts';
import type { ProgramTable } from '../scene.ts';
import { WRITE_PROGRAMS } from './writes.ts';

export const FILE_PROGRAMS: ProgramTable = {
  ...REMOVAL_PROGRAMS,
  ...COPY_PROGRAMS,
  ...WRITE_PROGRAMS,
  ...FORMATTER_PROGRAMS,
  ...PATCH_PROGRAMS,
};
