import { ADAPTERS } from './adapters/registry.ts';
import { carryOutReturn, planReturns } from './cli/adopt/give-back.ts';
import { mayAct } from './cli/gate.ts';
import { takeOutCommand } from './cli/install/launcher-script.ts';
import { writeAll } from './cli/install/confirm.ts';
import { writeRecord, readRecords } from './cli/install/record.ts';
import { nodeFiles, canonicalPath } from './platform/files.ts';
import { homePaths, join, userHomeOf, dirname } from './platform/paths.ts';
import type { HomePaths } from './platform/paths.ts';
import { readProcessTree } from './platform/process-tree.ts';
import { launchDir, problemOfLaunched, readLaunched } from './transport/launch-place.ts';
import { INSTALLERS } from './adapters/installers.generated.ts';
import { SCOPES } from './adapters/installer.ts';
import type { Env } from './adapters/adapter.ts';
import { planDistrusting, planServerRemoval, planUnwiring } from './cli/install/plan.ts';
import type { SettingsChange } from './cli/install/plan.ts';

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

const REFUSED = 3;

/** Entry point of what is left when the package is gone: takes the hooks out of every file that they were written to. */
function main([state = '']: readonly string[]): number {
  const paths = { ...homePaths(process.env, process.platform), state, run: join(state, 'run') };
  const launched = readLaunched(nodeFiles, launchDir(state));
  if (launched && problemOfLaunched(nodeFiles, launched) === undefined)
    return fail('its package is here: run `fairlead uninstall`');
  const signs = {
    agentNames: ADAPTERS.flatMap((adapter) => adapter.process.names),
    agentEnv: ADAPTERS.flatMap((adapter) => adapter.process.variables),
  };
  const permission = mayAct('uninstall', readProcessTree(), signs);
  if (!permission.ok)
    return fail(`${permission.why}\nOpen a terminal window and run: ${takeOutCommand(state)}`, REFUSED);
  let failed = 0;
  for (const each of planReturns(() => true, { paths })) {
    try {
      carryOutReturn(each, { paths });
      process.stdout.write(`Gave ${each.changes.map(({ path }) => path).join(', ')} back what Fairlead had adopted.\n`);
    } catch (error) {
      failed = fail(String(error instanceof Error ? error.message : error));
    }
  }
  const changes = planTakeOut({ paths, userHome: userHomeOf(paths, process.env, process.platform), env: process.env });
  for (const change of changes) {
    try {
      writeAll([change], (_, moment) => {
        if (moment === 'after') writeRecord(nodeFiles, state, change.recordKey, undefined);
      });
      process.stdout.write(
        `Took ${{ hooks: change.agent, 'tool server': 'the tool server', trust: 'your consent' }[change.entry]} out of ${change.path}.\n`,
      );
    } catch (error) {
      failed = fail(String(error instanceof Error ? error.message : error));
    }
  }
  if (changes.length === 0)
    process.stdout.write('Nothing to do: no file that Fairlead has written to holds an entry of it.\n');
  process.stdout.write(`What Fairlead has kept is in ${state}; nothing needs it any more.\n`);
  return failed;
}

function fail(why: string, code = 1): number {
  process.stderr.write(`fairlead: ${why}\n`);
  return code;
}

process.exitCode = main(process.argv.slice(2));
