import { CONTAINER_PROGRAMS } from './containers.ts';
import { INFRASTRUCTURE_PROGRAMS } from './infrastructure.ts';
import { PLATFORM_PROGRAMS } from './platforms.ts';
import { PROVIDER_PROGRAMS } from './providers.ts';
import { HTTP_DELETE_PROGRAMS } from './http-deletes.ts';
import type { ProgramTable } from '../scene.ts';

export const CLOUD_PROGRAMS: ProgramTable = {
  ...CONTAINER_PROGRAMS,
  ...INFRASTRUCTURE_PROGRAMS,
  ...PLATFORM_PROGRAMS,
  ...PROVIDER_PROGRAMS,
  ...HTTP_DELETE_PROGRAMS,
};
