import type { Adapter } from '../adapters/adapter.ts';
import { INSTALLERS } from '../adapters/installers.generated.ts';
import { ADAPTERS, adapterNamed } from '../adapters/registry.ts';
import { findOnPath } from '../platform/find-program.ts';
import { STATUS_LINES } from '../adapters/status-lines.generated.ts';
import { UsageError } from './command.ts';
import type { CliWorld } from './command.ts';
import { inspectInstall } from './install/inspect.ts';

type World = Pick<CliWorld, 'cwd' | 'userHome' | 'env'>;

/** What an agent may lack, and what goes without it. */
const OPTIONAL = {
  transcripts: {
    has: ({ projectTranscripts }: Adapter) => projectTranscripts !== undefined,
    without: 'none that Fairlead reads: no journal of its sessions, no count of their tokens',
  },
  memory: {
    has: ({ memoryFile }: Adapter) => memoryFile !== undefined,
    without: 'none that Fairlead reads: `fairlead memory` has nothing of it to copy',
  },
  'status line': {
    has: ({ name }: Adapter) => STATUS_LINES.some(({ agent }) => agent === name),
    without: 'none that Fairlead knows: `fairlead statusline` tells nothing of its sessions',
  },
  setup: {
    has: ({ readSetup }: Adapter) => readSetup !== undefined,
    without: 'not read: rules do not know its tool servers, its other hooks and its model',
  },
  'tool server': {
    has: ({ name }: Adapter) => INSTALLERS.find(({ agent }) => agent === name)?.serverSettings !== undefined,
    without: 'not registered by `fairlead init`: tell the agent of `fairlead mcp` yourself',
  },
  proof: {
    has: ({ name }: Adapter) => INSTALLERS.find(({ agent }) => agent === name)?.canaries !== undefined,
    without: 'not tried by `fairlead doctor --prove`: nobody knows how the agent calls its hooks',
  },
};

export type OptionalPart = keyof typeof OPTIONAL;

/** What an agent lacks, each with what that means. */
export function missingParts(agent: string): readonly (readonly [part: string, without: string])[] {
  const adapter = adapterNamed(agent);
  return Object.entries(OPTIONAL).flatMap(([part, { has, without }]) =>
    !adapter || has(adapter) ? [] : [[part, without] as const],
  );
}

/** The agents whose settings call this program from a directory. */
export function wiredAgents(dir: string, world: World): readonly Adapter[] {
  const wired = new Set(inspectInstall(dir, world).flatMap((file) => (file.wired.length > 0 ? [file.agent] : [])));
  return ADAPTERS.filter(({ name }) => wired.has(name));
}

/** Tells of the agents that are wired in a directory and lack what a verb is about. */
export function tellMissing(part: OptionalPart, dir: string, world: CliWorld): void {
  const { has, without } = OPTIONAL[part];
  for (const adapter of wiredAgents(dir, world))
    if (!has(adapter)) world.err(`note: ${part} of ${adapter.name}: ${without}\n`);
}

/** Whether the agent's program is on this machine, as far as the PATH tells. */
export function isOnPath({ program }: Adapter, { env }: Pick<CliWorld, 'env'>): boolean {
  return program.names.some((name) => findOnPath(name, env) !== undefined);
}

/** The agent that a verb is about: the one that is named, else the only one that fits or, of several, that is wired here or on the PATH. */
export function agentFor(
  name: string | undefined,
  world: World,
  fits: (adapter: Adapter) => boolean = () => true,
): Adapter {
  const all = ADAPTERS.map((each) => each.name).join(', ');
  const named = ADAPTERS.filter((adapter) => (name === undefined ? fits(adapter) : adapter.name === name));
  if (name !== undefined && named.length === 0) throw new UsageError(`no agent named "${name}"; there is ${all}`);
  const fitting = named.length > 0 ? named : ADAPTERS;
  const wired = fitting.length > 1 ? wiredAgents(world.cwd, world).filter((each) => fitting.includes(each)) : fitting;
  const found = wired.length > 0 ? wired : fitting.filter((each) => isOnPath(each, world));
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new UsageError(`say which agent is meant, with --agent; there is ${all}`);
}
