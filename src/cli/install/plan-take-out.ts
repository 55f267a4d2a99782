import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { SCOPES } from '../../adapters/installer.ts';
import type { Env } from '../../adapters/adapter.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import type { HomePaths } from '../../platform/paths.ts';
import { planDistrusting, planServerRemoval, planUnwiring } from './plan.ts';
import type { SettingsChange } from './plan.ts';
import { readRecords } from './record.ts';

interface World {
  readonly paths: HomePaths;
  readonly userHome: string;
  readonly env: Env;
}

/** As far up as an agent keeps its settings below the root. */
const DEEPEST = 3;

function dirsAbove(file: string): readonly string[] {
  const dirs: string[] = [];
  for (let dir = dirname(file); dirs.length < DEEPEST; dir = dirname(dir)) dirs.push(dir);
  return dirs;
}

/** The changes that take out what was installed for one home, in all projects, as far as its records tell. */
export function planTakeOut(world: World): readonly SettingsChange[] {
  const keys = Object.keys(readRecords(nodeFiles, world.paths.state));
  const files = [...new Set(keys.map((key) => key.split('#', 1)[0] ?? key))];
  // The root of a project is a directory above its settings, at whatever depth an agent keeps these.
  const roots = new Set([world.userHome, ...files.flatMap(dirsAbove)]);
  const places = [...roots].map((root) => ({ root, home: world.userHome, env: world.env }));
  const changes = INSTALLERS.flatMap((installer) =>
    SCOPES.flatMap((scope) =>
      places.flatMap((place): SettingsChange[] => {
        const path = installer.settingsPath(scope, place);
        const servers = installer.serverSettings?.(scope, place, nodeFiles);
        const trust = installer.trust?.(scope, place, nodeFiles);
        return [
          (path !== undefined && isRecorded(path) && planUnwiring(installer, scope, path, world)) || [],
          (trust && isRecorded(trust.path, trust.part) && planDistrusting(trust, scope, world)) || [],
          (servers && isRecorded(servers.path, servers.part) && planServerRemoval(servers, scope, world)) || [],
        ].flat();
      }),
    ),
  );
  return [...new Map(changes.map((change) => [change.recordKey, change])).values()];

  function isRecorded(path: string, part?: string): boolean {
    const file = canonicalPath(nodeFiles, path);
    return keys.includes(part === undefined ? file : `${file}#${part}`);
  }
}
