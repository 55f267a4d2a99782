import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openEngine } from '../../assembly/open-engine.ts';
import type { OpenedEngine } from '../../assembly/open-engine.ts';
import { createJobs } from '../../jobs/jobs.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join, pathsOf } from '../../platform/paths.ts';
import { acceptProject, listProject } from '../../workspace/config/trust.ts';
import type { CliWorld } from '../command.ts';

/**
 * The same verbs for a repository alone: with a home that is empty and gone afterwards, where nothing counts but what the
 * repository brings, which is trusted there.
 */
export async function inScratch<T>(root: string, world: CliWorld, work: (scratch: CliWorld) => Promise<T>): Promise<T> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-check-')));
  const paths = pathsOf(home);
  let engine: OpenedEngine | undefined;
  try {
    const deps = { files: nodeFiles, state: paths.state, now: () => 0 };
    acceptProject(listProject(root, deps), deps);
    return await work({
      ...world,
      ...{ paths, userHome: home, cwd: root, env: {}, machineRoot: home, interactive: false, colour: false },
      engine: () => (engine ??= openEngine({ paths, userHome: home, resident: false, keeps: 'trial', createJobs })),
    });
  } finally {
    engine?.close();
    rmSync(home, { recursive: true, force: true });
  }
}
