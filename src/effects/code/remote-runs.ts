import type { ShellCommand } from '../../shell/command.ts';
import { NONE } from '../words/arguments.ts';
import { hostOf } from '../network/hosts.ts';
import { runsOf } from './runners.ts';
import type { ReadEffects } from '../scene.ts';

const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx', 'uvx', 'pipx']);
const ADDRESS = /^(?:git\+)?(?:https?|ssh|git):\/\//i;
const REPOSITORY = /^(?:github|gitlab|bitbucket|gist):/i;
/** Registries: their modules are packages like those of `npm`. */
const REGISTRIES: ReadonlySet<string> = new Set(['deno.land', 'jsr.io', 'esm.sh']);

/** Programs that run an address: `deno run https://…`, and packages run from elsewhere than a registry, `npx github:…`. */
export const readRemoteRuns: ReadEffects = (command, scene) => {
  const { value = '' } = command.words[0] ?? {};
  const isPackage =
    (ADDRESS.test(value) || REPOSITORY.test(value)) && command.wrappers.some((name) => PACKAGE_RUNNERS.has(name));
  const address = isPackage ? value : scriptOf(command);
  if (address === undefined) return NONE;
  const host = hostOf(address);
  if (REGISTRIES.has(host)) return NONE;
  const how = isPackage ? 'package' : 'fetched';
  return [scene.effect(command, { kind: 'run-remote', how, target: address, ...(isPackage ? {} : { host }) })];
};

const RUNS_ADDRESSES: ReadonlySet<string> = new Set(['deno', 'zx', 'bun']);

function scriptOf(command: ShellCommand): string | undefined {
  if (!RUNS_ADDRESSES.has(command.program)) return undefined;
  const script = command.program === 'zx' ? command.words[1]?.value : runsOf(command)?.file?.value;
  return script !== undefined && ADDRESS.test(script) ? script : undefined;
}
