import { CONTAINER_PROGRAMS } from './cloud-containers.ts';
import { INFRASTRUCTURE_PROGRAMS } from './cloud-infrastructure.ts';
import { PLATFORM_PROGRAMS } from './cloud-platforms.ts';
import { PROVIDER_PROGRAMS } from './cloud-providers.ts';
import { HTTP_DELETE_PROGRAMS } from './http-deletes.ts';
import type { ProgramTable } from './scene.ts';

export const CLOUD_PROGRAMS: ProgramTable = {
  ...CONTAINER_PROGRAMS,
  ...INFRASTRUCTURE_PROGRAMS,
  ...PLATFORM_PROGRAMS,
  ...PROVIDER_PROGRAMS,
  ...HTTP_DELETE_PROGRAMS,
};
