import { ADAPTERS } from './adapters/registry.ts';
import { carryOutReturn, planReturns } from './cli/adopt/give-back.ts';
import { mayAct } from './cli/gate.ts';
import { takeOutCommand } from './cli/install/launcher-script.ts';
import { writeAll } from './cli/install/confirm.ts';
import { planTakeOut } from './cli/install/plan-take-out.ts';
import { writeRecord } from './cli/install/record.ts';
import { nodeFiles } from './platform/files.ts';
import { homePaths, join, userHomeOf } from './platform/paths.ts';
import { readProcessTree } from './platform/process-tree.ts';
import { launchDir, problemOfLaunched, readLaunched } from './transport/launch-place.ts';

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
