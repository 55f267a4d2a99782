import type { GraphRoot } from './read-status.ts';

/** Why a directory is the root, for those who read it. */
export const ROOT_REASONS: Readonly<Record<GraphRoot['reason'], string>> = {
  explicit: 'named',
  environment: 'set in the environment',
  repository: 'a repository',
  workspace: 'a workspace of packages',
  project: 'a project',
  weak: 'a build file',
  none: 'nothing marks it as a project',
};
