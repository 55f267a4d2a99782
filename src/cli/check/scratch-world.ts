import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openEngine } from '../../assembly/open-engine.ts';
import type { OpenedEngine } from '../../assembly/open-engine.ts';
import { createJobs } from '../../jobs/jobs.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join, pathsOf } from '../../platform/paths.ts';
import { acceptProject, listProject } from '../../workspace/config/trust.ts';
import type { CliWorld } from '../command.ts';

export interface Scratch extends Pick<CliWorld, 'cwd' | 'env'> {
  /** What it is for, in the name of the directory. */
  readonly name: string;
  /** A repository that counts alone: it is trusted, and nothing of the person or the machine is seen. */
  readonly alone?: string;
}

/** The same verbs with settings and state of their own, which are empty and gone afterwards. */
export async function inScratch<T>(
  { name, alone, cwd, env }: Scratch,
  world: CliWorld,
  work: (scratch: CliWorld) => Promise<T>,
): Promise<T> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), `fairlead-${name}-`)));
  const paths = pathsOf(home);
  const userHome = alone === undefined ? world.userHome : home;
  let engine: OpenedEngine | undefined;
  try {
    const deps = { files: nodeFiles, state: paths.state, now: () => 0 };
    if (alone !== undefined) acceptProject(listProject(alone, deps), deps);
    return await work({
      ...world,
      ...{ paths, userHome, cwd, env, interactive: false, colour: false },
      ...(alone !== undefined && { machineRoot: home }),
      engine: () => (engine ??= openEngine({ paths, userHome, resident: false, keeps: 'trial', createJobs })),
    });
  } finally {
    engine?.close();
    rmSync(home, { recursive: true, force: true });
  }
}
